import type { EventType } from '@arboleda/contracts/events/index.ts';
import { TRAFFIC } from '@arboleda/contracts/events/traffic.ts';
import fc from 'fast-check';

/** Acts of people. `proceed` is the next step of an ordinary order. */
const ACTS = [
  'proceed',
  'decline',
  'process',
  'mismatch',
  'abandon',
  'approve',
  'reject',
  'sendAgain',
  'refundPart',
  'refundAll',
  'refundAtProvider',
  'refundTwice',
  'returnRefund',
  'dispute',
  'refundPackage',
  'refundPackageAtProvider',
  'returnPackageRefund',
  'disputePackage',
  'plant',
  'complete',
  'photo',
  'photoAgain',
  'hidePhoto',
  'restorePhoto',
  'buyPackage',
  'visit',
  'reassign',
  'setStatus',
  'editTrees',
  'editPlace',
  'certify',
  'revokeCertificate',
  'changeGift',
  'sendGiftAgain',
  'claimGift',
  'declineGifts',
  'eraseRecipient',
  'erase',
  'move',
  'withdraw',
  'keepOrder',
  'workerLeaves',
  'workerReturns',
] as const;
export type ActName = (typeof ACTS)[number];

export interface Act {
  name: ActName;
  /** After the one before it. */
  afterMs: number;
  /** Selects the worker, status, photo or amount. */
  which: number;
}

/** A fault in the n-th delivery of one kind. */
export type Trouble = {
  what: string;
  to: string;
  /** Counts from 0. */
  nth: number;
} & (
  | { kind: 'late'; ms: number }
  | { kind: 'twice'; ms: number }
  /** Delivered again without an acknowledgement; webhooks of Stripe are not. */
  | { kind: 'lost' }
  /** The consumer dies after these writes and receives it again later. */
  | { kind: 'crash'; writes: number }
  /** Other tasks run between the consumer's first read and its write. */
  | { kind: 'overtaken'; by: number }
);

/** An order with its acts and troubles. */
export interface Life {
  by: 'card' | 'transfer';
  trees: 1 | 5 | 20;
  buyer: number;
  /** Days until the gift is sent; undefined when it is none. */
  giftDays?: number | undefined;
  /** After the history began. */
  boughtMs: number;
  acts: readonly Act[];
  troubles: readonly Trouble[];
}

/** All acts and all troubles. The same history gives the same run. */
export type History = readonly Life[];

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;
const DAY_MS = 24 * HOUR_MS;
const PAUSES_MS = [20, 20, SECOND_MS, 60 * SECOND_MS, HOUR_MS, 3 * HOUR_MS, DAY_MS, 60 * DAY_MS];
const DELAYS_MS = [1, 10, SECOND_MS, 10 * SECOND_MS, 10 * 60 * SECOND_MS, DAY_MS];

/** Weights of events that most orders have. */
const FREQUENCY: Partial<Record<string, number>> = {
  'payment.succeeded': 2,
  'payment.refunded': 2,
  'order.created': 2,
  'order.updated': 2,
  'order.assigned': 2,
  'order.planted': 2,
  'order.completed': 2,
  'order.status_changed': 4,
  'photo.uploaded': 2,
};
/** Events that the emails of the simulation follow: those about money, and those that make orders and gifts known. */
export const MAIL_EVENTS = [
  'payment.submitted',
  'payment.rejected',
  'payment.refunded',
  'payment.refund_failed',
  'payment.disputed',
  'photo_package.purchased',
  'order.created',
  'order.updated',
  'gift.scheduled',
  'gift.cancelled',
] as const satisfies readonly EventType[];
const EVENTS = [
  ...(['payments', 'orders', 'assignments'] as const).flatMap((service) =>
    TRAFFIC[service].listensTo.map((type) => [type, service] as const),
  ),
  ...MAIL_EVENTS.map((type) => [type, 'notifications'] as const),
];
const TYPES = [...new Set(EVENTS.map(([type]) => type))];
/**
 * Deliveries and their receivers. `everybody`: the publisher dies between the commit and the publishing, and a sweep publishes it later.
 */
const WAYS: readonly (readonly [what: string, to: string])[] = [
  ...['payment', 'refund', 'dispute', 'package'].map((what) => [`webhook.${what}`, 'payments'] as const),
  ...[...EVENTS, ...TYPES.map((type) => [type, 'everybody'] as const)].flatMap((way) =>
    Array.from({ length: FREQUENCY[way[0]] ?? 1 }, () => way),
  ),
  ['assign-waiting', 'assignments'],
  ['review-worker', 'assignments'],
  ['serve-visits', 'assignments'],
  ['pictures', 'media'],
  ['deliver-gift', 'notifications'],
];

const act: fc.Arbitrary<Act> = fc.record({
  name: fc.oneof(
    { weight: 4, arbitrary: fc.constant<ActName>('proceed') },
    { weight: 3, arbitrary: fc.constantFrom(...ACTS) },
  ),
  afterMs: fc.constantFrom(...PAUSES_MS),
  which: fc.nat(3),
});

const trouble: fc.Arbitrary<Trouble> = fc
  .tuple(
    fc.constantFrom(...WAYS),
    fc.constantFrom(0, 0, 0, 1, 1, 2),
    fc.constantFrom('twice', 'late', 'late', 'lost', 'crash', 'overtaken'),
    fc.constantFrom(...DELAYS_MS),
    fc.integer({ min: 1, max: 3 }),
  )
  .map(([[what, group], nth, kind, ms, count]): Trouble => {
    const delivery = { what, to: group, nth };
    if (kind === 'crash') return { ...delivery, kind, writes: count };
    if (kind === 'overtaken') return { ...delivery, kind, by: count };
    return kind === 'lost' ? { ...delivery, kind } : { ...delivery, kind, ms };
  });

const life: fc.Arbitrary<Life> = fc.record({
  by: fc.constantFrom('card', 'card', 'transfer'),
  trees: fc.constantFrom(1, 5, 20),
  buyer: fc.nat(3),
  giftDays: fc.constantFrom(undefined, undefined, 0, 1, 30),
  boughtMs: fc.constantFrom(0, 0, SECOND_MS, HOUR_MS, DAY_MS, 20 * DAY_MS),
  acts: fc.array(act, { maxLength: 10, size: 'max' }),
  troubles: fc.array(trouble, { maxLength: 30, size: 'max' }),
});

/** @param orders at most so many in one history */
export const histories = (orders: number): fc.Arbitrary<History> =>
  fc.array(life, { minLength: 1, maxLength: orders, size: 'max' });

/** A line for each order with acts or troubles, as a literal for a regression test. */
export const linesOf = (history: History): string[] =>
  history.flatMap((one, order) =>
    one.acts.length + one.troubles.length > 0 ? [`order ${order}: ${JSON.stringify(one)}`] : [],
  );
