import { prepareTables } from '@arboleda/chassis/adapters/postgres/prepare-tables.ts';
import { createTestDatabase, type TestDatabase } from '@arboleda/chassis/testing/database.ts';
import { ERASED_CUSTOMER } from '@arboleda/contracts/order.ts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { pino } from 'pino';
import type { Assignment } from '../assignment/assignment.ts';
import { decideCreation } from '../assignment/order-events.ts';
import { columns, toRow } from '../assignment/table.ts';
import { minute, newOrderId, orderCreated } from './builders.ts';

const UP_TO = { migrations: ['001_assignments.sql'], chassis: ['001_outbox_inbox_audit_log.sql'] };

let database: TestDatabase;
let client: pg.Client;
beforeEach(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await prepare(UP_TO);
  await client.query('set search_path to assignments');
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

const prepare = (upTo?: typeof UP_TO) =>
  prepareTables({
    databaseUrl: database.url,
    service: 'assignments',
    logger: pino({ level: 'silent' }),
    upTo,
  });

const BY_ADMIN = { role: 'admin', id: 'admin-1', name: 'Luz' } as const;
const ANA = {
  workerId: 'ana',
  code: 'QU-014',
  name: 'Ana Ruiz',
  email: 'ana@arboleda.test',
  region: 'Quindío',
};
const HISTORY: Assignment['history'] = [
  { at: minute(1), worker: ANA, by: BY_ADMIN },
  { at: minute(2), by: { role: 'customer', name: 'María Pérez' }, reason: 'withdrawn' },
  { at: minute(3), by: { role: 'system' } },
];

/** A row with the history as it is given, which the code of 1.0 kept. */
async function insert(customer: Assignment['customer']): Promise<Assignment> {
  const orderId = newOrderId();
  const { record } = decideCreation(undefined, orderCreated({ orderId }).data, 1)!;
  const assignment = { ...record, customer, history: HISTORY };
  const row = { id: record.id, version: 7, ...toRow(assignment), history: HISTORY };
  await client.query(
    `insert into assignments (id, version, ${columns.join(', ')})
     select id, version, ${columns.join(', ')} from jsonb_populate_record(null::assignments, $1)`,
    [JSON.stringify(row)],
  );
  return assignment;
}

const rowOf = async ({ id }: Assignment) =>
  (await client.query<Record<string, unknown>>('select * from assignments where id = $1', [id])).rows[0]!;

test('donors who cancelled and were erased are no longer named, as today’s code leaves them', async () => {
  const assignment = await insert({ ...ERASED_CUSTOMER });
  const before = await rowOf(assignment);
  await prepare();
  const history = JSON.parse(JSON.stringify(toRow(assignment).history));
  expect(await rowOf(assignment)).toEqual({ ...before, version: 8, history });
  expect(JSON.stringify(history)).not.toContain('María');
});

test('donors who are there, and rows that name nobody, stay as they are', async () => {
  const kept = await insert({ name: 'María Pérez', email: 'maria@mail.test' });
  const before = await rowOf(kept);
  await prepare();
  expect(await rowOf(kept)).toEqual(before);
});
