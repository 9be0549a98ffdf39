import type { NewEvent } from '@arboleda/contracts/events/index.ts';
import { createHash, randomBytes } from 'node:crypto';
import type { Account } from './account.ts';

export type LinkPurpose = 'verify-email' | 'reset-password' | 'invitation' | 'change-email';

const LIFE_HOURS: Record<LinkPurpose, number> = {
  'verify-email': 24,
  'reset-password': 1,
  invitation: 7 * 24,
  'change-email': 24,
};

/** A mailed link as it is kept: the token itself is only in the mail. */
export interface MailedLink {
  tokenHash: Buffer;
  purpose: LinkPurpose;
  accountId: string;
  /** The address it was mailed to, and proves. */
  email: string;
  expiresAt: Date;
  used: boolean;
  /** A newer one was asked for, or what it was for is over. */
  replaced: boolean;
}

/** A token, and what the event says of it: sealed, so that it comes to light in the mail alone. */
export interface LinkToken {
  token: string;
  sealedToken: string;
}

/** A link that is to be kept, and the request to mail it. */
export interface LinkRequest {
  link: MailedLink;
  event: NewEvent;
}

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** 256 random bits, base64url. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** @param to the address it goes to, when that is not the account's */
export function requestLink(
  purpose: LinkPurpose,
  account: Account,
  { token, sealedToken }: LinkToken,
  now: Date,
  to = account.email,
): LinkRequest {
  const expiresAt = new Date(now.getTime() + LIFE_HOURS[purpose] * 3_600_000);
  const { id: accountId, role, name, language } = account;
  const data = {
    accountId,
    role,
    name,
    email: to,
    language,
    sealedToken,
    expiresAt: expiresAt.toISOString(),
  };
  return {
    link: {
      tokenHash: hashToken(token),
      purpose,
      accountId,
      email: to,
      expiresAt,
      used: false,
      replaced: false,
    },
    event: mailRequest(purpose, data, account),
  };
}

/** Makes the request for a new link. @param to the address it goes to, when that is not the account's */
export type NewLink = (purpose: LinkPurpose, account: Account, to?: string) => Promise<LinkRequest>;

/** @param seal so that the token is told to nobody but who opens the mail to this address */
export const openLinks =
  (seal: (token: string, email: string) => Promise<string>, clock: () => Date): NewLink =>
  async (purpose, account, to = account.email) => {
    const token = newToken();
    return requestLink(purpose, account, { token, sealedToken: await seal(token, to) }, clock(), to);
  };

function mailRequest(
  purpose: LinkPurpose,
  data: NewEvent<'email.verification_requested'>['data'],
  account: Account,
): NewEvent {
  switch (purpose) {
    case 'verify-email':
      return { type: 'email.verification_requested', data };
    case 'reset-password':
      return { type: 'password.reset_requested', data };
    case 'change-email':
      return { type: 'email.change_requested', data };
    case 'invitation':
      return { type: 'worker.invited', data: { ...data, code: account.worker?.code ?? '' } };
  }
}

/**
 * What a link does for the account that shows it.
 * `already`: the same person opens a used link again (a second click, a reload): they are verified and shall not
 * read an error.
 */
export function judgeVerification(
  link: MailedLink | undefined,
  account: Account,
  now: Date,
): 'verifies' | 'already' | 'invalid' {
  if (link?.purpose !== 'verify-email' || link.accountId !== account.id || link.email !== account.email) {
    return 'invalid';
  }
  if (link.used) return account.emailVerified ? 'already' : 'invalid';
  return isOpen(link, now) ? 'verifies' : 'invalid';
}

/** Whether a link may set the password of an account. One that was mailed to a former address may not. */
export const setsPassword = (link: MailedLink, account: Account, now: Date): boolean =>
  (link.purpose === 'reset-password' || (link.purpose === 'invitation' && account.invitationPending)) &&
  link.accountId === account.id &&
  link.email === account.email &&
  account.active &&
  isOpen(link, now);

/** Whether a link may give an account the address it was mailed to. */
export const changesEmail = (link: MailedLink | undefined, account: Account, now: Date): link is MailedLink =>
  link?.purpose === 'change-email' && link.accountId === account.id && isOpen(link, now);

const isOpen = (link: MailedLink, now: Date): boolean => !link.used && !link.replaced && link.expiresAt > now;
