import type { Currency } from '@arboleda/contracts/countries.ts';
import type { EventData } from '@arboleda/contracts/events/index.ts';
import type { Actor, Coordinates, Customer, Worker } from '@arboleda/contracts/fields.ts';
import type { VerificationStatus } from '@arboleda/contracts/order.ts';
import type { PaymentMethod } from '@arboleda/contracts/payment-method.ts';
import type { PackageType, PhotoPackageType } from '@arboleda/contracts/packages.ts';
import type { PhotoFlag } from '@arboleda/contracts/photo.ts';
import type { PurchaseDetails } from '@arboleda/contracts/purchase.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import type { Certificate } from '../certificate/versions.ts';
import type { OrderGift } from '../gift/order-gift.ts';
import type { TimelineEntry } from './timeline.ts';
import type { Withdrawal } from '../withdrawal/deadline.ts';

/** The worker. Absent when an admin set the status without one. */
interface InTheField {
  assignmentId?: string | undefined;
  worker?: Worker | undefined;
}

/**
 * The status of an order, with exactly what is known in it; instants are ISO. Assigned orders have a date of
 * assignment; an order that an admin set to planted may lack it.
 */
export type Progress =
  | { status: 'pending' }
  | ({ status: 'assigned'; assignedAt: string } & InTheField)
  | ({ status: 'planted'; assignedAt?: string | undefined; plantedAt: string } & InTheField)
  | ({
      status: 'completed';
      assignedAt?: string | undefined;
      plantedAt: string;
      completedAt: string;
    } & InTheField);

export interface Photo {
  photoId: string;
  filename: string;
  width: number;
  height: number;
  takenAt?: string | undefined;
  uploadedAt: string;
  coordinates?: Coordinates | undefined;
  flags?: readonly PhotoFlag[] | undefined;
  growthVisitId?: string | undefined;
  /** An admin's latest decision to hide or show it. */
  shown?: { hidden: boolean; at: string; by: Actor; reason: string } | undefined;
}

/** The verification of a bank transfer. */
export interface ManualPayment {
  verificationStatus: VerificationStatus;
  referenceNumber?: string | undefined;
  evidenceFiles: EventData<'payment.submitted'>['evidenceFiles'];
  submittedAt?: string | undefined;
  decidedAt?: string | undefined;
  decidedBy?: Actor | undefined;
  rejectionReason?: string | undefined;
}

export interface Refund {
  refundId: string;
  amountMinor: number;
  currency: Currency;
  reason: string;
  by?: Actor | undefined;
  at: string;
}

export interface Dispute {
  disputeId: string;
  amountMinor: number;
  currency: Currency;
  reason: string;
  status: string;
  /** 0 unless the dispute is lost. */
  lostMinor: number;
  at: string;
}

/** Refunds and lost disputes of the trees or of a photo package. */
export interface MoneyBack {
  refunds: readonly Refund[];
  /** Sum of refunds, minor units. */
  refundedMinor: number;
  disputes: readonly Dispute[];
  /** Sum of lost disputes, minor units. */
  lostMinor: number;
  /** Refunds and lost disputes add up to the amount paid. */
  isGivenBack: boolean;
}

export const NOTHING_BACK: MoneyBack = {
  refunds: [],
  refundedMinor: 0,
  disputes: [],
  lostMinor: 0,
  isGivenBack: false,
};

/** A debit on the bank's statement that may have taken the order's money back. */
export interface SuspectedReturn {
  debitId: string;
  /** The debit's. */
  amountMinor: number;
  currency: Currency;
  day: string;
  at: string;
  /** When an admin decided on the debit. */
  settledAt?: string | undefined;
}

export interface GrowthVisit {
  visitId: string;
  number: number;
  of: number;
  dueAt: string;
  completedAt?: string | undefined;
  photos?: number | undefined;
}

/** A photo package bought for the order, and its updates. */
export interface GrowthPurchase extends MoneyBack {
  purchaseId: string;
  photoPackageType: PhotoPackageType;
  amountMinor: number;
  currency: Currency;
  purchasedAt: string;
  /** Day of the purchase in the organisation's time zone. */
  day: string;
  scheduledAt?: string | undefined;
  visits: readonly GrowthVisit[];
  /** Set when it was refunded: visits not made yet are cancelled. */
  stoppedAt?: string | undefined;
  /** Incremented when it stops or becomes active again. */
  revision: number;
  completedAt?: string | undefined;
  /** The recipient of a gift bought it: its price is not the buyer's to see. */
  byRecipient?: true | undefined;
}

/** A note between admins, hidden from customers and workers. */
export interface InternalNote {
  noteId: string;
  text: string;
  by: Actor;
  at: string;
}

export interface Order extends MoneyBack {
  id: string;
  /** Token of the private link; gives access to the order. */
  token: string;
  customer: Customer;
  language: Language;
  trees: number;
  packageType: PackageType;
  amountMinor: number;
  currency: Currency;
  region?: string | undefined;
  /** Given by the buyer; only an erasure changes them. */
  details?: PurchaseDetails | undefined;
  paymentId: string;
  method: PaymentMethod;
  /** Absent until a transfer's money is found. */
  transactionId?: string | undefined;
  /** "2026-000123", once paid. */
  receiptNumber?: string | undefined;
  card?: { brand: string; last4: string } | undefined;
  manualPayment?: ManualPayment | undefined;
  createdAt: string;
  /** Day of creation in the organisation's time zone: "2026-11-21". */
  day: string;
  /** Incremented with each change of status or worker; a decision names the revision it was made on. */
  statusRevision: number;
  progress: Progress;
  /** Place of the trees as the worker or an admin wrote it. */
  location?: string | undefined;
  coordinates?: Coordinates | undefined;
  notes?: string | undefined;
  photos: readonly Photo[];
  growth: readonly GrowthPurchase[];
  internalNotes: readonly InternalNote[];
  /** Absent until its donor asks for it. */
  certificate?: Certificate | undefined;
  gift?: OrderGift | undefined;
  suspectedReturns?: readonly SuspectedReturn[] | undefined;
  /** Status of each refund by its id, from payments. `ended`: no money went back. */
  refundStates?: Readonly<Record<string, 'pending' | 'ended'>> | undefined;
  /** Until it is retracted. */
  withdrawal?: Withdrawal | undefined;
  timeline: readonly TimelineEntry[];
  /** Incremented with each change of an editable field; an edit may name the version it was made on. */
  version: number;
  updatedAt: string;
}

/** Whether the order is paid. Unpaid orders appear in no list, no figure and no assignment. */
export const isPaid = ({ manualPayment }: Pick<Order, 'manualPayment'>): boolean =>
  !manualPayment || manualPayment.verificationStatus === 'approved';

/** Refunded before anything was planted: nobody is to plant it. */
export const isWithdrawn = (order: Order): boolean =>
  order.isGivenBack && order.progress.status === 'pending';

/** An admin has to decide on a debit that may have taken its money back. */
export const isReturnOpen = ({ suspectedReturns = [] }: Pick<Order, 'suspectedReturns'>): boolean =>
  suspectedReturns.some(({ settledAt }) => settledAt === undefined);

/** Its donor withdraws, or the bank may have taken the money back; and it is not given back yet. */
export const isHeld = (order: Order): boolean =>
  (order.withdrawal !== undefined || isReturnOpen(order)) &&
  !order.isGivenBack &&
  order.progress.status === 'pending';

/** Nobody is to plant it. */
export const isStopped = (order: Order): boolean => isWithdrawn(order) || isHeld(order);

/** Region of the worker, or the one the buyer chose while there is none. */
export const regionOf = (order: Order): string | undefined => workerOf(order)?.region ?? order.region;

/** Disputes the organisation won, and closed inquiries. */
const HARMLESS_DISPUTES = ['won', 'prevented', 'warning_closed'];

/** A dispute that is open, or lost. */
export const isDisputed = ({ disputes }: Pick<MoneyBack, 'disputes'>): boolean =>
  disputes.some(({ status }) => !HARMLESS_DISPUTES.includes(status));

/** Steps that former workers reported of an order that is not planted yet. */
export const openReports = ({ progress, timeline }: Order) =>
  progress.status === 'pending' || progress.status === 'assigned'
    ? timeline.filter((entry) => entry.type === 'reported')
    : [];

/**
 * Whether an admin should look at it: a flagged photo without a decision, a dispute that is open or lost, a report of a
 * former worker, or a debit that may have taken its money back.
 */
export const isFlagged = (order: Order): boolean =>
  openReports(order).length > 0 ||
  isReturnOpen(order) ||
  order.photos.some(({ flags = [], shown }) => flags.length > 0 && shown?.by.role !== 'admin') ||
  [order, ...order.growth].some(isDisputed);

export const workerOf = ({ progress }: Order): Worker | undefined =>
  progress.status === 'pending' ? undefined : progress.worker;

export const shownPhotos = (order: Order): Photo[] => order.photos.filter((photo) => !photo.shown?.hidden);

/** Coordinates of the trees as entered, else those of the first photo with a position. */
export const coordinatesOf = (order: Order): Coordinates | undefined =>
  order.coordinates ?? shownPhotos(order).find((photo) => photo.coordinates)?.coordinates;

/** Upload time of the first visible photo. */
export const photoDateOf = (order: Order): string | undefined => shownPhotos(order)[0]?.uploadedAt;

/** Thrown for events that arrive before the order, which are then retried. */
export const notYet = (orderId: string): Error => new Error(`order ${orderId} has not been created yet`);

/**
 * How an order counts: paid (`paid`), a transfer to be verified (`awaiting`) or not found (`rejected`), or
 * not to be planted, as it was refunded before or its donor withdraws (`withdrawn`).
 */
export type Standing = 'paid' | 'awaiting' | 'rejected' | 'withdrawn';

export function standingOf(order: Order): Standing {
  if (!isPaid(order)) return order.manualPayment?.verificationStatus === 'rejected' ? 'rejected' : 'awaiting';
  return isStopped(order) ? 'withdrawn' : 'paid';
}
