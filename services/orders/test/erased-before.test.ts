import { prepareTables } from '@arboleda/chassis/adapters/postgres/prepare-tables.ts';
import { createTestDatabase, type TestDatabase } from '@arboleda/chassis/testing/database.ts';
import { ERASED_CUSTOMER } from '@arboleda/contracts/order.ts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { pino } from 'pino';
import { decidePayment, decideSubmission } from '../order/creation.ts';
import { decideErasure } from '../order/person.ts';
import type { Order } from '../order/order.ts';
import { columns, toRow } from '../order/table.ts';
import { minute, newOrderId } from './builders.ts';
import { approved, submitted } from './event-builders.ts';

const UP_TO = {
  migrations: [
    '001_orders.sql',
    '002_late_step_and_place.sql',
    '003_fill_late_step_and_place.sql',
    '004_suspected_returns.sql',
  ],
  chassis: ['001_outbox_inbox_audit_log.sql'],
};

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

/** Without columns of later files, which are null. */
function insert(order: Order): Promise<unknown> {
  const row = toRow(order);
  const filled = columns.filter((name) => row[name] !== null).join(', ');
  return client.query(
    `insert into orders (id, version, ${filled}) select id, version, ${filled} from jsonb_populate_record(null::orders, $1)`,
    [JSON.stringify({ id: order.id, version: 7, ...row })],
  );
}

const rowOf = async (id: string) =>
  (await client.query<Record<string, unknown>>('select * from orders where id = $1', [id])).rows[0]!;

const by = { role: 'customer', id: 'account-1' } as const;
const erasedNow = (order: Order) =>
  decideErasure(order, { email: order.customer.email, by, at: minute(400) })!.record;

/** An order as the erasure of 1.0 left it. */
const erasedBefore = (order: Order): Order => ({
  ...erasedNow(order),
  manualPayment: { ...order.manualPayment!, evidenceFiles: [] },
  transactionId: order.transactionId,
});

const REFERENCE = 'Maria José paga';

const announced = () => {
  const orderId = newOrderId();
  return decideSubmission(undefined, submitted(orderId, { referenceNumber: REFERENCE }).data)!.record;
};
const paid = (order: Order) =>
  decidePayment(order, approved(order.id, { referenceNumber: REFERENCE, transactionId: REFERENCE }).data)!
    .record;

test.each([
  ['approved', () => paid(announced())],
  ['announced', announced],
])('the typed reference of an erased donor goes from an %s transfer', async (_state, make) => {
  const order = make();
  await insert(erasedBefore(order));
  await prepare();
  const migrated = await rowOf(order.id);
  expect(JSON.stringify(migrated)).not.toMatch(/maria|paga/i);
  expect(migrated.version).toBe(8);

  const today = { ...erasedNow(order), id: newOrderId() };
  await insert({ ...today, token: `${order.token}-2` });
  const expected = await rowOf(today.id);
  for (const name of ['manual_payment', 'transaction_id', 'customer', 'timeline'])
    expect([name, migrated[name]]).toEqual([name, expected[name]]);
  const of = (words: unknown, id: string) =>
    String(words).replaceAll(id, 'ID').replaceAll(id.slice(-6), 'SHORT').split(' ').sort();
  expect(of(migrated.words, order.id)).toEqual(of(expected.words, today.id));
});

test('the reference of somebody else stays', async () => {
  const order = paid(announced());
  await insert(order);
  const before = await rowOf(order.id);
  await prepare();
  expect(await rowOf(order.id)).toMatchObject(before);
  expect(before.customer).not.toEqual(ERASED_CUSTOMER);
});
