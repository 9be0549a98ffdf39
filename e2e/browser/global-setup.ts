import { makeAccounts } from '../harness/accounts.ts';
import { startBrowserServer } from '../harness/browser.ts';
import { openDataDir, startProduct } from '../harness/product.ts';

declare global {
  var stopStage: (() => Promise<void>) | undefined;
}

/** Tests come from one address faster than people do, and passwords need not be expensive. */
const ENV = {
  RATE_LIMIT_SCALE: '0',
  PHOTO_MAIL_DELAY_SECONDS: '1',
  AUTH_PASSWORD_MEMORY_KIB: '64',
  AUTH_PASSWORD_PASSES: '1',
};

/** One running product and one Chromium for all files; BROWSER_SETUP holds their addresses. */
export default async function setUp(): Promise<void> {
  const data = await openDataDir();
  const closers = [data.remove];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  globalThis.stopStage = stop;
  try {
    const launching = startBrowserServer();
    // The first failure is reported; the other one is closed below.
    launching.catch(() => undefined);
    const product = await startProduct(data.path, ENV);
    closers.push(product.stop);
    const browser = await launching;
    closers.push(browser.close);
    await makeAccounts(product);
    process.env.BROWSER_SETUP = JSON.stringify({ product, wsEndpoint: browser.wsEndpoint });
  } catch (error) {
    await stop();
    throw error;
  }
}
