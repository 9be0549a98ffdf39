/** Of ids of orders, a line each, those that no order has: "npm run doctor" asks for those that were paid for. */
import { readEnvironment } from '@arboleda/chassis/environment.ts';
import { openLogger } from '@arboleda/chassis/log.ts';
import { platformConfig, platformShape } from '@arboleda/chassis/platform-config.ts';
import { openPlatform } from '@arboleda/chassis/platform.ts';
import { text } from 'node:stream/consumers';
import { openStore } from '../store.ts';

const AT_ONCE = 500;

try {
  const config = platformConfig(readEnvironment(process.env, platformShape));
  const platform = await openPlatform(config, openLogger('orders', 'error'));
  try {
    const { orders } = await openStore(await platform.documents('orders'));
    const asked = (await text(process.stdin)).split('\n').filter(Boolean);
    for (let at = 0; at < asked.length; at += AT_ONCE) {
      const ids = asked.slice(at, at + AT_ONCE);
      const there = new Set((await orders.find({ where: { _id: { in: ids } } })).map(({ _id }) => _id));
      for (const id of ids) if (!there.has(id)) process.stdout.write(`${id}\n`);
    }
  } finally {
    await platform.close();
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
