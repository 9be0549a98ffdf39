import { testServiceConfig } from '@arboleda/chassis/testing/config.ts';
import { request } from '@arboleda/chassis/testing/request.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { openService, type RunningService } from '@arboleda/chassis/service.ts';
import { authMeEndpoints } from '@arboleda/contracts/endpoints/auth-me.ts';
import type { Role } from '@arboleda/contracts/roles.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Harness, openHarness, PASSWORD } from './harness.ts';

let auth: Harness;
let neighbours: RunningService[];
/** The clock of the neighbors. */
let now = 0;

/** Another service, which verifies tokens and polls auth for ended sessions. */
async function startNeighbour(name: 'orders' | 'media'): Promise<RunningService> {
  const config = testServiceConfig({
    databaseUrl: auth.platform.databaseUrl,
    jwksUrl: `${auth.url}/internal/jwks`,
  });
  const service = await openService(name, config, { platform: auth.platform, now: () => now });
  const key = 'POST /api/auth/me/log-out-everywhere';
  return service.listen({ [key]: authMeEndpoints[key] }, { [key]: async () => ({}) });
}
beforeAll(async () => {
  auth = await openHarness();
  neighbours = [await startNeighbour('orders'), await startNeighbour('media')];
});
afterAll(async () => {
  for (const neighbour of neighbours) await neighbour.close();
  await auth.close();
});

const statuses = (token: string) =>
  Promise.all(
    neighbours.map(
      async ({ url }) => (await request(url, 'POST /api/auth/me/log-out-everywhere', { token })).status,
    ),
  );
const put = (id: string, body: unknown) => async (admin: string) =>
  auth.call('PUT /api/admin/workers/{id}', { token: admin, params: { id }, body });

describe('other services refuse earlier tokens, of admins at once and of others within five seconds', () => {
  type Person = { id: string; email: string; token: string };
  const ends: [string, Role, (person: Person) => Promise<unknown>][] = [
    [
      'logging out everywhere',
      'customer',
      ({ token }) => auth.call('POST /api/auth/me/log-out-everywhere', { token }),
    ],
    [
      'another password',
      'admin',
      ({ token }) =>
        auth.call('PUT /api/auth/me/password', {
          token,
          body: { currentPassword: PASSWORD, newPassword: 'la palma de cera' },
        }),
    ],
    [
      'an operator’s other password',
      'admin',
      ({ email }) => auth.putAccount({ role: 'admin', email, password: 'la palma de cera' }),
    ],
    [
      'another role',
      'admin',
      ({ email }) => auth.putAccount({ email, adminRole: 'support', emailVerified: true }),
    ],
    [
      'being made inactive',
      'worker',
      async ({ id }) => put(id, { active: false })((await auth.someone('admin')).token),
    ],
    [
      'leaving',
      'customer',
      ({ token }) => auth.call('POST /api/auth/me/deletion', { token, body: { currentPassword: PASSWORD } }),
    ],
  ];

  test('whatever ended the session, and only for that account', async () => {
    const bystander = await auth.someone('customer');
    const people = await Promise.all(ends.map(async ([, role]) => auth.someone(role)));
    for (const { token } of [...people, bystander]) expect(await statuses(token)).toEqual([200, 200]);
    for (const [index, [, , end]] of ends.entries()) await end(people[index]!);
    expect(await statuses(people[0]!.token)).toEqual([200, 200]);
    for (const { role, token } of people)
      if (role === 'admin') expect(await statuses(token)).toEqual([401, 401]);
    now += 5_000;
    await waitFor(async () => {
      const seen = await Promise.all(people.map(({ token }) => statuses(token)));
      expect(seen).toEqual(ends.map(() => [401, 401]));
      return true;
    });
    expect(await statuses(bystander.token)).toEqual([200, 200]);
    const again = await auth.logIn('customer', people[0]!.email);
    expect(await statuses(again.body.token)).toEqual([200, 200]);
  }, 20_000);
});

describe('the feed of ended sessions', () => {
  const ask = async (cursor?: string) =>
    (
      await auth.call('GET /internal/ended-sessions', {
        token: await auth.identity.serviceToken('orders', 'auth'),
        ...(cursor !== undefined && { query: { cursor } }),
      })
    ).body as { accounts: { id: string; tokenVersion: number }[]; nextCursor: string; more: boolean };
  const end = async (token: string) => auth.call('POST /api/auth/me/log-out-everywhere', { token });

  test('has the lowest valid version, and none for a deleted account', async () => {
    const [out, gone] = [await auth.someone('customer'), await auth.someone('customer')];
    await end(out.token);
    await auth.call('POST /api/auth/me/deletion', { token: gone.token, body: { currentPassword: PASSWORD } });
    const { accounts } = await ask();
    expect(accounts).toContainEqual({ id: out.id, tokenVersion: 1 });
    expect(accounts.find(({ id }) => id === gone.id)!.tokenVersion).toBeGreaterThan(1_000_000);
  });

  test('repeats only the last seconds after a cursor', async () => {
    const person = await auth.someone('customer');
    await end(person.token);
    await auth.query(`update auth.ended_sessions set ended_at = now() - interval '1 minute'`);
    const first = await ask();
    expect(first.more).toBe(false);
    expect(first.accounts.map(({ id }) => id)).toContain(person.id);
    expect((await ask(first.nextCursor)).accounts).toEqual([]);
    const again = (await auth.logIn('customer', person.email)).body.token;
    await end(again);
    expect((await ask(first.nextCursor)).accounts).toEqual([{ id: person.id, tokenVersion: 2 }]);
  });

  test('comes in pages, with each account once', async () => {
    await auth.query(
      `insert into auth.ended_sessions select 'many-' || n, 1, now() - interval '1 hour' from generate_series(1, 2500) n`,
    );
    const seen: string[] = [];
    let page = await ask();
    for (; page.more; page = await ask(page.nextCursor)) seen.push(...page.accounts.map(({ id }) => id));
    seen.push(...page.accounts.map(({ id }) => id));
    expect(seen.filter((id) => id.startsWith('many-'))).toHaveLength(2500);
    expect(new Set(seen).size).toBe(seen.length);
    await auth.query(`delete from auth.ended_sessions where account_id like 'many-%'`);
  });

  test('omits accounts whose tokens have all expired', async () => {
    const person = await auth.someone('customer');
    await end(person.token);
    await auth.query(
      `update auth.ended_sessions set ended_at = now() - interval '13 hours' where account_id = $1`,
      [person.id],
    );
    expect((await ask()).accounts.map(({ id }) => id)).not.toContain(person.id);
  });

  test('starts from the beginning for an unreadable cursor', async () => {
    const { accounts } = await ask();
    expect((await ask('nonsense')).accounts).toEqual(accounts);
  });

  test('is for services only', async () => {
    const tokens = [
      undefined,
      (await auth.someone('admin')).token,
      await auth.identity.serviceToken('media', 'orders'),
    ];
    for (const token of tokens) {
      expect((await auth.call('GET /internal/ended-sessions', token ? { token } : {})).status).toBe(401);
    }
    const operator = await auth.identity.serviceToken('operator', 'auth');
    expect((await auth.call('GET /internal/ended-sessions', { token: operator })).status).toBe(403);
  });
});
