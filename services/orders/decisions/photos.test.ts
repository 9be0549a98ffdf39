import { ERASED_CUSTOMER } from '@arboleda/contracts/order.ts';
import { describe, expect, test } from '@jest/globals';
import { coordinatesOf, type Order, photoDateOf, shownPhotos } from '../order.ts';
import { ANA, assigned, minute, newOrderId, payment, photo, planted } from '../test/builders.ts';
import {
  approved,
  growthBought,
  growthFinished,
  growthScheduled,
  growthVisited,
  hidden,
  LUCIA,
  restored,
  submitted,
} from '../test/event-builders.ts';
import { decidePayment, decideSubmission } from './creation.ts';
import { decideEdit } from './edit.ts';
import { decideGrowthEnd, decideGrowthPurchase, decideGrowthSchedule, decideGrowthVisit } from './growth.ts';
import { decideAddress, decideErasure } from './person.ts';
import { decidePhoto, decideVisibility } from './photos.ts';
import { decideStep, type FieldStep } from './step.ts';

const orderId = newOrderId();

describe('photos', () => {
  const paid = payment({ orderId });

  const fresh = (): Order => decidePayment(undefined, paid.data)!.document;

  const after = (...steps: FieldStep[]): Order =>
    steps.reduce((order, step) => decideStep(order, step)!.document, fresh());

  describe('photos', () => {
    const withPhotos = (order: Order, ...uploads: ReturnType<typeof photo>[]): Order =>
      uploads.reduce((before, upload) => decidePhoto(before, upload.data)!.document, order);

    test('keep the order they were uploaded in, whatever order the events come in', () => {
      const early = photo(orderId, { photoId: 'early', uploadedAt: minute(30) });
      const late = photo(orderId, { photoId: 'late', uploadedAt: minute(31) });
      const same = photo(orderId, { photoId: 'same moment', uploadedAt: minute(31) });
      const order = withPhotos(fresh(), same, late, early);
      expect(order.photos.map((one) => one.photoId)).toEqual(['early', 'late', 'same moment']);
      expect(photoDateOf(order)).toBe(minute(30));
    });

    test('are accepted before the planting event, and added to the history', () => {
      const order = withPhotos(after(assigned(orderId)), photo(orderId));
      expect(order.progress.status).toBe('assigned');
      expect(order.statusRevision).toBe(1);
      expect(order.timeline.at(-1)).toEqual({
        at: minute(30),
        type: 'photo',
        by: { role: 'worker', id: ANA.workerId },
      });
    });

    test('are added once', () => {
      expect(decidePhoto(withPhotos(fresh(), photo(orderId)), photo(orderId).data)).toBeUndefined();
    });

    test('wait for the order', () => {
      expect(() => decidePhoto(undefined, photo(orderId).data)).toThrow(/not been created/);
    });

    test('locate the order when the worker did not: the first photo with a position does', () => {
      const here = { latitude: 4.1, longitude: -75.1 };
      const there = { latitude: 4.2, longitude: -75.2 };
      const order = withPhotos(
        after(assigned(orderId), planted(orderId)),
        photo(orderId, { photoId: 'c', uploadedAt: minute(33), coordinates: there }),
        photo(orderId, { photoId: 'b', uploadedAt: minute(32), coordinates: here }),
        photo(orderId, { photoId: 'a', uploadedAt: minute(31) }),
      );
      expect(coordinatesOf(order)).toEqual(here);
      expect(coordinatesOf({ ...order, coordinates: there })).toEqual(there);
      expect(coordinatesOf(fresh())).toBeUndefined();
    });
  });

  describe('a photo that an admin hides', () => {
    const coordinates = { latitude: 4.6, longitude: -75.5 };
    const withPhoto = decidePhoto(
      fresh(),
      photo(orderId, { coordinates, flags: ['far-from-place'] }).data,
    )!.document;
    const after = (...news: (ReturnType<typeof hidden> | ReturnType<typeof restored>)[]): Order =>
      news.reduce((order, one) => decideVisibility(order, one)!.document, withPhoto);

    test('is hidden from everybody else with its position, and can be shown again', () => {
      const without = after(hidden(orderId));
      expect(shownPhotos(without)).toEqual([]);
      expect([photoDateOf(without), coordinatesOf(without)]).toEqual([undefined, undefined]);
      expect(without.photos[0]).toMatchObject({
        flags: ['far-from-place'],
        shown: { hidden: true, by: LUCIA },
      });
      const again = after(hidden(orderId), restored(orderId));
      expect(shownPhotos(again)).toHaveLength(1);
      expect(coordinatesOf(again)).toEqual(coordinates);
    });

    test('has the newest decision, and the history lists each once', () => {
      const [first, second] = [hidden(orderId, { at: minute(60) }), restored(orderId, { at: minute(61) })];
      expect(after(second, first).photos).toEqual(after(first, second).photos);
      expect(decideVisibility(after(second, first), first)).toBeUndefined();
      expect(
        after(second, first)
          .timeline.slice(-2)
          .map(({ type }) => type),
      ).toEqual(['photo_restored', 'photo_hidden']);
    });

    test('waits for the photo event', () => {
      expect(() => decideVisibility(fresh(), hidden(orderId))).toThrow(/has not come yet/);
      expect(() => decideVisibility(undefined, restored(orderId))).toThrow(/has not come yet/);
    });
  });
});

describe('growth', () => {
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

  test('a finished package is completed', () => {
    expect(decideGrowthEnd(scheduled, growthFinished(orderId).data)!.document.growth[0]!.completedAt).toBe(
      minute(210),
    );
  });

  test('each event counts once', () => {
    expect(decideGrowthPurchase(bought, growthBought(orderId).data)).toBeUndefined();
    expect(decideGrowthSchedule(scheduled, growthScheduled(orderId).data)).toBeUndefined();
    expect(decideGrowthVisit(visited(scheduled, 2), growthVisited(orderId, 2).data)).toBeUndefined();
    const ended = decideGrowthEnd(scheduled, growthFinished(orderId).data)!.document;
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

describe('person', () => {
  const announced = decideSubmission(undefined, submitted(orderId).data)!.document;

  const paid = decidePayment(announced, approved(orderId).data)!.document;

  const grown = decideGrowthPurchase(paid, growthBought(orderId).data)!.document;

  const edited = decideEdit(
    grown,
    { customerName: 'Mary Perez', trees: 6 },
    { by: LUCIA, at: minute(5) },
  )!.document;

  const by = { role: 'customer' as const, id: 'account-1' };

  const at = minute(400);

  test('an erasure keeps the purchase and removes the customer, also from history and evidence', () => {
    const { document, events } = decideErasure(edited, { email: 'MARIA@mail.test', by, at })!;
    expect(JSON.stringify(document)).not.toMatch(/Mar[ií]a|Mary|P[eé]rez|@mail|300 1234567/);
    expect(document.customer).toEqual(ERASED_CUSTOMER);
    expect(document).toMatchObject({ trees: 6, transactionId: 'transfer-1' });
    expect(document.timeline.map(({ type }) => type)).toEqual([
      ...edited.timeline.map(({ type }) => type),
      'erased',
    ]);
    expect(document.timeline.find(({ type }) => type === 'edited')).toMatchObject({
      by: LUCIA,
      changes: [
        { field: 'trees', from: 5, to: 6 },
        { field: 'customer.name', from: '—', to: '—' },
      ],
    });
    expect(events).toMatchObject([
      {
        type: 'order.updated',
        data: { orderId, customer: ERASED_CUSTOMER, changed: ['customer.name', 'customer.email'], by, at },
      },
    ]);
  });

  test('a new address of the account applies to its orders, and is published', () => {
    const { document, events } = decideAddress(paid, {
      from: 'maria@mail.test',
      to: 'maria@new.test',
      by,
      at,
    })!;
    expect(document.customer).toEqual({ ...paid.customer, email: 'maria@new.test' });
    expect(document.timeline.at(-1)).toEqual({ at, type: 'address_changed', by });
    expect(events).toMatchObject([
      { type: 'order.updated', data: { changed: ['customer.email'], customer: { email: 'maria@new.test' } } },
    ]);
  });

  test('a new address is newer than an earlier change that arrives later', () => {
    const changed = { ...paid, updatedAt: '2100-01-01T00:00:00.000Z' };
    const { events } = decideAddress(changed, { from: 'maria@mail.test', to: 'maria@new.test', by, at })!;
    expect(events).toMatchObject([{ data: { at: '2100-01-01T00:00:00.001Z' } }]);
  });

  test('a change of an account skips orders of others, and orders already changed', () => {
    expect(decideErasure(paid, { email: 'other@mail.test', by, at })).toBeUndefined();
    expect(decideErasure(undefined, { email: 'maria@mail.test', by, at })).toBeUndefined();
    expect(decideAddress(paid, { from: 'other@mail.test', to: 'x@new.test', by, at })).toBeUndefined();
    const erased = decideErasure(paid, { email: 'maria@mail.test', by, at })!.document;
    expect(decideErasure(erased, { email: 'maria@mail.test', by, at })).toBeUndefined();
  });

  test('a change of an account skips later buyers under its address, even when repeated', () => {
    const before = minute(-100);
    expect(decideErasure(paid, { email: 'maria@mail.test', by, at: before })).toBeUndefined();
    expect(
      decideAddress(paid, { from: 'maria@mail.test', to: 'x@new.test', by, at: before }),
    ).toBeUndefined();
  });
});
