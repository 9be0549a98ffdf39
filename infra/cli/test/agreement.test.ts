import { migrate } from '@arboleda/chassis/adapters/postgres/sql/migrate.ts';
import { setsOfService } from '@arboleda/chassis/adapters/postgres/sql/migration-files.ts';
import { openPool } from '@arboleda/chassis/adapters/postgres/sql/pool.ts';
import { createTestDatabase, type TestDatabase } from '@arboleda/chassis/testing/database.ts';
import { SERVICES } from '@arboleda/contracts/services.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type pg from 'pg';
import { pino } from 'pino';
import { agreementFindings } from '../doctor/agreement.ts';

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openPool(database.url, pino({ level: 'silent' }), { max: 2, name: 'test' });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const found = () => agreementFindings(database.url, '/nowhere');

test('services are compared when all have their tables, and what they say is on its way until its event is handled', async () => {
  expect(await found()).toEqual([]);
  for (const service of SERVICES)
    for (const set of setsOfService(
      service,
      new URL(`../../../services/${service}/migrations/`, import.meta.url),
    ))
      await migrate(pool, set);
  expect(await found()).toEqual([]);

  await pool.query(
    `insert into payments.payments (id, order_id, order_token, request_hash, package_type, trees, amount_minor, currency, quote,
       customer, language, state, created_at, updated_at)
     values ('p', 'o', 't', 'h', 'grove', 5, 1, 'USD', '{}', '{}', 'en',
       '{"status":"succeeded","intentId":"pi_1","paidAt":"2026-11-30T08:00:00Z"}', now(), now())`,
  );
  const noOrder = expect.stringContaining('1 payments have no order, for instance of order o.');
  expect(await found()).toEqual([
    noOrder,
    expect.stringContaining('1 paid orders are unknown to assignments'),
  ]);

  const event = `'{"id":"e","type":"payment.succeeded","key":"o","data":{"orderId":"o"}}'::jsonb`;
  await pool.query(`insert into payments._outbox (event) values (${event})`);
  expect(await found()).toEqual([]);
  await pool.query('delete from payments._outbox');
  await pool.query(
    `insert into chassis.deliveries (group_name, event_id, key, event) values ('orders', 'e', 'o', ${event})`,
  );
  expect(await found()).toEqual([]);
  await pool.query('delete from chassis.deliveries');
  expect(await found()).toContainEqual(noOrder);
});
