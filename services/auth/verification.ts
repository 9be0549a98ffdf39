import type { NewEvent } from '@arboleda/contracts/events/index.ts';
import { createHash, randomBytes } from 'node:crypto';
import type { Account } from './account.ts';

const LINK_HOURS = 24;

/** A mailed link as it is kept: the token itself is only in the mail. */
export interface VerificationLink {
  tokenHash: Buffer;
  accountId: string;
  /** The address it proves; of no use once the account has another. */
  email: string;
  expiresAt: Date;
  used: boolean;
  /** A newer one was asked for. */
  replaced: boolean;
}

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** 256 random bits, base64url. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** A fresh link for an account's address, and the request to mail it. */
export function requestVerification(
  account: Account,
  token: string,
  now: Date,
): { link: VerificationLink; event: NewEvent } {
  const expiresAt = new Date(now.getTime() + LINK_HOURS * 3_600_000);
  const { id: accountId, role, name, email, language } = account;
  return {
    link: { tokenHash: hashToken(token), accountId, email, expiresAt, used: false, replaced: false },
    event: {
      type: 'email.verification_requested',
      data: { accountId, role, name, email, language, token, expiresAt: expiresAt.toISOString() },
    },
  };
}

/**
 * What a link does for the account that shows it.
 * `already`: the same person opens a used link again (a second click, a reload): they are verified and shall not
 * read an error.
 */
export function judgeLink(
  link: VerificationLink | undefined,
  account: Account,
  now: Date,
): 'verifies' | 'already' | 'invalid' {
  if (!link || link.accountId !== account.id || link.email !== account.email) return 'invalid';
  if (link.used) return account.emailVerified ? 'already' : 'invalid';
  if (link.replaced || link.expiresAt <= now) return 'invalid';
  return 'verifies';
}
