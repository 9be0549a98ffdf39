import type { MailKind } from './facts.ts';

/** Whom a kind of mail is for. A donor's go to the order's address as it is now; the others to where they were meant to. */
export const AUDIENCES = {
  receipt: 'donor',
  'transfer-received': 'donor',
  'transfer-approved': 'donor',
  'transfer-rejected': 'donor',
  refunded: 'donor',
  'refund-failed': 'donor',
  'dispute-lost': 'donor',
  assigned: 'donor',
  planted: 'donor',
  photos: 'donor',
  completed: 'donor',
  'photo-package': 'donor',
  'growth-update': 'donor',
  'worker-assigned': 'worker',
  'worker-unassigned': 'worker',
  'growth-visit-due': 'worker',
  'verify-email': 'account',
  'reset-password': 'account',
  'worker-invited': 'account',
  'confirm-email': 'account',
  'email-changed': 'account',
  'password-changed': 'account',
  'second-factor-changed': 'account',
} as const satisfies Record<MailKind, 'donor' | 'worker' | 'account'>;

type OfAudience<Audience> = {
  [Kind in MailKind]: (typeof AUDIENCES)[Kind] extends Audience ? Kind : never;
}[MailKind];
export type DonorKind = OfAudience<'donor'>;
export type AccountKind = OfAudience<'account'>;

export const MAIL_KINDS = Object.keys(AUDIENCES) as MailKind[];
export const DONOR_KINDS = MAIL_KINDS.filter((kind) => AUDIENCES[kind] === 'donor');
export const ACCOUNT_KINDS = MAIL_KINDS.filter((kind) => AUDIENCES[kind] === 'account');
export const isForDonor = (kind: MailKind): boolean => AUDIENCES[kind] === 'donor';

/** What a donor asks for again: what was paid, and the private link. */
export const RECEIPT_KINDS = [
  'receipt',
  'transfer-received',
  'transfer-approved',
  'transfer-rejected',
] as const satisfies readonly MailKind[];

/** Who is to plant; pointless once the order is withdrawn. */
export const PLANTER_KINDS = ['assigned', 'worker-assigned'] as const satisfies readonly MailKind[];

/** News that one may do without: the order's page shows the same. Everything else says what happened to money, trees or an account. */
const NEWS: ReadonlySet<MailKind> = new Set<MailKind>(['photos', 'growth-update']);
export const isNews = (kind: MailKind): boolean => NEWS.has(kind);
