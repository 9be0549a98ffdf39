import { describe, expect, test } from '@jest/globals';
import { newAccount } from './account.ts';
import { hashToken, judgeVerification, newToken, requestLink, type MailedLink } from './links.ts';

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
