import { TEST_MAIL_TOKEN_KEYS, testServiceKeyVariables } from '@arboleda/chassis/testing/config.ts';
import { describe, expect, test } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import {
  type Account,
  type AccountInput,
  bringUpToDate,
  changedEvents,
  isStale,
  newAccount,
  openedEvents,
  requireCurrent,
  withDetails,
  withPassword,
  withSessionsEnded,
} from './account.ts';
import { authConfig } from '../config.ts';
import {
  changesEmail,
  hashToken,
  judgeVerification,
  type LinkPurpose,
  type MailedLink,
  newToken,
  requestLink,
  setsPassword,
} from './links.ts';

describe('account', () => {
  const input = (changes: Partial<AccountInput> = {}): AccountInput => ({
    role: 'customer',
    email: 'lucia@example.org',
    name: 'Lucía Peña',
    language: 'es',
    emailVerified: false,
    passwordHash: 'hash-1',
    ...changes,
  });

  const workerInput = (changes: Partial<AccountInput> = {}) =>
    input({ role: 'worker', worker: { code: 'QU-014', region: 'Quindío', capacityTrees: 100 }, ...changes });

  const account = (changes: Partial<Account> = {}): Account => ({
    ...newAccount('a-1', input()),
    ...changes,
  });

  const person = (changes = {}) => ({
    role: 'customer' as const,
    id: 'a-1',
    name: 'Lucía Peña',
    email: 'lucia@example.org',
    emailVerified: false,
    tokenVersion: 0,
    expiresAt: 1_800_000_000,
    ...changes,
  });

  describe('a session', () => {
    test('is valid for its account', () => {
      expect(requireCurrent(person(), account())).toEqual(account());
    });

    test.each([
      ['the account is gone', undefined],
      ['the account was closed', account({ active: false })],
      ['its sessions were ended', account({ tokenVersion: 1 })],
      ['the account has another role', account({ role: 'admin' })],
    ])('is invalid when %s', (_why, found) => {
      expect(() => requireCurrent(person(), found)).toThrow('unauthenticated');
    });

    test('is renewed only when its claims have changed', () => {
      expect(isStale(person(), account())).toBe(false);
      expect(isStale(person(), account({ emailVerified: true }))).toBe(true);
      expect(isStale(person(), account({ name: 'Lucía' }))).toBe(true);
      expect(isStale(person(), account({ email: 'new@example.org' }))).toBe(true);
      expect(isStale(person(), account({ language: 'en' }))).toBe(false);
    });
  });

  describe('an account that an operator updates', () => {
    test('stays unchanged by the same data', () => {
      const current = newAccount('w-1', workerInput());
      expect(bringUpToDate(current, workerInput())).toBeUndefined();
    });

    test('has its sessions ended by a new password only', () => {
      expect(bringUpToDate(account(), input({ passwordHash: 'hash-2' }))).toMatchObject({
        passwordHash: 'hash-2',
        tokenVersion: 1,
        revision: 1,
      });
      expect(bringUpToDate(account(), input({ name: 'Lucía' }))).toMatchObject({
        tokenVersion: 0,
        revision: 1,
      });
    });

    test('stays verified', () => {
      expect(bringUpToDate(account({ emailVerified: true }), input({ name: 'L' }))!.emailVerified).toBe(true);
      expect(bringUpToDate(account(), input({ emailVerified: true }))!.emailVerified).toBe(true);
    });
  });

  describe('other services receive', () => {
    test('a customer’s name, address and language', () => {
      expect(openedEvents(account())).toEqual([
        {
          type: 'customer.registered',
          data: { accountId: 'a-1', name: 'Lucía Peña', email: 'lucia@example.org', language: 'es' },
        },
      ]);
    });

    test('a worker’s region and capacity, under the account’s id', () => {
      const worker = newAccount('w-1', workerInput());
      expect(openedEvents(worker)).toEqual([
        {
          type: 'worker.registered',
          data: {
            workerId: 'w-1',
            code: 'QU-014',
            name: 'Lucía Peña',
            email: 'lucia@example.org',
            region: 'Quindío',
            language: 'es',
            active: true,
            capacityTrees: 100,
          },
        },
      ]);
    });

    test('a worker as available once the invitation is accepted', () => {
      const pending = { ...newAccount('w-1', workerInput()), invitationPending: true };
      expect(openedEvents(pending)).toMatchObject([{ type: 'worker.registered', data: { active: false } }]);
      expect(changedEvents(pending, withPassword(pending, 'hash-2'))).toMatchObject([
        { type: 'worker.updated', data: { active: true } },
      ]);
    });

    test('no admins', () => {
      expect(openedEvents(newAccount('a-2', input({ role: 'admin' })))).toEqual([]);
    });

    test('a worker’s new region, but no password changes', () => {
      const before = newAccount('w-1', workerInput());
      const moved = bringUpToDate(
        before,
        workerInput({ worker: { code: 'QU-014', region: 'Meta', capacityTrees: 100 } }),
      )!;
      expect(changedEvents(before, moved)).toMatchObject([
        { type: 'worker.updated', data: { region: 'Meta' } },
      ]);
      const rekeyed = bringUpToDate(before, workerInput({ passwordHash: 'hash-2' }))!;
      expect(changedEvents(before, rekeyed)).toEqual([]);
    });
  });

  describe('a change of one’s own account', () => {
    test('of the password ends all sessions, and accepts an invitation', () => {
      expect(withPassword(account({ invitationPending: true }), 'hash-2')).toMatchObject({
        passwordHash: 'hash-2',
        tokenVersion: 1,
        revision: 1,
        invitationPending: false,
      });
    });

    test('without new values changes nothing; of name or language ends no session', () => {
      const current = account();
      expect(withDetails(current, {})).toBe(current);
      expect(withDetails(current, { name: current.name, language: current.language })).toBe(current);
      expect(withDetails(current, { name: 'Ana' })).toMatchObject({
        name: 'Ana',
        tokenVersion: 0,
        revision: 1,
      });
      expect(withDetails(current, { language: 'en' })).toMatchObject({ language: 'en', revision: 1 });
    });

    test('ends sessions by raising their version', () => {
      expect(withSessionsEnded(account({ tokenVersion: 4 }))).toMatchObject({ tokenVersion: 5, revision: 1 });
    });
  });

  test('by an operator’s password accepts a worker’s invitation, by another name does not', () => {
    const pending = { ...newAccount('w-1', workerInput()), invitationPending: true };
    expect(bringUpToDate(pending, workerInput({ passwordHash: 'hash-2' }))!.invitationPending).toBe(false);
    expect(bringUpToDate(pending, workerInput({ name: 'Other' }))!.invitationPending).toBe(true);
  });
});

const env = {
  ...testServiceKeyVariables('auth'),
  AUTH_SECOND_FACTOR_KEY: 'uV9-kq2LmZt7_RwXc4yBh8NdPf3GsJ6a',
  DATABASE_URL: 'postgres://localhost/arboleda',
  AUTH_URL: 'http://localhost:4001',
  MAIL_TOKEN_PUBLIC_KEY: TEST_MAIL_TOKEN_KEYS.MAIL_TOKEN_PUBLIC_KEY,
};

describe('the cost of password hashes', () => {
  test('is OWASP’s by default', () => {
    expect(authConfig(env).passwordCost).toEqual({ memoryKib: 19_456, passes: 2 });
  });

  test('may be lower outside production', () => {
    const cheap = { ...env, AUTH_PASSWORD_MEMORY_KIB: '64', AUTH_PASSWORD_PASSES: '1' };
    expect(authConfig(cheap).passwordCost).toEqual({ memoryKib: 64, passes: 1 });
  });

  test('may be higher, but not lower, in production', () => {
    const production = { ...env, NODE_ENV: 'production' };
    expect(() => authConfig({ ...production, AUTH_PASSWORD_MEMORY_KIB: '19455' })).toThrow(
      'AUTH_PASSWORD_MEMORY_KIB: must be at least 19456 in production',
    );
    expect(() => authConfig({ ...production, AUTH_PASSWORD_PASSES: '1' })).toThrow('AUTH_PASSWORD_PASSES');
    expect(authConfig({ ...production, AUTH_PASSWORD_MEMORY_KIB: '65536' }).passwordCost.memoryKib).toBe(
      65536,
    );
  });
});

test('demo accounts are refused on public installations', () => {
  expect(authConfig(env).refusesDemoAccounts).toBe(false);
  expect(authConfig({ ...env, NODE_ENV: 'production' }).refusesDemoAccounts).toBe(false);
  expect(authConfig({ ...env, SITE_URL: 'https://trees.example' }).refusesDemoAccounts).toBe(true);
});

describe('the signing key', () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();

  test.each([
    ['PEM', pem],
    ['PEM on one line', pem.replaceAll('\n', '\\n')],
    ['JWK', JSON.stringify(privateKey.export({ format: 'jwk' }))],
  ])('is read from %s', (_format, text) => {
    const key = authConfig({ ...env, AUTH_SIGNING_KEY: text }).signingKey!;
    expect(key.equals(privateKey)).toBe(true);
  });

  test('is optional', () => {
    expect(authConfig({ ...env, AUTH_SIGNING_KEY: '' }).signingKey).toBeUndefined();
  });

  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  test.each([
    ['nonsense', 'nonsense'],
    ['broken JSON', '{'],
    ['a key of another kind', rsa.export({ format: 'pem', type: 'pkcs8' }).toString()],
  ])('stops the start, by its name, when it is %s', (_what, text) => {
    expect(() => authConfig({ ...env, AUTH_SIGNING_KEY: text })).toThrow(/^AUTH_SIGNING_KEY: /);
  });
});

describe('the public key for tokens in emails', () => {
  const { MAIL_TOKEN_PUBLIC_KEY, MAIL_TOKEN_PRIVATE_KEY } = TEST_MAIL_TOKEN_KEYS;

  test('is the public half of an X25519 pair', () => {
    expect(authConfig(env).mailTokenKey).toMatchObject({ type: 'public', asymmetricKeyType: 'x25519' });
  });

  test.each([
    ['absent', undefined],
    ['nonsense', 'nonsense'],
    ['the private half', MAIL_TOKEN_PRIVATE_KEY],
    ['cut off', MAIL_TOKEN_PUBLIC_KEY.slice(0, -8)],
  ])('stops the start by name, without its value, when it is %s', (_what, text) => {
    const start = () => authConfig({ ...env, MAIL_TOKEN_PUBLIC_KEY: text });
    expect(start).toThrow(/^MAIL_TOKEN_PUBLIC_KEY: must be /);
    if (text !== undefined) expect(start).not.toThrow(text);
  });
});

describe('the key of second factors', () => {
  const key = 'Qp4_vN8sXz1-LbT6yGc9RmJ2wKd7HfE3';

  test('has its own variable', () => {
    for (const NODE_ENV of [undefined, 'production']) {
      const configured = { ...env, NODE_ENV, AUTH_SECOND_FACTOR_KEY: key };
      expect(authConfig(configured).secondFactorKey).toBe(key);
    }
  });

  test('stops the start, by its name, when it is missing', () => {
    for (const missing of [undefined, ''])
      expect(() => authConfig({ ...env, AUTH_SECOND_FACTOR_KEY: missing })).toThrow(
        'AUTH_SECOND_FACTOR_KEY: must be set',
      );
  });

  test('stops the start, by its name, when it is too short', () => {
    expect(() => authConfig({ ...env, AUTH_SECOND_FACTOR_KEY: 'short' })).toThrow(
      /^AUTH_SECOND_FACTOR_KEY: /,
    );
  });
});

describe('links', () => {
  const NOW = new Date('2026-11-21T15:00:00Z');

  const TOKEN = { token: 'token', sealedToken: 'sealed' };

  const account = newAccount('a-1', {
    role: 'customer',
    email: 'lucia@example.org',
    name: 'Lucía',
    language: 'es',
    emailVerified: false,
    passwordHash: 'hash',
  });

  const verified = { ...account, emailVerified: true };

  const link = (changes: Partial<MailedLink> = {}): MailedLink => ({
    ...requestLink('verify-email', account, TOKEN, NOW).link,
    ...changes,
  });

  describe('a request to verify an address', () => {
    test('emails the sealed token and stores only its hash, for 24 hours', () => {
      const request = requestLink(
        'verify-email',
        account,
        { token: 'secret-token', sealedToken: 'sealed' },
        NOW,
      );
      expect(request.event).toEqual({
        type: 'email.verification_requested',
        data: {
          accountId: 'a-1',
          role: 'customer',
          name: 'Lucía',
          email: 'lucia@example.org',
          language: 'es',
          sealedToken: 'sealed',
          expiresAt: '2026-11-22T15:00:00.000Z',
        },
      });
      expect(request.link.tokenHash).toEqual(hashToken('secret-token'));
      expect(JSON.stringify(request)).not.toContain('secret-token');
    });

    test('has a token of 256 random bits', () => {
      const tokens = new Set(Array.from({ length: 100 }, newToken));
      expect(tokens.size).toBe(100);
      for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    });
  });

  describe('an emailed link', () => {
    test('verifies the account it was sent to', () => {
      expect(judgeVerification(link(), account, NOW)).toBe('verifies');
    });

    test('succeeds again when the same person opens it twice', () => {
      expect(judgeVerification(link({ used: true }), verified, NOW)).toBe('already');
    });

    test.each([
      ['nobody made it', undefined, account],
      ['it is another account’s', link({ accountId: 'a-2' }), account],
      ['it is another account’s and was used', link({ accountId: 'a-2', used: true }), verified],
      ['the account has another address now', link({ email: 'old@example.org' }), account],
      ['a newer one was asked for', link({ replaced: true }), account],
      ['a day has passed', link({ expiresAt: NOW }), account],
      ['it was used, and the account is not verified', link({ used: true }), account],
    ])('is invalid when %s', (_why, found, shownBy) => {
      expect(judgeVerification(found, shownBy, NOW)).toBe('invalid');
    });
  });

  describe('links of other purposes', () => {
    const link = (purpose: LinkPurpose, changes: Partial<MailedLink> = {}, to?: string): MailedLink => ({
      ...requestLink(purpose, account, TOKEN, NOW, to).link,
      ...changes,
    });

    test.each([
      ['verify-email', 24, 'email.verification_requested'],
      ['reset-password', 1, 'password.reset_requested'],
      ['invitation', 168, 'worker.invited'],
      ['change-email', 24, 'email.change_requested'],
    ] as const)('%s lives %i hours and is asked for by %s', (purpose, hours, type) => {
      const request = requestLink(purpose, account, TOKEN, NOW);
      expect(request.event.type).toBe(type);
      expect(request.link.expiresAt.getTime() - NOW.getTime()).toBe(hours * 3_600_000);
    });

    test('an invitation of an admin names their role', () => {
      const admin = { ...account, role: 'admin', adminRole: 'finance' } as const;
      const { type, data } = requestLink('invitation', admin, TOKEN, NOW).event;
      expect([type, data]).toMatchObject(['admin.invited', { adminRole: 'finance' }]);
    });

    test('a change of address is emailed to the new one, and proves it', () => {
      const request = requestLink('change-email', account, TOKEN, NOW, 'new@example.org');
      expect([request.link.email, request.event.data]).toEqual([
        'new@example.org',
        expect.objectContaining({ email: 'new@example.org', accountId: 'a-1' }),
      ]);
    });

    const invited = { ...account, invitationPending: true };
    test.each([
      ['a reset link', link('reset-password'), account, true],
      ['an invitation', link('invitation'), invited, true],
      ['an invitation that was accepted', link('invitation'), account, false],
      ['a verification link', link('verify-email'), account, false],
      ['a link of another address', link('change-email', {}, 'new@example.org'), account, false],
      ['a used one', link('reset-password', { used: true }), account, false],
      ['a replaced one', link('reset-password', { replaced: true }), account, false],
      ['one that is too late', link('reset-password', { expiresAt: NOW }), account, false],
      ['another account’s', link('reset-password', { accountId: 'a-2' }), account, false],
      [
        'one mailed to a former address',
        link('reset-password', { email: 'old@example.org' }),
        account,
        false,
      ],
      ['one of a closed account', link('reset-password'), { ...account, active: false }, false],
    ])('%s sets the password: %#', (_what, shown, owner, sets) => {
      expect(setsPassword(shown, owner, NOW)).toBe(sets);
    });

    test.each([
      ['the link for it', link('change-email', {}, 'new@example.org'), true],
      ['no link', undefined, false],
      ['a reset link', link('reset-password'), false],
      ['a used one', link('change-email', { used: true }), false],
      ['a replaced one', link('change-email', { replaced: true }), false],
      ['one that is too late', link('change-email', { expiresAt: NOW }), false],
      ['another account’s', link('change-email', { accountId: 'a-2' }), false],
    ])('%s changes the address: %#', (_what, shown, changes) => {
      expect(changesEmail(shown, account, NOW)).toBe(changes);
    });
  });
});
