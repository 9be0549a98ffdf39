import { expect, test } from '@jest/globals';
import { ADMIN_LISTS } from './lists.ts';

test('what narrows a list is read from the query schema of its endpoint', () => {
  expect(ADMIN_LISTS['GET /api/admin/mails']).toMatchObject({
    pageRows: 50,
    filters: {
      state: { kind: 'choice', choices: ['bounced', 'refused', 'waiting', 'sent', 'pointless'] },
      q: { kind: 'words', maxLength: 254 },
    },
  });
  expect(ADMIN_LISTS['GET /api/admin/photo-packages']).toEqual({
    pageRows: 25,
    filters: { from: { kind: 'instant' }, to: { kind: 'instant' } },
  });
  expect(ADMIN_LISTS['GET /api/admin/orders/manage']?.filters).toMatchObject({
    from: { kind: 'day' },
    flagged: { kind: 'yesOrNo', choices: ['true', 'false'] },
  });
  expect(ADMIN_LISTS['GET /api/admin/statement-rows']?.filters.list).toMatchObject({
    kind: 'choice',
    byDefault: 'sure',
  });
});

test('only lists of admins that come in pages are among them', () => {
  expect(Object.keys(ADMIN_LISTS).every((key) => key.startsWith('GET /api/admin/'))).toBe(true);
  expect(ADMIN_LISTS).not.toHaveProperty(['GET /api/admin/admins']);
});

test('every page says how many rows it has', () => {
  for (const { pageRows } of Object.values(ADMIN_LISTS)) expect(pageRows).toBeGreaterThan(0);
});
