import type { Browser } from 'playwright-core';
import { makeAccounts } from '../harness/accounts.ts';
import { launchBrowser } from '../harness/browser.ts';
import { type Inbox, openInbox } from '../harness/inbox.ts';
import { type Addresses, openDataDir, type Product, startProduct } from '../harness/product.ts';

/** A running product with its accounts, an inbox and a browser. */
export interface Scene {
  product: Addresses;
  inbox: Inbox;
  browser: Browser;
}

/** One of a test's own, in a process that may be killed. */
export interface Stage extends Scene {
  product: Product;
  dataDir: string;
  close(): Promise<void>;
}

/** Tests come from one address faster than people do. */
const ENV = { RATE_LIMIT_SCALE: '100', PHOTO_MAIL_DELAY_SECONDS: '1' };

export async function openStage(): Promise<Stage> {
  const data = await openDataDir();
  const launching = launchBrowser();
  const product = await startProduct(data.path, ENV).catch(async (error: unknown) => {
    // Left open, it would keep the test run from ending.
    await (await launching).close();
    await data.remove();
    throw error;
  });
  const browser = await launching;
  await makeAccounts(product);
  const stage: Stage = {
    product,
    browser,
    inbox: openInbox(product.inboxUrl),
    dataDir: data.path,
    async close() {
      await browser.close();
      // A test may have put another one in its place.
      await stage.product.stop();
      await data.remove();
    },
  };
  return stage;
}
