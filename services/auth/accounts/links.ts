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

/** An emailed link as stored; the token itself is only in the email. */
export interface MailedLink {
  tokenHash: Buffer;
  purpose: LinkPurpose;
  accountId: string;
  /** The address it was sent to, and proves. */
  email: string;
  expiresAt: Date;
  used: boolean;
  /** Superseded or cancelled. */
  replaced: boolean;
}

/** A token and its sealed form for events; only notifications can open it. */
export interface LinkToken {
  token: string;
  sealedToken: string;
}

/** A link to store, and the event that requests its email. */
export interface LinkRequest {
  link: MailedLink;
  event: NewEvent;
}

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** 256 random bits, base64url. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** @param to the recipient, when it is not the account's address */
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

/** Creates a link. @param to the recipient, when it is not the account's address */
export type NewLink = (purpose: LinkPurpose, account: Account, to?: string) => Promise<LinkRequest>;

/** @param seal encrypts a token for notifications */
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
      return account.adminRole
        ? { type: 'admin.invited', data: { ...data, adminRole: account.adminRole } }
        : { type: 'worker.invited', data: { ...data, code: account.worker?.code ?? '' } };
  }
}

/**
 * The effect of a link on the account that opens it.
 * `already`: the same person opens a used link again (a second click, a reload), which is no error.
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

/** Whether a link may set the password of an account. A link sent to a former address may not. */
export const setsPassword = (link: MailedLink, account: Account, now: Date): boolean =>
  (link.purpose === 'reset-password' || (link.purpose === 'invitation' && account.invitationPending)) &&
  link.accountId === account.id &&
  link.email === account.email &&
  account.active &&
  isOpen(link, now);

/** Whether a link may change an account's address to the one it was sent to. */
export const changesEmail = (link: MailedLink | undefined, account: Account, now: Date): link is MailedLink =>
  link?.purpose === 'change-email' && link.accountId === account.id && isOpen(link, now);

const isOpen = (link: MailedLink, now: Date): boolean => !link.used && !link.replaced && link.expiresAt > now;
