import { expect, test } from '@jest/globals';
import type { Order } from '../order.ts';
import { ANA, minute, newOrderId, payment } from '../test/builders.ts';
import { growthBought, growthFinished, growthScheduled, growthVisited } from '../test/news.ts';
import { decidePayment } from './creation.ts';
import { decideGrowthEnd, decideGrowthPurchase, decideGrowthSchedule, decideGrowthVisit } from './growth.ts';

const orderId = newOrderId();
const paid = decidePayment(undefined, payment({ orderId }).data)!.document;
const bought = decideGrowthPurchase(paid, growthBought(orderId).data)!.document;
const scheduled = decideGrowthSchedule(bought, growthScheduled(orderId).data)!.document;
const visited = (order: Order, number: number) =>
  decideGrowthVisit(order, growthVisited(orderId, number).data)!.document;

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

test('an update that was made is kept with its day, its photos and who made it', () => {
  const order = visited(scheduled, 1);
  expect(order.growth[0]!.visits[0]).toMatchObject({ completedAt: minute(201), photos: 2 });
  expect(order.timeline.at(-1)).toMatchObject({
    ...{ type: 'growth_visited', number: 1, of: 3, by: { role: 'worker', id: ANA.workerId, name: ANA.name } },
  });
});

test('new dates replace the old ones, whichever come last; what was done stays done', () => {
  const later = growthScheduled(orderId, { days: [100, 190, 375], at: minute(150) }).data;
  const again = decideGrowthSchedule(visited(scheduled, 1), later)!.document;
  expect(again.growth[0]!.visits[0]).toMatchObject({
    dueAt: minute(100 * 24 * 60),
    completedAt: minute(201),
  });
  const reversed = decideGrowthSchedule(
    decideGrowthSchedule(bought, later)!.document,
    growthScheduled(orderId).data,
  );
  expect(reversed!.document.growth[0]!.visits[0]).toMatchObject({ dueAt: minute(100 * 24 * 60) });
  expect(reversed!.document.timeline.filter(({ type }) => type === 'growth_scheduled')).toHaveLength(2);
});

test('a package that is finished says so', () => {
  expect(decideGrowthEnd(scheduled, growthFinished(orderId).data)!.document.growth[0]!.completedAt).toBe(
    minute(210),
  );
});

test('each piece of news counts once', () => {
  expect(decideGrowthPurchase(bought, growthBought(orderId).data)).toBeUndefined();
  expect(decideGrowthSchedule(scheduled, growthScheduled(orderId).data)).toBeUndefined();
  expect(decideGrowthVisit(visited(scheduled, 2), growthVisited(orderId, 2).data)).toBeUndefined();
  const ended = decideGrowthEnd(scheduled, growthFinished(orderId).data)!.document;
  expect(decideGrowthEnd(ended, growthFinished(orderId).data)).toBeUndefined();
});

test('each waits for what it stands on', () => {
  expect(() => decideGrowthPurchase(undefined, growthBought(orderId).data)).toThrow(/not been created/);
  expect(() => decideGrowthSchedule(undefined, growthScheduled(orderId).data)).toThrow(/not been created/);
  expect(() => decideGrowthSchedule(paid, growthScheduled(orderId).data)).toThrow(/has not come yet/);
  expect(() => decideGrowthVisit(bought, growthVisited(orderId, 1).data)).toThrow(/has not come yet/);
  expect(() => decideGrowthEnd(paid, growthFinished(orderId).data)).toThrow(/has not come yet/);
});
