import { type CallApi, openClient } from '@arboleda/contracts/client.ts';
import { openProduct, type Product } from '../harness/product.ts';
import { fill } from './filling.ts';
import type { Objects } from './objects.ts';
import { openPeople, type People } from './people.ts';

/** A running product with somebody of each role twice, and something of everything that can be theirs. */
export interface FilledProduct extends Pick<People, 'token'> {
  product: Product;
  objects: Objects;
  call: CallApi;
  close(): Promise<void>;
}

/** Sends photo emails at once, and never reconciles while a test compares states. */
const ENVIRONMENT = {
  RATE_LIMIT_SCALE: '0',
  TRANSFERS_OF_EMAIL_A_DAY: '100000',
  EVIDENCE_MAX_MB_OF_NETWORK: '100000',
  RECONCILE_INTERVAL_SECONDS: '86400',
  RECONCILE_AFTER_SECONDS: '86400',
  RECEIPT_MAIL_DELAY_SECONDS: '0',
  PHOTO_MAIL_DELAY_SECONDS: '0',
  // Thousands of wrong passwords are looked at.
  AUTH_PASSWORD_MEMORY_KIB: '64',
  AUTH_PASSWORD_PASSES: '1',
  // Callers choose their address, because wrong passwords are counted by address.
  TRUSTED_PROXIES: '127.0.0.1',
};

export async function openFilledProduct(env: Record<string, string> = {}): Promise<FilledProduct> {
  const product = await openProduct({ ...ENVIRONMENT, ...env });
  const call = openClient(product.url);
  const people = openPeople(product, call);
  try {
    const objects = await fill(product, call, people);
    return { product, call, token: people.token, objects, close: product.stop };
  } catch (error) {
    await product.stop();
    throw error;
  }
}
