import { prepareTables } from '@arboleda/chassis/adapters/postgres/prepare-tables.ts';
import { createTestDatabase, type TestDatabase } from '@arboleda/chassis/testing/database.ts';
import { ERASED_CUSTOMER } from '@arboleda/contracts/order.ts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { pino } from 'pino';
import type { Order } from '../order/order.ts';
import { toRow } from '../order/table.ts';
import { decidePayment } from '../order/creation.ts';
import { payment } from './builders.ts';

const PLACE = { latitude: 4.63753, longitude: -75.58008 };
const ELSEWHERE = { latitude: -1.5, longitude: -70 };
const UP_TO = { migrations: ['001_orders.sql'], chassis: ['001_outbox_inbox_audit_log.sql'] };

let database: TestDatabase;
let client: pg.Client;
beforeEach(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await prepare(UP_TO);
  await client.query('set search_path to orders');
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

const prepare = (upTo?: typeof UP_TO) =>
  prepareTables({ databaseUrl: database.url, service: 'orders', logger: pino({ level: 'silent' }), upTo });

const anOrder = (more: Partial<Order> = {}): Order => ({
  ...decidePayment(undefined, payment().data)!.record,
  ...more,
});

async function insert(row: Record<string, unknown>): Promise<void> {
  const columns = Object.keys(row).join(', ');
  await client.query(
    `insert into orders (${columns}) select ${columns} from jsonb_populate_record(null::orders, $1)`,
    [JSON.stringify(row)],
  );
}

const today = (order: Order) => ({ id: order.id, version: 1, ...toRow(order) });

/** A row as 1.0 writes it. */
function of1_0(order: Order, isReported: boolean): Record<string, unknown> {
  const {
    latitude: _latitude,
    longitude: _longitude,
    has_late_step: _hasLateStep,
    suspected_returns: _suspectedReturns,
    details: _details,
    ...row
  } = today(order);
  return { ...row, is_reported: isReported, coordinates: order.coordinates ?? null };
}

const both = async (id: string) =>
  (
    await client.query<Record<string, unknown>>(
      'select is_reported, has_late_step, coordinates, latitude, longitude from orders where id = $1',
      [id],
    )
  ).rows[0];
const told = (isReported: boolean, place?: typeof PLACE) => ({
  is_reported: isReported,
  has_late_step: isReported,
  coordinates: place ?? null,
  latitude: place?.latitude ?? null,
  longitude: place?.longitude ?? null,
});

test('rows of 1.0 have the new columns after the upgrade', async () => {
  const [placed, plain] = [anOrder({ coordinates: PLACE }), anOrder()];
  await insert(of1_0(placed, true));
  await insert(of1_0(plain, false));
  await prepare();
  expect(await both(placed.id)).toEqual(told(true, PLACE));
  expect(await both(plain.id)).toEqual(told(false));
});

test('what 1.0 writes meanwhile, today’s code reads', async () => {
  await prepare();
  const order = anOrder({ coordinates: PLACE });
  await insert(of1_0(order, true));
  expect(await both(order.id)).toEqual(told(true, PLACE));
  await client.query('update orders set is_reported = false, coordinates = $1', [ELSEWHERE]);
  expect(await both(order.id)).toEqual(told(false, ELSEWHERE));
  await client.query('update orders set coordinates = null');
  expect(await both(order.id)).toEqual(told(false));
});

test('what today’s code writes, 1.0 reads', async () => {
  await prepare();
  const order = anOrder({ coordinates: PLACE });
  await insert(today(order));
  expect(await both(order.id)).toEqual(told(false, PLACE));
  const { latitude, longitude } = ELSEWHERE;
  await client.query('update orders set has_late_step = true, latitude = $1, longitude = $2', [
    latitude,
    longitude,
  ]);
  expect(await both(order.id)).toEqual(told(true, ELSEWHERE));
  await client.query('update orders set latitude = null, longitude = null');
  expect(await both(order.id)).toEqual(told(true));
});

test('a buyer whom 1.0 erases meanwhile leaves no details, and others keep theirs', async () => {
  await prepare();
  const details: Record<string, string> = { words: 'For my grandmother' };
  const [erased, kept] = [anOrder({ details }), anOrder({ details })];
  await insert(today(erased));
  await insert({ ...today(kept), token: 'B'.repeat(22) });
  await client.query('update orders set version = 2, email_key = $2, customer = $3 where id = $1', [
    erased.id,
    ERASED_CUSTOMER.email,
    ERASED_CUSTOMER,
  ]);
  await client.query('update orders set version = 3');
  const { rows } = await client.query('select id, details from orders order by version, details');
  expect(rows).toEqual([
    { id: kept.id, details },
    { id: erased.id, details: null },
  ]);
});
