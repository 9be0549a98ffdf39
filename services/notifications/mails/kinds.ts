import type { MailKind } from './facts.ts';

/**
 * Audience of each kind of email. Emails to donors go to the order's current address, those to the office to the
 * organisation's, others to the given recipient. Emails about the trees also go to the recipient of a gift: see `isForGiftRecipient`.
 */
const AUDIENCES = {
  receipt: 'donor',
  'transfer-received': 'donor',
  'transfer-approved': 'donor',
  'transfer-rejected': 'donor',
  refunded: 'donor',
  'refund-failed': 'donor',
  'dispute-lost': 'donor',
  'withdrawal-requested': 'donor',
  'withdrawal-retracted': 'donor',
  assigned: 'donor',
  planted: 'donor',
  photos: 'donor',
  completed: 'donor',
  'photo-package': 'donor',
  'growth-update': 'donor',
  certificate: 'donor',
  'certificate-revoked': 'donor',
  gift: 'recipient',
  'gift-sent': 'donor',
  'gift-bounced': 'donor',
  'gift-refused': 'donor',
  'gift-claimed': 'donor',
  'gift-thanks': 'donor',
  'return-suspected': 'office',
  'worker-assigned': 'worker',
  'worker-unassigned': 'worker',
  'growth-visit-due': 'worker',
  'verify-email': 'account',
  'reset-password': 'account',
  'worker-invited': 'account',
  'admin-invited': 'account',
  'admin-role-changed': 'account',
  'confirm-email': 'account',
  'email-changed': 'account',
  'password-changed': 'account',
  'second-factor-changed': 'account',
} as const satisfies Record<MailKind, 'donor' | 'recipient' | 'office' | 'worker' | 'account'>;

type OfAudience<Audience> = {
  [Kind in MailKind]: (typeof AUDIENCES)[Kind] extends Audience ? Kind : never;
}[MailKind];
export type DonorKind = OfAudience<'donor'>;
export type AccountKind = OfAudience<'account'>;

export const MAIL_KINDS = Object.keys(AUDIENCES) as MailKind[];
export const DONOR_KINDS = MAIL_KINDS.filter((kind) => AUDIENCES[kind] === 'donor');
export const ACCOUNT_KINDS = MAIL_KINDS.filter((kind) => AUDIENCES[kind] === 'account');
export const isForDonor = (kind: MailKind): boolean => AUDIENCES[kind] === 'donor';

/** Kinds that a donor can request again: receipt and private link. */
export const RECEIPT_KINDS = [
  'receipt',
  'transfer-received',
  'transfer-approved',
  'transfer-rejected',
] as const satisfies readonly MailKind[];

/** Receipts of an order that is paid; they name the worker when one was chosen within seconds. */
export const RECEIPTS_OF_PAID = ['receipt', 'transfer-approved'] as const satisfies readonly MailKind[];

/** Announce who will plant; dropped once nobody is to plant. */
export const PLANTER_KINDS = ['assigned', 'worker-assigned'] as const satisfies readonly MailKind[];

/**
 * Kinds that can be unsubscribed, as the order's page shows the same. All others concern money, trees or an
 * account.
 */
const NEWS: ReadonlySet<MailKind> = new Set<MailKind>(['photos', 'growth-update']);
export const isNews = (kind: MailKind): boolean => NEWS.has(kind);
