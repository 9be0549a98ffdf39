import type { Actor, Coordinates } from '@arboleda/contracts/fields.ts';
import type { CertificateRevocation, OrderStatus } from '@arboleda/contracts/order.ts';
import type { Currency } from '@arboleda/contracts/countries.ts';

/** A field's value before and after an edit; absent when it was empty. */
export interface FieldChange {
  field: string;
  from?: string | number | Coordinates | undefined;
  to?: string | number | Coordinates | undefined;
}

type Money = { amountMinor: number; currency: Currency };
/** Set for the money of a photo package. */
type OfPackage = { purchaseId?: string };
type Visit = { number: number; of: number };

type Happening =
  | {
      type:
        | 'paid'
        | 'created'
        | 'submitted'
        | 'approved'
        | 'photo'
        | 'noted'
        | 'growth_finished'
        | 'growth_stopped'
        | 'growth_resumed';
    }
  | { type: 'rejected'; reason: string }
  | { type: 'status_changed'; from: OrderStatus; to: OrderStatus; reason?: string; note?: string }
  | { type: 'withdrawn'; from: OrderStatus; to: OrderStatus; reason: string }
  /** Its donor withdraws from the purchase. */
  | { type: 'withdrawal_requested'; from: OrderStatus; to: OrderStatus }
  /** The order is kept after all. */
  | { type: 'withdrawal_retracted'; reason?: string }
  /** A debit of the bank may have taken the money back. */
  | ({ type: 'return_suspected'; from: OrderStatus; to: OrderStatus } & Money)
  /** An admin decided on it. */
  | { type: 'return_confirmed' | 'return_dismissed' }
  /** The refund failed or the dispute was won: it is planted after all. */
  | { type: 'reinstated'; reason: string }
  /** A worker's step was stale. */
  | { type: 'overtaken'; to: OrderStatus }
  /** A former worker reported a step, which changed nothing. */
  | { type: 'reported'; to: OrderStatus; note?: string }
  /** Another worker took over; the status stayed. */
  | { type: 'reassigned'; fromWorker?: string; toWorker: string; reason?: string }
  | ({ type: 'refunded'; reason: string; isFull: boolean } & Money & OfPackage)
  /** A refund was returned. */
  | ({ type: 'refund_failed'; refundId: string; reason: string } & Money & OfPackage)
  | ({ type: 'disputed'; disputeId: string; reason: string; dispute: string } & Money & OfPackage)
  | { type: 'photo_hidden' | 'photo_restored'; filename: string; reason: string }
  | ({ type: 'growth_bought' } & Money)
  | { type: 'growth_scheduled'; purchaseId: string }
  | ({ type: 'growth_visited'; photos: number } & Visit)
  | { type: 'certificate_issued'; version: number }
  | { type: 'certificate_revoked'; cause: CertificateRevocation; reason?: string }
  | {
      type:
        | 'gift_changed'
        | 'gift_sent'
        | 'gift_sent_again'
        | 'gift_cancelled'
        | 'gift_claimed'
        | 'gift_thanked'
        | 'gift_declined'
        | 'gift_erased';
    }
  /** `refused`: the address wants no gifts. */
  | { type: 'gift_bounced'; reason: 'bounced' | 'refused' }
  | { type: 'edited'; changes: FieldChange[] }
  /** The customer was erased, or moved to another address. */
  | { type: 'erased' | 'address_changed' };

/** A line of an order's history, which is append-only. */
export type TimelineEntry = { at: string; by: Actor } & Happening;
export type TimelineType = TimelineEntry['type'];

export const SYSTEM: Actor = { role: 'system' };

/** Visible by private link: the history of the trees and the money, not the admins' work. */
const PUBLIC_TYPES: ReadonlySet<TimelineType> = new Set<TimelineType>([
  'paid',
  'created',
  'submitted',
  'approved',
  'rejected',
  'status_changed',
  'withdrawn',
  'withdrawal_requested',
  'withdrawal_retracted',
  'reinstated',
  'refunded',
  'refund_failed',
  'photo',
  'growth_bought',
  'growth_stopped',
  'growth_resumed',
  'growth_visited',
]);
export const isPublicEntry = (entry: TimelineEntry): boolean => PUBLIC_TYPES.has(entry.type);

/** Sorts entries by time: they are stored in order of arrival. */
export const asItHappened = (timeline: readonly TimelineEntry[]): TimelineEntry[] =>
  timeline.toSorted((a, b) => a.at.localeCompare(b.at));
