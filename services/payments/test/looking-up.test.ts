import { openPool } from '@arboleda/chassis/adapters/postgres/sql/pool.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { type Harness, openHarness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());

/** How PostgreSQL would find it among many. */
async function planOf(query: string): Promise<string> {
  const pool = openPool(harness.platform.databaseUrl, pino({ level: 'silent' }), {
    ...{ max: 1, name: 'plans', schema: 'payments' },
  });
  try {
    await pool.query('set enable_seqscan = off');
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`explain ${query}`);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  } finally {
    await pool.end();
  }
}

const payments = (where: string) =>
  `select * from all_payments p where ${where} order by p.created_at desc, p.id desc limit 26`;

test.each([
  ['the newest payments', payments('true'), ['payments_created_at', 'transfers_by_age']],
  [
    'payments of a status',
    payments(`p.status = 'submitted'`),
    ['payments_by_status', 'transfers_by_payment_status'],
  ],
  ['payments by words', payments(`p.words ilike '%garc%'`), ['payments_words', 'transfers_words']],
  [
    'sessions that are open',
    `select id from package_purchases where status in ('open', 'processing') and updated_at <= now()`,
    ['package_purchases_unsettled'],
  ],
  [
    'webhooks of a payment that goes',
    `select 1 from only stripe_events x where payment_id = 'p'`,
    ['stripe_events_payment'],
  ],
])('%s are found without reading everything', async (_what, query, indexes) => {
  const plan = await planOf(query);
  for (const index of indexes) expect(plan).toContain(index);
  expect(plan).not.toContain('Seq Scan');
});
