/** Services and gateway for "npm run dev". Engines stay in another process while this one restarts. */
import { openLogger } from '@arboleda/chassis/log.ts';
import { live } from '../terminal/command.ts';
import { loadProduct, startProduct } from './product.ts';

const DEFAULT_LEVEL = 'warn';

await live(
  async () =>
    startProduct(
      await loadProduct(),
      process.env,
      openLogger(undefined, process.env.LOG_LEVEL || DEFAULT_LEVEL),
    ),
  { quiet: true },
);
