import { readFile } from 'node:fs/promises';
import { openClient } from '@arboleda/contracts/client.ts';
import { makeDemo } from '@arboleda/cli/demo/demo.ts';
import { putAccount } from '../../harness/accounts.ts';
import type { Product } from '../../harness/product.ts';
import { type Person, PEOPLE } from '../people.ts';
import { fillWithLongThings } from './long.ts';

const STATEMENT = new URL('../../../docs/bank-statement-demo.csv', import.meta.url);

/** Demo orders in every status, and what strains a layout: all through the product's own doors. */
export async function fill(product: Product): Promise<void> {
  await makeDemoOf(product);
  const { demoPassword: password } = product;
  for (const { made, ...person } of Object.values<Person>(PEOPLE)) {
    if (made) await putAccount(product, { emailVerified: true, ...person, ...made, password });
  }
  await fillWithLongThings(product, openClient(product.url));
  await importStatement(product);
}

/** The statement of the demo: a sure, a perhaps and an unknown row. */
async function importStatement({ url, demoPassword: password }: Product): Promise<void> {
  const call = openClient(url);
  const { token } = await call('POST /api/auth/admin/login', {
    body: { email: PEOPLE.admin.email, password },
  });
  const body = new FormData();
  body.append('statement', new Blob([await readFile(STATEMENT)], { type: 'text/csv' }), 'november.csv');
  const { statement } = await call('POST /api/admin/statements', { token, body });
  await call('POST /api/admin/statements/{id}/confirm', { token, params: { id: statement.statementId } });
}

async function makeDemoOf(product: Product): Promise<void> {
  const site = {
    ...product,
    gatewayUrl: product.url,
    sandboxUrl: product.stripeApiUrl,
    isDemo: true,
    env: {
      AUTH_URL: product.authUrl,
      OPERATOR_SERVICE_KEY: product.serviceKeys.operator,
      STRIPE_PUBLISHABLE_KEY: product.stripePublishableKey,
    },
  };
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  await makeDemo(site, { step: (_name, run) => run(), say }).done;
  const complaint = said.find((line) => line.includes('not complete'));
  if (complaint) throw new Error(complaint.trim());
}
