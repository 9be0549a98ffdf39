import { describe, expect, test } from '@jest/globals';
import { newAccount } from './account.ts';
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

const NOW = new Date('2026-11-21T15:00:00Z');
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
  ...requestLink('verify-email', account, 'token', NOW).link,
  ...changes,
});

describe('a request to verify an address', () => {
  test('mails the token and keeps only its hash, for 24 hours', () => {
    const request = requestLink('verify-email', account, 'secret-token', NOW);
    expect(request.event).toEqual({
      type: 'email.verification_requested',
      data: {
        accountId: 'a-1',
        role: 'customer',
        name: 'Lucía',
        email: 'lucia@example.org',
        language: 'es',
        token: 'secret-token',
        expiresAt: '2026-11-22T15:00:00.000Z',
      },
    });
    expect(request.link.tokenHash).toEqual(hashToken('secret-token'));
    expect(JSON.stringify(request.link)).not.toContain('secret-token');
  });

  test('has a token of 256 random bits', () => {
    const tokens = new Set(Array.from({ length: 100 }, newToken));
    expect(tokens.size).toBe(100);
    for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  });
});

describe('a mailed link', () => {
  test('verifies the account it was mailed for', () => {
    expect(judgeVerification(link(), account, NOW)).toBe('verifies');
  });

  test('says yes again when the same person opens it twice', () => {
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
  ])('is of no use when %s', (_why, found, shownBy) => {
    expect(judgeVerification(found, shownBy, NOW)).toBe('invalid');
  });
});

describe('links of other purposes', () => {
  const link = (purpose: LinkPurpose, changes: Partial<MailedLink> = {}, to?: string): MailedLink => ({
    ...requestLink(purpose, account, 'token', NOW, to).link,
    ...changes,
  });

  test.each([
    ['verify-email', 24, 'email.verification_requested'],
    ['reset-password', 1, 'password.reset_requested'],
    ['invitation', 168, 'worker.invited'],
    ['change-email', 24, 'email.change_requested'],
  ] as const)('%s lives %i hours and is asked for by %s', (purpose, hours, type) => {
    const request = requestLink(purpose, account, 'token', NOW);
    expect(request.event.type).toBe(type);
    expect(request.link.expiresAt.getTime() - NOW.getTime()).toBe(hours * 3_600_000);
  });

  test('a change of address is mailed to the new one, and proves that', () => {
    const request = requestLink('change-email', account, 'token', NOW, 'new@example.org');
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
    ['one mailed to a former address', link('reset-password', { email: 'old@example.org' }), account, false],
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
