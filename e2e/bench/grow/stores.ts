import { MIGRATIONS as ASSIGNMENTS, openStore as openAssignments } from '@arboleda/assignments/store.ts';
import { openPlatform } from '@arboleda/chassis/platform.ts';
import type { Records } from '@arboleda/chassis/records.ts';
import { openOrderStore } from '@arboleda/orders/store.ts';
import { MIGRATIONS as ORDERS } from '@arboleda/orders/order/store.ts';
import { pino } from 'pino';
import { openDatabase } from '../../harness/database.ts';
import { lifeOf, profileOf, workersFor } from './life.ts';

/** Writes that wait for a connection at once. */
const AT_ONCE = 500;

/** Makes a database that waits for no disk, with `total` orders and what belongs to them. @returns its address */
export async function createFilled(
  serverUrl: string,
  name: string,
  { total, nowMs }: { total: number; nowMs: number },
): Promise<string> {
  await using server = await openDatabase(serverUrl);
  await server.query(`create database ${name}`);
  await server.query(`alter database ${name} set synchronous_commit = off`);
  const databaseUrl = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
  await fill(databaseUrl, total, nowMs);
  await using database = await openDatabase(databaseUrl);
  await database.query('vacuum analyze');
  return databaseUrl;
}

/** Through the services' own stores. */
async function fill(databaseUrl: string, total: number, nowMs: number): Promise<void> {
  const config = { databaseUrl, objectsDir: '', smtpUrl: '', mailFrom: '' };
  const platform = await openPlatform(config, pino({ level: 'silent' }));
  // The store reads the clock before its first await.
  let now = new Date(nowMs);
  const clock = () => now;
  const put = <T extends { id: string; updatedAt?: string }>(
    { change }: Pick<Records<T>, 'change'>,
    record: T,
  ) => {
    now = new Date(record.updatedAt ?? nowMs);
    return change(record.id, () => ({ record }), { isNew: true });
  };
  try {
    const orders = openOrderStore(await platform.sql('orders', ORDERS), clock);
    const assignments = openAssignments(await platform.sql('assignments', ASSIGNMENTS), clock);
    for (let n = 0; n < workersFor(total); n++) await put(assignments.workers, profileOf(n, total, nowMs));
    for (let from = 0; from < total; from += AT_ONCE) {
      const length = Math.min(AT_ONCE, total - from);
      const lives = Array.from({ length }, (_, at) => lifeOf(from + at, total, nowMs));
      await Promise.all([
        ...lives.map(({ order }) => put(orders, order)),
        ...lives.map(({ assignment }) => put(assignments, assignment)),
      ]);
    }
  } finally {
    await platform.close();
  }
}
