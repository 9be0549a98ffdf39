/** Prints the orders paid more than a minute ago, one id per line. "npm run doctor" checks that each exists. */
import { readEnvironment } from '@arboleda/chassis/environment.ts';
import { openLogger } from '@arboleda/chassis/log.ts';
import { platformConfig, platformShape } from '@arboleda/chassis/platform-config.ts';
import { openPlatform } from '@arboleda/chassis/platform.ts';

const PAID = `select order_id as id from all_payments where status = 'succeeded' and paid_at < now() - interval '1 minute'`;

try {
  const config = platformConfig(readEnvironment(process.env, platformShape));
  const platform = await openPlatform(config, openLogger('payments', 'error'));
  try {
    const sql = await platform.sql('payments', new URL('../migrations/', import.meta.url));
    const { rows } = await sql.query<{ id: string }>(PAID);
    for (const { id } of rows) process.stdout.write(`${id}\n`);
  } finally {
    await platform.close();
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
