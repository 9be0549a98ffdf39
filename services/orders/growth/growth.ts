import type { Change } from '@arboleda/chassis/records.ts';
import type { EventData } from '@arboleda/contracts/events/index.ts';
import type { Actor } from '@arboleda/contracts/fields.ts';
import { dayOf } from '@arboleda/contracts/time-zone.ts';
import { type GrowthPurchase, type GrowthVisit, notYet, NOTHING_BACK, type Order } from '../order/order.ts';
import { SYSTEM, type TimelineEntry } from '../order/timeline.ts';

/** @throws Error when the order has not arrived yet; the event is retried */
export function decideGrowthPurchase(
  current: Order | undefined,
  bought: EventData<'photo_package.purchased'>,
): Change<Order> | undefined {
  const { orderId, purchaseId, photoPackageType, amountMinor, currency, purchasedAt, byRecipient } = bought;
  if (!current) throw notYet(orderId);
  if (current.growth.some((one) => one.purchaseId === purchaseId)) return undefined;
  const money = { amountMinor, currency };
  const purchase: GrowthPurchase = {
    purchaseId,
    photoPackageType,
    ...money,
    purchasedAt,
    day: dayOf(purchasedAt),
    visits: [],
    ...(byRecipient && { byRecipient }),
    revision: 0,
    ...NOTHING_BACK,
  };
  const line: TimelineEntry = {
    at: purchasedAt,
    type: 'growth_bought',
    ...money,
    by: { role: 'customer', ...(!byRecipient && { name: bought.customer.name }) },
  };
  return {
    record: {
      ...current,
      growth: [...current.growth, purchase].sort((a, b) => a.purchasedAt.localeCompare(b.purchasedAt)),
      timeline: [...current.timeline, line],
    },
  };
}

/**
 * Sets or replaces the dates of a package's updates; completed updates stay.
 * @throws Error when the purchase has not arrived yet; the event is retried
 */
export function decideGrowthSchedule(
  current: Order | undefined,
  { orderId, purchaseId, visits, at }: EventData<'growth_visit.scheduled'>,
): Change<Order> | undefined {
  return onPurchase(current, orderId, purchaseId, (purchase, timeline) => {
    const line: TimelineEntry = { at, type: 'growth_scheduled', by: SYSTEM, purchaseId };
    const isKnown = timeline.some(
      (one) => one.type === line.type && one.at === at && one.purchaseId === purchaseId,
    );
    if (isKnown) return undefined;
    if (purchase.scheduledAt !== undefined && purchase.scheduledAt > at) return { purchase, line };
    const known = new Map(purchase.visits.map((visit) => [visit.visitId, visit]));
    const dated = visits.map(({ visitId, number, of, dueAt }): GrowthVisit => ({
      ...known.get(visitId),
      visitId,
      number,
      of,
      dueAt,
    }));
    const inOrder = dated.sort((a, b) => a.number - b.number);
    return { purchase: { ...purchase, scheduledAt: at, visits: inOrder }, line };
  });
}

/**
 * Stops or reactivates a package; the newest event wins.
 * @throws Error when the purchase has not arrived yet; the event is retried
 */
export function decideGrowthStatus(
  current: Order | undefined,
  { orderId, purchaseId, status, revision, at }: EventData<'photo_package.status_changed'>,
): Change<Order> | undefined {
  return onPurchase(current, orderId, purchaseId, (purchase) => {
    if (revision <= purchase.revision) return undefined;
    const isStopped = status === 'stopped';
    return {
      purchase: { ...purchase, revision, stoppedAt: isStopped ? at : undefined },
      line: { at, type: isStopped ? 'growth_stopped' : 'growth_resumed', by: SYSTEM },
    };
  });
}

/** @throws Error when the visit has not arrived yet; the event is retried */
export function decideGrowthVisit(
  current: Order | undefined,
  done: EventData<'growth_visit.completed'>,
): Change<Order> | undefined {
  const { orderId, purchaseId, visitId, number, of, worker, photos, at } = done;
  const by: Actor = { role: 'worker', id: worker.workerId, name: worker.name };
  return onPurchase(current, orderId, purchaseId, (purchase) => {
    const visit = purchase.visits.find((one) => one.visitId === visitId);
    if (!visit) throw new Error(`growth visit ${visitId} has not come yet`);
    if (visit.completedAt !== undefined) return undefined;
    const completed = { ...visit, completedAt: at, photos };
    return {
      purchase: { ...purchase, visits: purchase.visits.map((one) => (one === visit ? completed : one)) },
      line: { at, type: 'growth_visited', by, number, of, photos },
    };
  });
}

/** @throws Error when the purchase has not arrived yet; the event is retried */
export function decideGrowthEnd(
  current: Order | undefined,
  { orderId, purchaseId, at }: EventData<'photo_package.completed'>,
): Change<Order> | undefined {
  return onPurchase(current, orderId, purchaseId, (purchase) =>
    purchase.completedAt === undefined
      ? { purchase: { ...purchase, completedAt: at }, line: { at, type: 'growth_finished', by: SYSTEM } }
      : undefined,
  );
}

/** @throws Error when the order or the purchase has not arrived yet; the event is retried */
export function purchaseNamed(order: Order, purchaseId: string): GrowthPurchase {
  const purchase = order.growth.find((one) => one.purchaseId === purchaseId);
  if (!purchase) throw new Error(`purchase ${purchaseId} of order ${order.id} has not come yet`);
  return purchase;
}

/** Replaces a purchase and adds a line to the history. */
export const withPurchase = (
  order: Order,
  before: GrowthPurchase,
  { purchase, line }: { purchase: GrowthPurchase; line: TimelineEntry },
): Change<Order> => ({
  record: {
    ...order,
    growth: order.growth.map((one) => (one === before ? purchase : one)),
    timeline: [...order.timeline, line],
  },
});

function onPurchase(
  current: Order | undefined,
  orderId: string,
  purchaseId: string,
  decide: (
    purchase: GrowthPurchase,
    timeline: Order['timeline'],
  ) => { purchase: GrowthPurchase; line: TimelineEntry } | undefined,
): Change<Order> | undefined {
  if (!current) throw notYet(orderId);
  const purchase = purchaseNamed(current, purchaseId);
  const decided = decide(purchase, current.timeline);
  return decided && withPurchase(current, purchase, decided);
}
