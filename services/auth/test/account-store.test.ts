import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { accountById, accountByLogin } from '../account-store.ts';
import { linkByHash } from '../link-store.ts';
import { type Harness, newCode, openHarness } from './harness.ts';

let auth: Harness;
beforeAll(async () => {
  auth = await openHarness();
  await auth.query(`
    insert into auth.accounts (id, role, email, name, password_hash, language, email_verified, active, token_version, revision)
    select 'many-' || n, (array['customer', 'worker'])[n % 2 + 1], 'many-' || n || '@example.org', 'Many', 'x', 'es', true,
      true, 0, 0 from generate_series(1, 20000) as n;
    insert into auth.workers (account_id, code, region, capacity_trees)
    select id, 'MANY-' || id, 'Meta', 1 from auth.accounts where id like 'many-%' and role = 'worker';
    analyze auth.accounts; analyze auth.workers;`);
});
afterAll(() => auth.close());

/** How the database finds what a question asks for. */
async function planOf(ask: (db: Pick<Sql, 'query'>) => Promise<unknown>): Promise<string> {
  let plan = '';
  await auth.query('set search_path to auth');
  await ask({
    query: async (text: string, values: unknown[]) => {
      const { rows } = await auth.query(`explain ${text}`, values);
      plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      return { rows: [], rowCount: 0 };
    },
  } as unknown as Sql);
  return plan;
}

test.each([
  ['a customer’s log-in', (db: Pick<Sql, 'query'>) => accountByLogin(db, 'customer', 'many-7@example.org')],
  ['a worker’s log-in', (db: Pick<Sql, 'query'>) => accountByLogin(db, 'worker', 'many-many-7')],
  ['a session', (db: Pick<Sql, 'query'>) => accountById(db, 'many-7')],
  ['a mailed link', (db: Pick<Sql, 'query'>) => linkByHash(db, Buffer.from('x'))],
])('%s does not read all accounts', async (_what, ask) => {
  const plan = await planOf(ask);
  expect(plan).toContain('Index');
  expect(plan).not.toMatch(/Seq Scan on (accounts|workers)/);
});

test('a worker is found by address or code in any letter case, others by their address alone', async () => {
  const code = newCode();
  const { email, id } = await auth.someone('worker', { worker: { code, region: 'Meta' } });
  for (const login of [email, email.toUpperCase(), code, code.toLowerCase()]) {
    expect((await auth.logIn('worker', login)).body.user.id).toBe(id);
  }
  for (const login of [code, email]) expect((await auth.logIn('customer', login)).status).toBe(401);
});
