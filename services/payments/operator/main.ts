/** Compares Stripe's lists with the database. Run by "npm run reconcile", also inside a container of payments. */
import { readEnvironment } from '@arboleda/chassis/environment.ts';
import { openLogger } from '@arboleda/chassis/log.ts';
import { platformConfig, platformShape } from '@arboleda/chassis/platform-config.ts';
import { openPlatform } from '@arboleda/chassis/platform.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { type AskedComparison, askedComparison, askForComparison } from '../reconcile/compare.ts';
import { isComplete, readArguments, table } from './command.ts';

const POLL_MS = 250;
/** The service starts the comparison at once; after this long it is presumed down. */
const BEGUN_WITHIN_MS = 60_000;

try {
  const since = readArguments(process.argv.slice(2), new Date());
  const config = platformConfig(readEnvironment(process.env, platformShape));
  const platform = await openPlatform(config, openLogger('payments', 'error'));
  try {
    const sql = await platform.sql('payments', new URL('../migrations/', import.meta.url));
    const { report = [] } = await compared(sql, await askForComparison(sql, since, new Date()));
    process.stdout.write(`${table(report)}\n`);
    if (!isComplete(report)) process.exitCode = 1;
  } finally {
    await platform.close();
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message.trimEnd()}\n`);
  process.exitCode = 1;
}

async function compared(sql: Sql, id: string): Promise<AskedComparison> {
  const deadlineMs = Date.now() + BEGUN_WITHIN_MS;
  for (;;) {
    const comparison = await askedComparison(sql, id);
    if (comparison.report) return comparison;
    if (!comparison.isBegun && Date.now() > deadlineMs) {
      throw new Error('The service payments does not take it up: is it running? It will when it is there.');
    }
    await pause(POLL_MS);
  }
}
