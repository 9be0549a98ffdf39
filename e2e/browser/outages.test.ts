import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { openProvider } from '../driver/provider.ts';
import { makeAccounts } from '../harness/accounts.ts';
import { openVisit } from '../harness/browser.ts';
import { openInbox } from '../harness/inbox.ts';
import { openDataDir, type Product, startProduct } from '../harness/product.ts';
import { textsOf } from '../harness/texts.ts';
import { waitFor } from '../harness/wait.ts';
import { choosePackage, fillCheckout, payButton } from './people.ts';
import { useSetup } from './setup.ts';

jest.setTimeout(120_000);

const say = textsOf('en');
/** For its browser: what is killed here is a product of this file. */
const setup = useSetup();
let data: Awaited<ReturnType<typeof openDataDir>>;
let product: Product;

beforeAll(async () => {
  data = await openDataDir();
  product = await startProduct(data.path);
});
afterAll(async () => {
  await product?.stop();
  await data?.remove();
});

test('kill −9 of everything between payment and order: after a restart the order is there, once, with one mail', async () => {
  const email = 'kill@mail.test';
  let orderPath = '';
  await openProvider(product).webhooks('hold');
  const { context, page } = await openVisit(setup.browser, { language: 'en', width: 1280 });
  try {
    await page.goto(`${product.url}/plant-trees`);
    await choosePackage(page, say, 'individual');
    await fillCheckout(page, say, { name: 'Ana Torres', email }, '4242 4242 4242 4242');
    await payButton(page).click();
    await page.waitForURL('**/orders/*');
    orderPath = new URL(page.url()).pathname;
  } finally {
    await context.close();
  }
  await product.kill();
  product = await startProduct(data.path, { RECONCILE_INTERVAL_SECONDS: '1', RECONCILE_AFTER_SECONDS: '1' });
  const inbox = openInbox(product.inboxUrl);
  await makeAccounts(product);

  const order = await waitFor('the order', async () => {
    const response = await fetch(`${product.url}/api${orderPath.replace('/orders/', '/track/')}`);
    return response.ok && ((await response.json()) as { trees: number });
  });
  expect(order.trees).toBe(1);
  await inbox.mail(email, /Receipt for/);
  // The webhooks that were held come now as well, each twice: nothing may be added by them.
  const provider = openProvider(product);
  await provider.webhooks('deliver');
  const { events } = await provider.events({ type: 'payment_intent.succeeded' });
  for (const event of events) await provider.repeat(event.id, 2);
  await inbox.mail(email, /will plant/);
  const receipts = (await inbox.all(email)).filter(({ subject }) => /Receipt for/.test(subject));
  expect(receipts).toHaveLength(1);
});
