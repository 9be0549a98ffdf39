import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { SERVICES } from '@arboleda/contracts/services.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { accountByLogin, accounts } from '../accounts/account-store.ts';
import { refuseDemoAccounts } from '../operator/demo-accounts.ts';
import { linkByHash } from '../accounts/link-store.ts';
import { type Harness, newCode, newEmail, openHarness, PASSWORD } from './harness.ts';

let auth: Harness;
beforeAll(async () => {
  auth = await openHarness();
});
afterAll(() => auth.close());

describe('accounts and keys', () => {
  let codes = 0;

  const newCode = () => `ME-${String(++codes).padStart(3, '0')}`;

  const putWorker = (email: string, changes: Record<string, unknown> = {}) =>
    auth.putAccount({ role: 'worker', email, worker: { code: newCode(), region: 'Meta' }, ...changes });

  describe('an operator’s account', () => {
    test('is created once, and updated after that', async () => {
      const email = newEmail();
      const first = await auth.putAccount({ email });
      expect(first.body).toEqual({ id: expect.any(String), created: true });
      const second = await auth.putAccount({ email: email.toUpperCase(), name: 'Other Name' });
      expect(second.body).toEqual({ id: first.body.id, created: false });
      expect((await auth.logIn('admin', email)).body.user.name).toBe('Other Name');
    });

    test('is refused on a public installation when it is a demo account', async () => {
      const sql = await auth.platform.sql('auth', new URL('../migrations/', import.meta.url));
      // A stranger cannot verify such an address, so registering one does not stop the start.
      await auth.putAccount({ role: 'customer', email: 'stranger@arboleda.test', emailVerified: false });
      await refuseDemoAccounts(sql);
      await auth.putAccount({ email: 'Admin@office.arboleda.test', emailVerified: true });
      await expect(refuseDemoAccounts(sql)).rejects.toThrow(
        /^DATABASE_URL: holds accounts of the demonstration \(admin@office\.arboleda\.test\)/i,
      );
      await auth.query(`delete from auth.accounts where email ilike '%arboleda.test'`);
    });

    test('may have the same address in another role', async () => {
      const email = newEmail();
      const [admin, worker] = [await auth.putAccount({ email }), await putWorker(email)];
      expect([admin.body.created, worker.body.created]).toEqual([true, true]);
    });

    test('is created once by concurrent commands', async () => {
      const email = newEmail();
      const answers = await Promise.all([auth.putAccount({ email }), auth.putAccount({ email })]);
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
      expect(answers.filter(({ body }) => body.created)).toHaveLength(1);
    });

    test('keeps its sessions with the same password, and loses them with a new one', async () => {
      const email = newEmail();
      await auth.putAccount({ email });
      const { body } = await auth.logIn('admin', email);
      const look = () => auth.call('GET /api/auth/admin/verify', { token: body.token });
      await auth.putAccount({ email, name: 'Other Name' });
      expect((await look()).status).toBe(200);
      await auth.putAccount({ email, password: 'la palma de cera' });
      expect((await look()).status).toBe(401);
      expect((await auth.logIn('admin', email, PASSWORD)).status).toBe(401);
      expect((await auth.logIn('admin', email, 'la palma de cera')).status).toBe(200);
    });

    test('of an admin is an owner’s, unless it says otherwise; another role ends its sessions', async () => {
      const email = newEmail();
      const adminRole = async () => (await auth.logIn('admin', email)).body.user.adminRole;
      await auth.putAccount({ email });
      expect(await adminRole()).toBe('owner');
      await auth.putAccount({ email, adminRole: 'finance' });
      expect(await adminRole()).toBe('finance');
      const { body } = await auth.logIn('admin', email);
      await auth.putAccount({ email, name: 'Other Name' });
      expect(await adminRole()).toBe('finance');
      expect(await auth.isLoggedIn('admin', body.token)).toBe(true);
      await auth.putAccount({ email, adminRole: 'support' });
      expect(await auth.isLoggedIn('admin', body.token)).toBe(false);
    });

    test('of a customer may be verified from the start, and stays so', async () => {
      const email = newEmail();
      await auth.putAccount({ role: 'customer', email, emailVerified: true });
      await auth.events.next('customer.registered', ({ data }) => data.email === email);
      await auth.putAccount({ role: 'customer', email, emailVerified: false, name: 'Other' });
      expect((await auth.logIn('customer', email)).body.user.emailVerified).toBe(true);
    });
  });

  describe('a worker', () => {
    test('is published with all that other services need', async () => {
      const email = newEmail();
      const worker = { code: 'QU-014', region: 'Quindío', capacityTrees: 40 };
      const { body } = await putWorker(email, { worker, language: 'es', name: 'Ana Ríos' });
      const { key, sequence, data } = await auth.events.next(
        'worker.registered',
        (event) => event.data.email === email,
      );
      expect({ key, sequence }).toEqual({ key: body.id, sequence: 0 });
      expect(data).toEqual({
        workerId: body.id,
        name: 'Ana Ríos',
        email,
        language: 'es',
        active: true,
        ...worker,
      });
    });

    test('who moves is published again, in a defined order', async () => {
      const email = newEmail();
      const code = newCode();
      await putWorker(email, { worker: { code, region: 'Meta' } });
      await putWorker(email, { worker: { code, region: 'Huila' } });
      const moved = await auth.events.next('worker.updated', ({ data }) => data.email === email);
      expect(moved).toMatchObject({ sequence: 1, data: { region: 'Huila', code } });
    });

    test('without changes is not published', async () => {
      const [quiet, marker] = [newEmail(), newEmail()];
      const worker = { code: newCode(), region: 'Meta' };
      await putWorker(quiet, { worker });
      await putWorker(quiet, { worker });
      await putWorker(quiet, { worker, password: 'la palma de cera' });
      const markerCode = newCode();
      await putWorker(marker, { worker: { code: markerCode, region: 'Meta' } });
      await putWorker(marker, { worker: { code: markerCode, region: 'Huila' } });
      await auth.events.next('worker.updated', ({ data }) => data.email === marker);
      expect(auth.events.all('worker.updated').filter(({ data }) => data.email === quiet)).toEqual([]);
    });

    test('cannot have another’s code', async () => {
      const code = newCode();
      await putWorker(newEmail(), { worker: { code, region: 'Meta' } });
      const email = newEmail();
      const refused = await putWorker(email, { worker: { code: code.toLowerCase(), region: 'Meta' } });
      expect(refused.status).toBe(409);
      expect(refused.body.type).toBe('conflict');
      expect((await auth.query('select from auth.accounts where email = $1', [email])).rowCount).toBe(0);
    });
  });

  describe('an operator’s mistake', () => {
    test.each([
      ['role', { role: 'owner' }, 'unknown-value'],
      ['email', { email: 'nobody' }, 'invalid-email'],
      ['name', { name: '' }, 'required'],
      ['password', { password: 'short' }, 'too-short'],
      ['password', { password: 'admin123456' }, 'common-password'],
      ['language', { language: 'fr' }, 'unknown-value'],
      ['emailVerified', { emailVerified: 'yes' }, 'invalid'],
      ['worker', { role: 'worker' }, 'required'],
      ['worker', { role: 'admin', worker: { code: 'X-1', region: 'Meta' } }, 'invalid'],
      ['adminRole', { adminRole: 'root' }, 'unknown-value'],
      ['adminRole', { role: 'customer', adminRole: 'owner' }, 'invalid'],
      ['worker.code', { role: 'worker', worker: { code: '', region: 'Meta' } }, 'required'],
      ['worker.region', { role: 'worker', worker: { code: 'X-1' } }, 'required'],
      [
        'worker.capacityTrees',
        { role: 'worker', worker: { code: 'X-1', region: 'Meta', capacityTrees: -1 } },
        'too-small',
      ],
    ])('in %s is named', async (path, changes, type) => {
      const { status, body } = await auth.putAccount(changes);
      expect(status).toBe(422);
      expect(body.errors).toEqual([expect.objectContaining({ path, type })]);
    });

    test('is not even parsed without a service’s token', async () => {
      const body = { role: 'admin', name: 'Eve', email: newEmail(), password: PASSWORD };
      const tokens = [
        undefined,
        await auth.identity.token({ role: 'admin' }),
        await auth.identity.serviceToken('operator', 'orders'),
      ];
      for (const token of tokens) {
        const answer = await auth.call('PUT /internal/accounts', { body, ...(token && { token }) });
        expect(answer.status).toBe(401);
      }
      // No service creates accounts.
      for (const name of SERVICES) {
        const token = await auth.identity.serviceToken(name, 'auth');
        expect((await auth.call('PUT /internal/accounts', { body, token })).status).toBe(403);
      }
      expect((await auth.query('select from auth.accounts where email = $1', [body.email])).rowCount).toBe(0);
    });
  });

  test('only public keys are published', async () => {
    const { status, body } = await auth.call('GET /internal/jwks');
    expect(status).toBe(200);
    expect(body.keys).toEqual([
      {
        kty: 'OKP',
        crv: 'Ed25519',
        alg: 'EdDSA',
        use: 'sig',
        kid: expect.any(String),
        x: expect.any(String),
      },
    ]);
  });

  test('the service is ready when its database answers', async () => {
    expect((await fetch(`${auth.url}/readyz`)).status).toBe(200);
  });
});

describe('account lookups', () => {
  beforeAll(async () => {
    await auth.query(`
    insert into auth.accounts (id, role, email, name, password_hash, language, email_verified, active, token_version, revision)
    select 'many-' || n, (array['customer', 'worker'])[n % 2 + 1], 'many-' || n || '@example.org', 'Many', 'x', 'es', true,
      true, 0, 0 from generate_series(1, 20000) as n;
    insert into auth.workers (account_id, code, region, capacity_trees)
    select id, 'MANY-' || id, 'Meta', 1 from auth.accounts where id like 'many-%' and role = 'worker';
    analyze auth.accounts; analyze auth.workers;`);
  });

  /** PostgreSQL's plan of a query. */
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
    ['a customer’s login', (db: Pick<Sql, 'query'>) => accountByLogin(db, 'customer', 'many-7@example.org')],
    ['a worker’s login', (db: Pick<Sql, 'query'>) => accountByLogin(db, 'worker', 'many-many-7')],
    ['a session', (db: Pick<Sql, 'query'>) => accounts.get(db, 'many-7')],
    ['a mailed link', (db: Pick<Sql, 'query'>) => linkByHash(db, Buffer.from('x'))],
  ])('%s do not scan all accounts', async (_what, ask) => {
    const plan = await planOf(ask);
    expect(plan).toContain('Index');
    expect(plan).not.toMatch(/Seq Scan on (accounts|workers)/);
  });

  test('workers log in by address or code in any letter case, others by address only', async () => {
    const code = newCode();
    const { email, id } = await auth.someone('worker', { worker: { code, region: 'Meta' } });
    for (const login of [email, email.toUpperCase(), code, code.toLowerCase()]) {
      expect((await auth.logIn('worker', login)).body.user.id).toBe(id);
    }
    for (const login of [code, email]) expect((await auth.logIn('customer', login)).status).toBe(401);
  });
});
