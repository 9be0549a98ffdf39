/** Services and gateway for "npm run dev". Engines stay in another process while this one restarts. */
import { openLogger } from '@arboleda/chassis/log.ts';
import { live } from '../terminal/command.ts';
import { startProduct } from './product.ts';

await live(() => startProduct(process.env, openLogger(undefined, process.env.LOG_LEVEL || 'warn')), {
  quiet: true,
});
