import { openProduct } from '../harness/product.ts';
import { fill } from './filling/fill.ts';
import { readScreenData, type ScreenData } from './screen-data.ts';

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
