import { prepareTables } from '@arboleda/chassis/adapters/postgres/prepare-tables.ts';
import { createTestDatabase, type TestDatabase } from '@arboleda/chassis/testing/database.ts';
import { ERASED_CUSTOMER } from '@arboleda/contracts/order.ts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { pino } from 'pino';
import { makeReference, referenceKey, referenceOrigin } from '../transfer.ts';

const UP_TO = { migrations: ['001_payments.sql'], chassis: ['001_outbox_inbox_audit_log.sql'] };

let database: TestDatabase;
let client: pg.Client;
beforeEach(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await prepare(UP_TO);
  await client.query('set search_path to payments');
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

const prepare = (upTo?: typeof UP_TO) =>
  prepareTables({ databaseUrl: database.url, service: 'payments', logger: pino({ level: 'silent' }), upTo });

let count = 0;
/** A row as the erasure of 1.0 left it. */
async function insert(reference: string | undefined, customer: object = ERASED_CUSTOMER): Promise<string> {
  const id = `transfer-${(count += 1)}`;
  await client.query(
    `insert into transfers (id, order_id, order_token, request_hash, bank, package_type, trees, amount_minor, currency, quote,
       customer, language, reference, reference_key, state, created_at)
     values ($1, $1, $1, '', 'bancolombia', 'grove', 5, 2000, 'USD', '{}', $2, 'es', $3, $4, '{"status": "approved"}', now())`,
    [id, customer, reference ?? null, referenceKey(reference) ?? null],
  );
  return id;
}

const referenceOf = async (id: string) =>
  (
    await client.query<{ reference: string | null; reference_key: string | null }>(
      'select reference, reference_key from transfers where id = $1',
      [id],
    )
  ).rows[0]!;

const NONE = { reference: null, reference_key: null };

test('references that erased donors typed go, and those of ours stay, as today’s erasure decides', async () => {
  const ours = Array.from({ length: 100 }, () => makeReference());
  const written = [
    ...ours,
    ...ours.map((reference) => reference.toLowerCase().replace('-', ' ')),
    // One character is another one.
    ...ours.map((reference) => reference.replace(/.$/, (last) => (last === '7' ? '8' : '7'))),
    ...['Quetzalbert paga', 'ARB-ABCDEF', 'ARB-000000', 'ARB-7K3', 'Arboleda 5', 'ok', '年'],
  ];
  const ids = new Map<string, string>();
  for (const reference of written) ids.set(await insert(reference), reference);
  const empty = await insert(undefined);
  await prepare();
  for (const [id, reference] of ids)
    expect([reference, await referenceOf(id)]).toEqual([
      reference,
      referenceOrigin(reference) === 'ours' ? { reference, reference_key: referenceKey(reference) } : NONE,
    ]);
  expect(await referenceOf(empty)).toEqual(NONE);
});

test('a donor whom 1.0 erases while it shares the tables leaves no details, and others keep theirs', async () => {
  await prepare();
  const ana = { name: 'Ana', email: 'ana@arboleda.test' };
  const [erased, kept] = [await insert(undefined, ana), await insert(undefined, ana)];
  await client.query(
    `insert into payments (id, order_id, order_token, request_hash, package_type, trees, amount_minor, currency, quote, customer,
       language, state, created_at, updated_at)
     select id, order_id, order_token, '', package_type, trees, amount_minor, currency, quote, customer, language, state,
       created_at, created_at
     from transfers`,
  );
  const details = { words: 'For my grandmother' };
  for (const table of ['payments', 'transfers']) {
    await client.query(`update ${table} set details = $1`, [details]);
    await client.query(`update ${table} set customer = $1 where id = $2`, [ERASED_CUSTOMER, erased]);
    await client.query(`update ${table} set revision = revision + 1`);
    const { rows } = await client.query(`select id, details from ${table} order by id`);
    expect([table, rows]).toEqual([
      table,
      [
        { id: erased, details: null },
        { id: kept, details },
      ],
    ]);
  }
});

test('what a donor typed who is there stays', async () => {
  const id = await insert('Quetzalbert paga', { name: 'Ana', email: 'ana@arboleda.test' });
  await prepare();
  expect(await referenceOf(id)).toMatchObject({ reference: 'Quetzalbert paga' });
});
