import { describe, expect, test } from '@jest/globals';
import { type Endpoint, methodOf, rolesOf } from './endpoint.ts';
import { ENDPOINTS } from './endpoints/index.ts';
import { ADMIN_ROLES, mayDo, type Permission, PERMISSIONS, ROLE_PERMISSIONS } from './permissions.ts';

const DECLARED = Object.entries(ENDPOINTS) as [string, Endpoint][];
const FOR_ADMINS = DECLARED.filter(([, { access }]) => rolesOf(access).includes('admin'));

describe('every call for admins', () => {
  test.each(FOR_ADMINS)('%s names the permission that it needs', (_key, { permission }) => {
    expect(PERMISSIONS).toContain(permission);
  });

  test.each(FOR_ADMINS.filter(([, { permission }]) => permission !== 'own-account'))(
    '%s reads with a permission to read, and changes with one to change',
    (key, { permission }) => {
      const verb = permission!.split(':')[1]!;
      expect(verb === 'read' || verb === 'export').toBe(methodOf(key) === 'GET');
    },
  );
});

test('no call that is closed to admins names a permission or asks for a second factor', () => {
  const others = DECLARED.filter(([, { access }]) => !rolesOf(access).includes('admin'));
  expect(others.filter(([, { permission, stepUp }]) => permission || stepUp)).toEqual([]);
});

test('refunds, exports, changes of admins and approvals of statements ask for the second factor again', () => {
  const always: readonly Permission[] = ['refunds:write', 'orders:export', 'admins:write'];
  const asking = FOR_ADMINS.filter(([, { stepUp }]) => stepUp).map(([key]) => key);
  expect(asking).toEqual(
    expect.arrayContaining(
      FOR_ADMINS.filter(
        ([key, { permission }]) => always.includes(permission!) || key.endsWith('/export'),
      ).map(([key]) => key),
    ),
  );
  expect(asking).toEqual(
    expect.arrayContaining(
      ['approve', 'link', 'split'].map((step) => `POST /api/admin/statement-rows/${step}`),
    ),
  );
});

describe('the roles of admins', () => {
  test('owners may do everything', () => {
    expect(ROLE_PERMISSIONS.owner).toEqual(PERMISSIONS);
  });

  test('auditors change nothing but their own account', () => {
    expect(ROLE_PERMISSIONS.auditor.filter((one) => !one.endsWith(':read'))).toEqual(['own-account']);
    expect(ROLE_PERMISSIONS.auditor).toEqual(
      expect.arrayContaining(PERMISSIONS.filter((one) => one.endsWith(':read'))),
    );
  });

  test.each([
    ['refunds:write', ['owner', 'finance']],
    ['transfers:decide', ['owner', 'finance']],
    ['statements:write', ['owner', 'finance']],
    ['orders:export', ['owner', 'finance']],
    ['orders:write', ['owner', 'coordinator']],
    ['workers:write', ['owner', 'coordinator']],
    ['assignments:write', ['owner', 'coordinator']],
    ['photos:moderate', ['owner', 'coordinator']],
    ['emails:resend', ['owner', 'coordinator', 'support']],
    ['payments:read', ['owner', 'finance', 'auditor']],
    ['audit-log:read', ['owner', 'auditor']],
    ['admins:write', ['owner']],
  ] as const)('%s is for %j', (permission, roles) => {
    expect(ADMIN_ROLES.filter((role) => mayDo(role, permission))).toEqual(roles);
  });

  test('nobody may do what nobody declared', () => {
    expect(mayDo(undefined, 'own-account')).toBe(false);
    expect(mayDo('owner', undefined)).toBe(false);
    expect(mayDo('root' as never, 'own-account')).toBe(false);
    expect(mayDo('support', 'orders:delete' as never)).toBe(false);
  });
});
