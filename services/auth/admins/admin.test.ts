import { ADMIN_ROLES, mayDo, PERMISSIONS } from '@arboleda/contracts/permissions.ts';
import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { newAccount } from '../accounts/account.ts';
import {
  type AdminStanding,
  changeAdmin,
  requireAnotherOwner,
  requireManager,
  roleChanged,
} from './admin.ts';

const ana = {
  ...newAccount('ana', {
    role: 'admin',
    adminRole: 'support',
    email: 'ana@example.org',
    name: 'Ana',
    language: 'es',
    emailVerified: true,
    passwordHash: 'hash',
  }),
  revision: 3,
  tokenVersion: 2,
};
const AT = new Date('2026-11-27T15:00:00Z');
const problem = (type: string) => expect.objectContaining({ type });

describe('admins are managed', () => {
  test('by an owner with two-factor login', () => {
    expect(() => requireManager({ adminRole: 'owner', hasSecondFactor: true })).not.toThrow();
    expect(() => requireManager({ adminRole: 'owner', hasSecondFactor: false })).toThrow(
      problem('second-factor-needed'),
    );
  });

  test.each(ADMIN_ROLES.filter((role) => role !== 'owner'))('by no %s', (adminRole) => {
    expect(() => requireManager({ adminRole, hasSecondFactor: true })).toThrow(problem('forbidden'));
  });
});

describe('a change of an admin', () => {
  test('without new values changes nothing', () => {
    expect(changeAdmin(ana, {}, 'lucia')).toBe(ana);
    expect(changeAdmin(ana, { name: 'Ana', role: 'support', active: true }, 'lucia')).toBe(ana);
  });

  test('of the name keeps them logged in', () => {
    const changed = changeAdmin(ana, { name: 'Ana Gómez' }, 'lucia');
    expect(changed).toMatchObject({ name: 'Ana Gómez', tokenVersion: 2, revision: 4 });
    expect(roleChanged(ana, changed, undefined, AT)).toEqual([]);
  });

  test.each([
    ['another role', { role: 'finance' }],
    ['the end of the account', { active: false }],
  ] as const)('to %s ends their sessions', (_what, changes) => {
    expect(changeAdmin(ana, changes, 'lucia')).toMatchObject({ tokenVersion: 3, revision: 4 });
  });

  test('of one’s own role or activity is refused, of one’s own name is not', () => {
    expect(() => changeAdmin(ana, { role: 'owner' }, 'ana')).toThrow(problem('own-role'));
    expect(() => changeAdmin(ana, { active: false }, 'ana')).toThrow(problem('own-role'));
    expect(changeAdmin(ana, { name: 'Ana Gómez', role: 'support' }, 'ana').name).toBe('Ana Gómez');
  });

  test('says from which role to which, and by whom', () => {
    const changed = changeAdmin(ana, { role: 'finance' }, 'lucia');
    const [event] = roleChanged(ana, changed, { id: 'lucia', name: 'Lucía' }, AT);
    expect(event!.data).toMatchObject({
      accountId: 'ana',
      from: 'support',
      to: 'finance',
      active: true,
      by: { role: 'admin', id: 'lucia', name: 'Lucía' },
    });
    expect(roleChanged(ana, changed, undefined, AT)[0]!.data).not.toHaveProperty('by');
  });
});

describe('the last owner with two-factor login', () => {
  const other = (changes: Partial<AdminStanding>): AdminStanding => ({
    adminRole: 'owner',
    active: true,
    hasSecondFactor: true,
    ...changes,
  });
  const turnOff = (adminRole: AdminStanding['adminRole'], others: AdminStanding[]) => () =>
    requireAnotherOwner({ adminRole }, others);

  test.each<[string, AdminStanding[]]>([
    ['a colleague who is no owner', [other({ adminRole: 'support' })]],
    ['an owner without two-factor login', [other({ hasSecondFactor: false })]],
    [
      'an owner who is not active beside another admin',
      [other({ active: false }), other({ adminRole: 'auditor' })],
    ],
  ])('keeps it beside %s', (_whom, others) => {
    expect(turnOff('owner', others)).toThrow(problem('last-owner'));
  });

  test.each<[string, AdminStanding[]]>([
    ['alone', []],
    ['beside admins who are not active', [other({ active: false, adminRole: 'support' })]],
    ['beside another one', [other({ adminRole: 'support' }), other({})]],
  ])('may turn it off %s', (_whom, others) => {
    expect(turnOff('owner', others)).not.toThrow();
  });

  test('does not bind admins of other roles', () => {
    expect(turnOff('finance', [other({ hasSecondFactor: false })])).not.toThrow();
  });
});

test('docs/operations.md says what each role may do', () => {
  const page = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
  const table = page.slice(page.indexOf('| permission')).split('\n\n')[0]!;
  const rows = table.split('\n').map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  expect(rows.filter((_row, index) => index !== 1)).toEqual([
    ['permission', ...ADMIN_ROLES],
    ...PERMISSIONS.map((one) => [
      `\`${one}\``,
      ...ADMIN_ROLES.map((role) => (mayDo(role, one) ? 'yes' : '–')),
    ]),
  ]);
});
