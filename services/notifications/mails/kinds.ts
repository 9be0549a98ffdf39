import { adminInvited } from './kinds/admin-invited.ts';
import { adminRoleChanged } from './kinds/admin-role-changed.ts';
import { assigned } from './kinds/assigned.ts';
import { certificate } from './kinds/certificate.ts';
import { certificateRevoked } from './kinds/certificate-revoked.ts';
import { completed } from './kinds/completed.ts';
import { confirmEmail } from './kinds/confirm-email.ts';
import { disputeLost } from './kinds/dispute-lost.ts';
import { emailChanged } from './kinds/email-changed.ts';
import { gift } from './kinds/gift.ts';
import { giftBounced } from './kinds/gift-bounced.ts';
import { giftClaimed } from './kinds/gift-claimed.ts';
import { giftRefused } from './kinds/gift-refused.ts';
import { giftSent } from './kinds/gift-sent.ts';
import { giftThanks } from './kinds/gift-thanks.ts';
import { growthUpdate } from './kinds/growth-update.ts';
import { growthVisitDue } from './kinds/growth-visit-due.ts';
import { passwordChanged } from './kinds/password-changed.ts';
import { photoPackage } from './kinds/photo-package.ts';
import { photos } from './kinds/photos.ts';
import { planted } from './kinds/planted.ts';
import { receipt } from './kinds/receipt.ts';
import { refundFailed } from './kinds/refund-failed.ts';
import { refunded } from './kinds/refunded.ts';
import { resetPassword } from './kinds/reset-password.ts';
import { returnSuspected } from './kinds/return-suspected.ts';
import { secondFactorChanged } from './kinds/second-factor-changed.ts';
import { transferApproved } from './kinds/transfer-approved.ts';
import { transferReceived } from './kinds/transfer-received.ts';
import { transferRejected } from './kinds/transfer-rejected.ts';
import { verifyEmail } from './kinds/verify-email.ts';
import { withdrawalRequested } from './kinds/withdrawal-requested.ts';
import { withdrawalRetracted } from './kinds/withdrawal-retracted.ts';
import { workerAssigned } from './kinds/worker-assigned.ts';
import { workerInvited } from './kinds/worker-invited.ts';
import { workerUnassigned } from './kinds/worker-unassigned.ts';
import type { Audience, Mail } from './mail.ts';

/** Every kind of email. */
export const MAILS = {
  receipt,
  'transfer-received': transferReceived,
  'transfer-approved': transferApproved,
  'transfer-rejected': transferRejected,
  refunded,
  'refund-failed': refundFailed,
  'dispute-lost': disputeLost,
  'withdrawal-requested': withdrawalRequested,
  'withdrawal-retracted': withdrawalRetracted,
  assigned,
  planted,
  photos,
  completed,
  'photo-package': photoPackage,
  'growth-update': growthUpdate,
  certificate,
  'certificate-revoked': certificateRevoked,
  gift,
  'gift-sent': giftSent,
  'gift-bounced': giftBounced,
  'gift-refused': giftRefused,
  'gift-claimed': giftClaimed,
  'gift-thanks': giftThanks,
  'return-suspected': returnSuspected,
  'worker-assigned': workerAssigned,
  'worker-unassigned': workerUnassigned,
  'growth-visit-due': growthVisitDue,
  'verify-email': verifyEmail,
  'reset-password': resetPassword,
  'worker-invited': workerInvited,
  'admin-invited': adminInvited,
  'admin-role-changed': adminRoleChanged,
  'confirm-email': confirmEmail,
  'email-changed': emailChanged,
  'password-changed': passwordChanged,
  'second-factor-changed': secondFactorChanged,
};

export type MailKind = keyof typeof MAILS;
export type MailFacts = { [Kind in MailKind]: (typeof MAILS)[Kind]['sample'] };

type OfAudience<To extends Audience> = {
  [Kind in MailKind]: (typeof MAILS)[Kind]['audience'] extends To ? Kind : never;
}[MailKind];
export type DonorKind = OfAudience<'donor'>;
export type AccountKind = OfAudience<'account'>;

export const MAIL_KINDS = Object.keys(MAILS) as MailKind[];
export const isForDonor = (kind: MailKind): boolean => MAILS[kind].audience === 'donor';
export const DONOR_KINDS = MAIL_KINDS.filter(isForDonor);
export const ACCOUNT_KINDS = MAIL_KINDS.filter((kind) => MAILS[kind].audience === 'account');
export const isNews = (kind: MailKind): boolean => mailOf(kind).isNews ?? false;

/** For code that treats all kinds alike: the facts are those of the kind. */
export const mailOf = (kind: MailKind) => MAILS[kind] as unknown as Mail<MailFacts[MailKind]>;

export const SAMPLES = Object.fromEntries(MAIL_KINDS.map((kind) => [kind, MAILS[kind].sample])) as MailFacts;

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
