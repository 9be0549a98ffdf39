import type { Change } from '@arboleda/chassis/records.ts';
import type { EventData } from '@arboleda/contracts/events/index.ts';
import type { Actor } from '@arboleda/contracts/fields.ts';
import { type Dispute, isPaid, isWithdrawn, type MoneyBack, notYet, type Order } from '../order/order.ts';
import { SYSTEM, type TimelineEntry } from '../order/timeline.ts';
import { purchaseNamed, withPurchase } from '../growth/growth.ts';
import { moved } from '../order/move.ts';

type MoneyEvent = EventData<'payment.refunded' | 'payment.refund_failed' | 'payment.disputed'>;

/** The money after an event. */
interface Noted {
  refunds?: MoneyBack['refunds'];
  disputes?: MoneyBack['disputes'];
  line: TimelineEntry;
  /** Actor and reason of the refund, for the published event. */
  because: { by: Actor; at: string; reason?: string };
}

/**
 * Records a refund of trees or of a photo package. Withdraws the order when all money of the trees is
 * refunded and nothing is planted.
 * @throws Error when the order, the approval of its transfer or the package has not arrived yet; the event is
 * retried
 */
export function decideRefund(
  current: Order | undefined,
  refund: EventData<'payment.refunded'>,
): Change<Order> | undefined {
  const { refundId, amountMinor, currency, isFull, reason, by = SYSTEM, at, photoPackage } = refund;
  // The order never had this package.
  if (photoPackage?.isSurplus) return undefined;
  return onMoney(current, refund, ({ refunds }) => {
    if (refunds.some((one) => one.refundId === refundId)) return undefined;
    return {
      refunds: byTime([...refunds, { refundId, amountMinor, currency, reason, by, at }]),
      line: { at, type: 'refunded', by, amountMinor, currency, reason, isFull, ...packageOf(refund) },
      because: { by, at, reason },
    };
  });
}

/**
 * Records that a refund failed and reinstates an order that was withdrawn because of it.
 * @throws Error when the refund has not arrived yet; the event is retried
 */
export function decideRefundFailure(
  current: Order | undefined,
  failed: EventData<'payment.refund_failed'>,
): Change<Order> | undefined {
  const { refundId, amountMinor, currency, reason, at, photoPackage } = failed;
  if (photoPackage?.isSurplus) return undefined;
  return onMoney(current, failed, ({ refunds }, { timeline }) => {
    if (timeline.some((one) => one.type === 'refund_failed' && one.refundId === refundId)) return undefined;
    const others = refunds.filter((one) => one.refundId !== refundId);
    if (others.length === refunds.length) throw new Error(`refund ${refundId} has not come yet`);
    const money = { refundId, amountMinor, currency, reason };
    return {
      refunds: others,
      line: { at, type: 'refund_failed', by: SYSTEM, ...money, ...packageOf(failed) },
      because: { by: SYSTEM, at },
    };
  });
}

/**
 * Records that a refund is under way, or that it ended without money going back, which is final.
 * @throws Error when the order has not arrived yet; the event is retried
 */
export function decideRefundStatus(
  current: Order | undefined,
  { orderId, refundId, status }: EventData<'payment.refund_status_changed'>,
): Change<Order> | undefined {
  if (!current) throw notYet(orderId);
  const known = current.refundStates?.[refundId];
  const state = status === 'pending' ? 'pending' : 'ended';
  if (known === state || known === 'ended') return undefined;
  return { record: { ...current, refundStates: { ...current.refundStates, [refundId]: state } } };
}

/**
 * Records the status of a dispute, for admins only; the newest event wins. A lost dispute counts like a
 * refund.
 * @throws Error when the order or the package has not arrived yet; the event is retried
 */
export function decideDispute(
  current: Order | undefined,
  news: EventData<'payment.disputed'>,
): Change<Order> | undefined {
  const { disputeId, amountMinor, currency, reason, status, lostMinor, at, photoPackage } = news;
  if (photoPackage?.isSurplus) return undefined;
  return onMoney(current, news, ({ disputes }, { timeline }) => {
    const isKnown = timeline.some(
      (one) =>
        one.type === 'disputed' && one.at === at && one.disputeId === disputeId && one.dispute === status,
    );
    if (isKnown) return undefined;
    const money = { amountMinor, currency, reason };
    const before = disputes.find((one) => one.disputeId === disputeId);
    const now: Dispute = !before || before.at <= at ? { disputeId, ...money, status, lostMinor, at } : before;
    return {
      disputes: byTime([...disputes.filter((one) => one !== before), now]),
      line: { at, type: 'disputed', by: SYSTEM, disputeId, dispute: status, ...money, ...packageOf(news) },
      because: { by: SYSTEM, at },
    };
  });
}

/** Changes the money an event is about, and the order with it. */
function onMoney(
  current: Order | undefined,
  event: MoneyEvent,
  decide: (money: MoneyBack, order: Order) => Noted | undefined,
): Change<Order> | undefined {
  if (!current || !isPaid(current)) throw notYet(event.orderId);
  const purchase = event.photoPackage && purchaseNamed(current, event.photoPackage.purchaseId);
  const noted = decide(purchase ?? current, current);
  if (!noted) return undefined;
  const money = summed({ ...(purchase ?? current), ...noted }, event.paidMinor);
  if (purchase)
    return withPurchase(current, purchase, { purchase: { ...purchase, ...money }, line: noted.line });
  return followed(current, { ...current, ...money, timeline: [...current.timeline, noted.line] }, noted);
}

/** Withdraws a fully refunded order, and reinstates it when the money is here after all, unless its donor withdraws. */
function followed(before: Order, after: Order, { line, because }: Noted): Change<Order> {
  const { status: from } = before.progress;
  const { by, at } = because;
  const isStopped = after.isGivenBack && !before.isGivenBack && (from === 'pending' || from === 'assigned');
  const isBack = isWithdrawn(before) && !after.isGivenBack && !after.withdrawal;
  if (!isStopped && !isBack) return { record: after };
  const reason = 'reason' in line && line.reason !== undefined ? line.reason : '';
  return moved(after, {
    ...because,
    to: { status: 'pending' },
    line: isStopped
      ? { at, type: 'withdrawn', by, from, to: 'pending', reason }
      : { at, type: 'reinstated', by, reason },
  });
}

function summed(
  { refunds, disputes }: Pick<MoneyBack, 'refunds' | 'disputes'>,
  paidMinor: number,
): MoneyBack {
  const refundedMinor = refunds.reduce((total, { amountMinor }) => total + amountMinor, 0);
  const lostMinor = disputes.reduce((total, dispute) => total + dispute.lostMinor, 0);
  return { refunds, refundedMinor, disputes, lostMinor, isGivenBack: refundedMinor + lostMinor >= paidMinor };
}

const packageOf = ({ photoPackage }: MoneyEvent) => photoPackage && { purchaseId: photoPackage.purchaseId };

const byTime = <T extends { at: string }>(all: T[]): T[] => all.sort((a, b) => a.at.localeCompare(b.at));
