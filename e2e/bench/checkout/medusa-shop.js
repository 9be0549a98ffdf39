/**
 * A store as Medusa's users run it: tables from its own migrations in the database of DATABASE_URL, one product in one region,
 * and the payment provider that it brings along, which authorises at once.
 */
import { container } from '@medusajs/framework';
import medusa from '@medusajs/medusa/commands/start';
import { createProductsWorkflow, createRegionsWorkflow } from '@medusajs/medusa/core-flows';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const [databaseUrl, port] = process.argv.slice(2);
// Its configuration reads that.
process.env.DATABASE_URL = databaseUrl;
const directory = import.meta.dirname;
const CLI = join(directory, 'node_modules', '@medusajs', 'cli', 'cli.js');

execFileSync(process.execPath, [CLI, 'db:migrate', '--execute-safe-links'], {
  cwd: directory,
  stdio: ['ignore', 'ignore', 'inherit'],
});
await medusa.default({ directory, port: Number(port), host: '127.0.0.1' });

const make = async (workflow, input) => (await workflow(container).run({ input })).result;
const query = container.resolve('query');
// Made by the first start: a sales channel and a key that storefronts of it show.
const {
  data: [channel],
} = await query.graph({ entity: 'sales_channel', fields: ['id'] });
const {
  data: [key],
} = await query.graph({ entity: 'api_key', fields: ['token'], filters: { type: 'publishable' } });
const [region] = await make(createRegionsWorkflow, {
  regions: [
    { name: 'Spain', currency_code: 'eur', countries: ['es'], payment_providers: ['pp_system_default'] },
  ],
});
// There are trees for everybody, and nobody sends them: neither stock nor shipping is what is measured.
const [product] = await make(createProductsWorkflow, {
  products: [
    {
      title: 'Tree',
      status: 'published',
      sales_channels: [{ id: channel.id }],
      options: [{ title: 'Kind', values: ['Tree'] }],
      variants: [
        {
          title: 'Tree',
          options: { Kind: 'Tree' },
          manage_inventory: false,
          prices: [{ amount: 5, currency_code: 'eur' }],
        },
      ],
    },
  ],
});
process.send({ key: key.token, regionId: region.id, variantId: product.variants[0].id });
