import type { Currency } from '@arboleda/contracts/countries.ts';
import type { EventData } from '@arboleda/contracts/events/index.ts';
import type { Actor, Coordinates, Customer, Worker } from '@arboleda/contracts/fields.ts';
import type { VerificationStatus } from '@arboleda/contracts/order.ts';
import type { PaymentMethod } from '@arboleda/contracts/payment-method.ts';
import type { PackageType, PhotoPackageType } from '@arboleda/contracts/packages.ts';
import type { PhotoFlag } from '@arboleda/contracts/photo.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import type { TimelineEntry } from './timeline.ts';

/** Who plants, once somebody does. An admin may set a status before that is settled, or without. */
interface InTheField {
  assignmentId?: string | undefined;
  worker?: Worker | undefined;
}

/**
 * How far an order has come. Each status holds exactly what is known by then; instants are ISO. Whoever was assigned
 * has a day of it; an order that an admin set to planted needs none.
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
  /** The last that an admin decided on its being shown. */
  shown?: { hidden: boolean; at: string; by: Actor; reason: string } | undefined;
}

/** A bank transfer's way to being the organisation's money. */
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
  /** As Stripe says. */
  status: string;
  /** What the bank took back for good: 0 unless it is lost. */
  lostMinor: number;
  at: string;
}

/** What went back of the money of the trees, or of a photo package. */
export interface MoneyBack {
  refunds: readonly Refund[];
  /** All refunds together, minor units. */
  refundedMinor: number;
  disputes: readonly Dispute[];
  /** All lost disputes together, minor units. */
  lostMinor: number;
  /** Refunds and lost disputes together are all that was paid. */
  isGivenBack: boolean;
}

export const NOTHING_BACK: MoneyBack = {
  refunds: [],
  refundedMinor: 0,
  disputes: [],
  lostMinor: 0,
  isGivenBack: false,
};

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
  scheduledAt?: string | undefined;
  visits: readonly GrowthVisit[];
  /** Its money went back: visits that were not made are cancelled. */
  stoppedAt?: string | undefined;
  /** Counts the times it was stopped, or became active again. */
  revision: number;
  completedAt?: string | undefined;
}

/** What admins write to each other; no customer and no worker sees it. */
export interface InternalNote {
  noteId: string;
  text: string;
  by: Actor;
  at: string;
}

export interface Order extends MoneyBack {
  _id: string;
  /** Whoever holds it may see the order: the private link. */
  token: string;
  customer: Customer;
  language: Language;
  trees: number;
  packageType: PackageType;
  amountMinor: number;
  currency: Currency;
  region?: string | undefined;
  paymentId: string;
  method: PaymentMethod;
  /** Not there before a transfer's money was found. */
  transactionId?: string | undefined;
  card?: { brand: string; last4: string } | undefined;
  manualPayment?: ManualPayment | undefined;
  createdAt: string;
  /** The day of the organisation on which it was made: "2026-11-21". */
  day: string;
  /** Grows by one with every change of status or worker; a decision names the one it was made on. */
  statusRevision: number;
  progress: Progress;
  /** Where the trees stand, as the worker or an admin said. */
  location?: string | undefined;
  coordinates?: Coordinates | undefined;
  notes?: string | undefined;
  photos: readonly Photo[];
  growth: readonly GrowthPurchase[];
  internalNotes: readonly InternalNote[];
  timeline: readonly TimelineEntry[];
  /** Grows when anything that an admin may edit has changed; an edit may name the one it was made on. */
  version: number;
  /** When anything last changed. */
  updatedAt: string;
}

/** Whether its money is the organisation's; before that no list, no figure and no worker knows of the order. */
export const isPaid = ({ manualPayment }: Pick<Order, 'manualPayment'>): boolean =>
  !manualPayment || manualPayment.verificationStatus === 'approved';

/** The money went back before anything was planted: nobody is to plant it. */
export const isWithdrawn = (order: Order): boolean =>
  order.isGivenBack && order.progress.status === 'pending';

export const workerOf = ({ progress }: Order): Worker | undefined =>
  progress.status === 'pending' ? undefined : progress.worker;

/** Photos that no admin hid. */
export const shownPhotos = (order: Order): Photo[] => order.photos.filter((photo) => !photo.shown?.hidden);

/** Where the trees stand: as somebody said, else where the first photo with a position was taken. */
export const coordinatesOf = (order: Order): Coordinates | undefined =>
  order.coordinates ?? shownPhotos(order).find((photo) => photo.coordinates)?.coordinates;

/** When the first photo came. */
export const photoDateOf = (order: Order): string | undefined => shownPhotos(order)[0]?.uploadedAt;

/** News of an order whose own has not come yet is to be tried again. */
export const notYet = (orderId: string): Error => new Error(`order ${orderId} has not been created yet`);
