import { afterAll, beforeAll } from '@jest/globals';
import { type Composed, startCompose } from '../harness/compose.ts';

/** One product by docker compose for a test file; it is there in tests and later hooks. */
export function useCompose(): Composed {
  let product: Composed | undefined;
  beforeAll(async () => {
    product = await startCompose({ RATE_LIMIT_SCALE: '1000', PHOTO_MAIL_DELAY_SECONDS: '1' });
  }, 900_000);
  afterAll(() => product?.down(), 120_000);
  return new Proxy({} as Composed, { get: (_, name: keyof Composed) => product![name] });
}
