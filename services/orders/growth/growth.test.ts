import { describe, expect, test } from '@jest/globals';
import type { Order } from '../order/order.ts';
import { ANA, minute, newOrderId, payment } from '../test/builders.ts';
import { growthBought, growthFinished, growthScheduled, growthVisited } from '../test/event-builders.ts';
import { decidePayment } from '../order/creation.ts';
import {
  decideGrowthEnd,
  decideGrowthPurchase,
  decideGrowthSchedule,
  decideGrowthStatus,
  decideGrowthVisit,
} from './growth.ts';

const orderId = newOrderId();

describe('growth', () => {
  const paid = decidePayment(undefined, payment({ orderId }).data)!.record;

  const bought = decideGrowthPurchase(paid, growthBought(orderId).data)!.record;

  const scheduled = decideGrowthSchedule(bought, growthScheduled(orderId).data)!.record;

  const visited = (order: Order, number: number) =>
    decideGrowthVisit(order, growthVisited(orderId, number).data)!.record;

  test('a photo package is shown with its dates once they are known', () => {
    expect(bought.growth).toMatchObject([
      { photoPackageType: 'first_year', purchasedAt: minute(100), visits: [] },
    ]);
    expect(scheduled.growth[0]!.visits).toMatchObject([
      { number: 1, of: 3, dueAt: minute(90 * 24 * 60) },
      { number: 2 },
      { number: 3 },
    ]);
  });

  test('a completed update keeps its day, photos and worker', () => {
    const order = visited(scheduled, 1);
    expect(order.growth[0]!.visits[0]).toMatchObject({ completedAt: minute(201), photos: 2 });
    expect(order.timeline.at(-1)).toMatchObject({
      type: 'growth_visited',
      number: 1,
      of: 3,
      by: { role: 'worker', id: ANA.workerId, name: ANA.name },
    });
  });

  test('the newest dates win; completed updates stay', () => {
    const later = growthScheduled(orderId, { days: [100, 190, 375], at: minute(150) }).data;
    const again = decideGrowthSchedule(visited(scheduled, 1), later)!.record;
    expect(again.growth[0]!.visits[0]).toMatchObject({
      dueAt: minute(100 * 24 * 60),
      completedAt: minute(201),
    });
    const reversed = decideGrowthSchedule(
      decideGrowthSchedule(bought, later)!.record,
      growthScheduled(orderId).data,
    );
    expect(reversed!.record.growth[0]!.visits[0]).toMatchObject({ dueAt: minute(100 * 24 * 60) });
    expect(reversed!.record.timeline.filter(({ type }) => type === 'growth_scheduled')).toHaveLength(2);
  });

  test('a finished package is completed', () => {
    const { record } = decideGrowthEnd(scheduled, growthFinished(orderId).data)!;
    expect(record.growth[0]!.completedAt).toBe(minute(210));
    expect(record.timeline.at(-1)).toEqual({
      at: minute(210),
      type: 'growth_finished',
      by: { role: 'system' },
    });
  });

  test('a purchase is listed in the history by its buyer; one by the recipient names nobody', () => {
    const { data } = growthBought(orderId);
    const { amountMinor, currency } = data;
    const line = { at: minute(100), type: 'growth_bought', amountMinor, currency };
    expect(bought.timeline).toEqual([
      ...paid.timeline,
      { ...line, by: { role: 'customer', name: 'María José Pérez' } },
    ]);
    expect(bought.growth[0]).not.toHaveProperty('byRecipient');
    const { record } = decideGrowthPurchase(paid, { ...data, byRecipient: true })!;
    expect(record.timeline.at(-1)).toEqual({ ...line, by: { role: 'customer' } });
    expect(record.growth).toMatchObject([{ byRecipient: true }]);
  });

  test('dates that are not in order are put in order', () => {
    const { data } = growthScheduled(orderId);
    const { record } = decideGrowthSchedule(bought, { ...data, visits: data.visits.toReversed() })!;
    expect(record.growth).toEqual(scheduled.growth);
  });

  test('a package stops and becomes active again; the newest revision wins', () => {
    const said = (order: Order, status: 'active' | 'stopped', revision: number) =>
      decideGrowthStatus(order, {
        orderId,
        purchaseId: 'purchase-1',
        status,
        revision,
        at: minute(300 + revision),
      });
    const stopped = said(scheduled, 'stopped', 1)!.record;
    expect(stopped.growth).toMatchObject([{ stoppedAt: minute(301), revision: 1 }]);
    expect(said(stopped, 'active', 1)).toBeUndefined();
    const active = said(stopped, 'active', 2)!.record;
    expect(active.growth).toMatchObject([{ stoppedAt: undefined, revision: 2 }]);
    expect(said(active, 'stopped', 1)).toBeUndefined();
    expect(active.timeline.slice(-2)).toEqual([
      { at: minute(301), type: 'growth_stopped', by: { role: 'system' } },
      { at: minute(302), type: 'growth_resumed', by: { role: 'system' } },
    ]);
  });

  test('two packages stand side by side, the older first; an event changes one visit of one package', () => {
    const second = { purchaseId: 'purchase-2', purchasedAt: minute(110) };
    const early = decideGrowthPurchase(paid, { ...growthBought(orderId).data, ...second })!.record;
    const both = decideGrowthPurchase(early, growthBought(orderId).data)!.record;
    expect(both.growth.map(({ purchaseId }) => purchaseId)).toEqual(['purchase-1', 'purchase-2']);
    const ofSecond = { ...growthScheduled(orderId).data, purchaseId: 'purchase-2' };
    const dated = [growthScheduled(orderId).data, ofSecond].reduce(
      (order, event) => decideGrowthSchedule(order, event)!.record,
      both,
    );
    expect(dated.growth.map(({ visits }) => visits.length)).toEqual([3, 3]);
    const visit = { ...growthVisited(orderId, 2).data, purchaseId: 'purchase-2' };
    const { growth } = decideGrowthVisit(dated, visit)!.record;
    expect(growth[0]).toBe(dated.growth[0]);
    expect(growth[1]!.visits.map(({ completedAt }) => completedAt)).toEqual([
      undefined,
      minute(202),
      undefined,
    ]);
  });

  test('each event counts once', () => {
    expect(decideGrowthPurchase(bought, growthBought(orderId).data)).toBeUndefined();
    expect(decideGrowthSchedule(scheduled, growthScheduled(orderId).data)).toBeUndefined();
    expect(decideGrowthVisit(visited(scheduled, 2), growthVisited(orderId, 2).data)).toBeUndefined();
    const ended = decideGrowthEnd(scheduled, growthFinished(orderId).data)!.record;
    expect(decideGrowthEnd(ended, growthFinished(orderId).data)).toBeUndefined();
  });

  test('each event waits for those it depends on', () => {
    expect(() => decideGrowthPurchase(undefined, growthBought(orderId).data)).toThrow(/not been created/);
    expect(() => decideGrowthSchedule(undefined, growthScheduled(orderId).data)).toThrow(/not been created/);
    expect(() => decideGrowthSchedule(paid, growthScheduled(orderId).data)).toThrow(/has not come yet/);
    expect(() => decideGrowthVisit(bought, growthVisited(orderId, 1).data)).toThrow(/has not come yet/);
    expect(() => decideGrowthEnd(paid, growthFinished(orderId).data)).toThrow(/has not come yet/);
  });
});
