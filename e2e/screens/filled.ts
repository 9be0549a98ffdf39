import { makeDemo } from '@arboleda/cli/demo/demo.ts';
import { openClient } from '@arboleda/contracts/client.ts';
import { readFile } from 'node:fs/promises';
import { putAccount } from '../harness/accounts.ts';
import { openProduct, type Product } from '../harness/product.ts';
import { fillWithLongThings } from './long.ts';
import { type Person, PEOPLE } from './people.ts';
import { readScreenData, type ScreenData } from './screen-data.ts';

const STATEMENT = new URL('../../docs/bank-statement-demo.csv', import.meta.url);

export interface FilledScreenData extends ScreenData {
  close(): Promise<void>;
}

/** Looked at faster than people do; nothing is reconciled meanwhile. */
const ENV = { RATE_LIMIT_SCALE: '0', PHOTO_MAIL_DELAY_SECONDS: '1', RECONCILE_INTERVAL_SECONDS: '86400' };

/** A product of its own with all that screens can show. */
export async function openFilledScreenData(): Promise<FilledScreenData> {
  const product = await openProduct(ENV);
  try {
    await fill(product);
    return { ...(await readScreenData(product.url, product.demoPassword)), close: product.stop };
  } catch (error) {
    await product.stop();
    throw error;
  }
}

/** Demo orders in every status, and what strains a layout: all through the product's own doors. */
async function fill(product: Product): Promise<void> {
  await makeDemoOf(product);
  const { demoPassword: password } = product;
  for (const { made, ...person } of Object.values<Person>(PEOPLE)) {
    if (made) await putAccount(product, { emailVerified: true, ...person, ...made, password });
  }
  await fillWithLongThings(product);
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
