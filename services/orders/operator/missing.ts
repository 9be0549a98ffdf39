/**
 * Reads order ids, one per line, and prints those without an order. "npm run doctor" checks paid orders with
 * it.
 */
import { readEnvironment } from '@arboleda/chassis/environment.ts';
import { openLogger } from '@arboleda/chassis/log.ts';
import { platformConfig, platformShape } from '@arboleda/chassis/platform-config.ts';
import { openPlatform } from '@arboleda/chassis/platform.ts';
import { text } from 'node:stream/consumers';
import { MIGRATIONS } from '../store/store.ts';

try {
  const config = platformConfig(readEnvironment(process.env, platformShape));
  const platform = await openPlatform(config, openLogger('orders', 'error'));
  try {
    const sql = await platform.sql('orders', MIGRATIONS);
    const asked = (await text(process.stdin)).split('\n').filter(Boolean);
    const { rows } = await sql.query<{ id: string }>(
      'select id from unnest($1::text[]) as asked (id) where not exists (select from orders o where o.id = asked.id)',
      [asked],
    );
    for (const { id } of rows) process.stdout.write(`${id}\n`);
  } finally {
    await platform.close();
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
