import { prepareTables } from '@arboleda/chassis/adapters/postgres/prepare-tables.ts';
import { createTestDatabase, type TestDatabase } from '@arboleda/chassis/testing/database.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { pino } from 'pino';
import { movingCertificatesOn, movingReceiptsOn, nextReceipt } from '../backup/numbers.ts';

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  await prepareTables({
    databaseUrl: database.url,
    service: 'orders',
    logger: pino({ level: 'silent' }),
  });
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});
beforeEach(() => client.query('truncate orders.receipt_years'));

const hold = (year: number, last: number) =>
  client.query('insert into orders.receipt_years (year, last) values ($1, $2)', [year, last]);

/** The next number after a restore at `now` of a backup from `madeAt`. */
async function restoredAt(madeAt: string, now: string): Promise<string> {
  const { rows } = await client.query<{ year: number; last: number }>(
    movingReceiptsOn(new Date(madeAt), new Date(now)),
  );
  return nextReceipt(rows, new Date(now));
}

const held = async () =>
  Object.fromEntries(
    (
      await client.query<{ year: number; last: number }>(
        'select year, last from orders.receipt_years order by year',
      )
    ).rows.map(({ year, last }) => [year, last]),
  );

test.each<[string, number, string, string]>([
  ['right after the backup', 123, '2026-06-01T12:00:00Z', '2026-020001'],
  ['in the same hour', 123, '2026-06-01T12:59:59Z', '2026-020001'],
  ['hours later', 123, '2026-06-01T14:30:00Z', '2026-040001'],
  ['a day later', 123, '2026-06-02T12:00:00Z', '2026-250001'],
  ['after a full ten thousand', 20_000, '2026-06-01T12:30:00Z', '2026-030001'],
  ['by a clock that went back', 123, '2026-06-01T11:00:00Z', '2026-020001'],
])('numbers go on beyond all that can have been given: %s', async (_when, last, now, next) => {
  await hold(2026, last);
  expect(await restoredAt('2026-06-01T12:00:00Z', now)).toBe(next);
});

test('the same backup restored twice gives no number of the first time again', async () => {
  const madeAt = '2026-06-01T12:00:00Z';
  await hold(2026, 123);
  const first = await restoredAt(madeAt, '2026-06-01T13:30:00Z');
  await client.query('update orders.receipt_years set last = 123');
  const given = Number(first.slice(5)) + 9_999;
  expect(Number((await restoredAt(madeAt, '2026-06-01T14:30:00Z')).slice(5))).toBeGreaterThan(given);
});

test('every year moves on of which numbers may have been given, and a year without any begins after them', async () => {
  await hold(2025, 400);
  await hold(2026, 7);
  expect(await restoredAt('2026-12-31T22:00:00Z', '2027-01-01T09:00:00Z')).toBe('2027-110001');
  expect(await held()).toEqual({ 2025: 120_000, 2026: 120_000, 2027: 110_000 });
});

test('places of certificates go on beyond those that may have been given', async () => {
  const issue = async (code: string) =>
    Number(
      (
        await client.query<{ number: string }>(
          `insert into orders.certificates (code, order_id) values ($1, 'order') returning number`,
          [code],
        )
      ).rows[0]!.number,
    );
  const move = () =>
    client.query(movingCertificatesOn(new Date('2026-06-01T12:00:00Z'), new Date('2026-06-01T13:30:00Z')));
  await move();
  expect(await issue('first')).toBe(20_001);
  await move();
  expect(await issue('second')).toBe(40_002);
});
