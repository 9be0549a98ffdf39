import { describe, expect, test } from '@jest/globals';
import {
  type Account,
  type AccountWish,
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

const wish = (changes: Partial<AccountWish> = {}): AccountWish => ({
  role: 'customer',
  email: 'lucia@example.org',
  name: 'Lucía Peña',
  language: 'es',
  emailVerified: false,
  passwordHash: 'hash-1',
  ...changes,
});
const workerWish = (changes: Partial<AccountWish> = {}) =>
  wish({ role: 'worker', worker: { code: 'QU-014', region: 'Quindío', capacityTrees: 100 }, ...changes });
const account = (changes: Partial<Account> = {}): Account => ({ ...newAccount('a-1', wish()), ...changes });
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
  test('holds for the account it was opened by', () => {
    expect(requireCurrent(person(), account())).toEqual(account());
  });

  test.each([
    ['the account is gone', undefined],
    ['the account was closed', account({ active: false })],
    ['its sessions were ended', account({ tokenVersion: 1 })],
    ['the account has another role', account({ role: 'admin' })],
  ])('is over when %s', (_why, found) => {
    expect(() => requireCurrent(person(), found)).toThrow('unauthenticated');
  });

  test('is renewed when what it says has changed, and only then', () => {
    expect(isStale(person(), account())).toBe(false);
    expect(isStale(person(), account({ emailVerified: true }))).toBe(true);
    expect(isStale(person(), account({ name: 'Lucía' }))).toBe(true);
    expect(isStale(person(), account({ email: 'new@example.org' }))).toBe(true);
    expect(isStale(person(), account({ language: 'en' }))).toBe(false);
  });
});

describe('an account that an operator brings up to date', () => {
  test('is not changed by being told the same again', () => {
    const current = newAccount('w-1', workerWish());
    expect(bringUpToDate(current, workerWish())).toBeUndefined();
  });

  test('has its sessions ended by a new password, and by nothing else', () => {
    expect(bringUpToDate(account(), wish({ passwordHash: 'hash-2' }))).toMatchObject({
      passwordHash: 'hash-2',
      tokenVersion: 1,
      revision: 1,
    });
    expect(bringUpToDate(account(), wish({ name: 'Lucía' }))).toMatchObject({ tokenVersion: 0, revision: 1 });
  });

  test('stays verified', () => {
    expect(bringUpToDate(account({ emailVerified: true }), wish({ name: 'L' }))!.emailVerified).toBe(true);
    expect(bringUpToDate(account(), wish({ emailVerified: true }))!.emailVerified).toBe(true);
  });
});

describe('others hear of', () => {
  test('a customer by name, address and language', () => {
    expect(openedEvents(account())).toEqual([
      {
        type: 'customer.registered',
        data: { accountId: 'a-1', name: 'Lucía Peña', email: 'lucia@example.org', language: 'es' },
      },
    ]);
  });

  test('a worker with region and capacity, under the account’s id', () => {
    const worker = newAccount('w-1', workerWish());
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

  test('a worker as one to count on, once the invitation is accepted', () => {
    const pending = { ...newAccount('w-1', workerWish()), invitationPending: true };
    expect(openedEvents(pending)).toMatchObject([{ type: 'worker.registered', data: { active: false } }]);
    expect(changedEvents(pending, withPassword(pending, 'hash-2'))).toMatchObject([
      { type: 'worker.updated', data: { active: true } },
    ]);
  });

  test('no admin', () => {
    expect(openedEvents(newAccount('a-2', wish({ role: 'admin' })))).toEqual([]);
  });

  test('a worker’s new region, but not of a new password', () => {
    const before = newAccount('w-1', workerWish());
    const moved = bringUpToDate(
      before,
      workerWish({ worker: { code: 'QU-014', region: 'Meta', capacityTrees: 100 } }),
    )!;
    expect(changedEvents(before, moved)).toMatchObject([
      { type: 'worker.updated', data: { region: 'Meta' } },
    ]);
    const rekeyed = bringUpToDate(before, workerWish({ passwordHash: 'hash-2' }))!;
    expect(changedEvents(before, rekeyed)).toEqual([]);
  });
});

describe('a change that people make themselves', () => {
  test('of the password ends all sessions, and accepts an invitation', () => {
    expect(withPassword(account({ invitationPending: true }), 'hash-2')).toMatchObject({
      passwordHash: 'hash-2',
      tokenVersion: 1,
      revision: 1,
      invitationPending: false,
    });
  });

  test('of nothing is none; of name or language ends no session', () => {
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

  test('ends sessions by their version', () => {
    expect(withSessionsEnded(account({ tokenVersion: 4 }))).toMatchObject({ tokenVersion: 5, revision: 1 });
  });
});

test('an operator’s password accepts the invitation of a worker, another name does not', () => {
  const pending = { ...newAccount('w-1', workerWish()), invitationPending: true };
  expect(bringUpToDate(pending, workerWish({ passwordHash: 'hash-2' }))!.invitationPending).toBe(false);
  expect(bringUpToDate(pending, workerWish({ name: 'Other' }))!.invitationPending).toBe(true);
});
