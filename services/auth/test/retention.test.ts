import { runPeriodicJob } from '@arboleda/chassis/testing/periodic.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Harness, openHarness } from './harness.ts';

let auth: Harness;
beforeAll(async () => {
  auth = await openHarness();
});
afterAll(() => auth.close());

describe('retention in auth', () => {
  const DAY_MS = 86_400_000;

  const count = async (table: string) =>
    Number((await auth.query(`select count(*) as n from auth.${table}`)).rows[0].n);

  /** Runs the retention jobs after this many days. */
  async function clearAfter(days: number): Promise<void> {
    auth.setClock(() => new Date(Date.now() + days * DAY_MS));
    await runPeriodicJob(async (...query) => (await auth.query(...query)).rows, 'auth', 'retention');
    auth.setClock(() => new Date());
  }

  test('deletes links, networks and ended sessions after their time; accounts stay', async () => {
    const { email, token } = await auth.someone('customer');
    const links = await count('verification_links');
    await auth.register();
    await auth.call('POST /api/auth/{role}/forgot-password', {
      params: { role: 'customer' },
      body: { email },
    });
    await auth.call('POST /api/auth/me/deletion', { token, body: { currentPassword: 'wrong' } });
    await auth.query(
      `insert into auth.ended_sessions (account_id, token_version, ended_at) values ('gone', 1, now())`,
    );
    await waitFor(async () => (await count('verification_links')) >= links + 2);
    const before: number[] = [];
    for (const table of ['verification_links', 'known_networks', 'ended_sessions'])
      before.push(await count(table));
    expect(before.every((n) => n > 0)).toBe(true);
    const accounts = await count('accounts');

    await clearAfter(89);
    expect([await count('verification_links'), await count('known_networks')]).toEqual(before.slice(0, 2));
    // Tokens live twelve hours.
    expect(await count('ended_sessions')).toBe(0);

    await clearAfter(100);
    expect(await count('verification_links')).toBe(0);
    expect(await count('known_networks')).toBe(0);
    expect(await count('rate_limits')).toBe(0);
    expect(await count('accounts')).toBe(accounts);
  });
});
