import { describe, expect, test } from '@jest/globals';
import { coordinatesOf, type Order, photoDateOf, shownPhotos } from './order.ts';
import { ANA, assigned, minute, newOrderId, payment, photo, planted } from '../test/builders.ts';
import { hidden, LUCIA, restored } from '../test/event-builders.ts';
import { decidePayment } from './creation.ts';
import { decidePhoto, decideVisibility } from './photos.ts';
import { decideStep, type FieldStep } from './step.ts';

const orderId = newOrderId();

describe('photos', () => {
  const paid = payment({ orderId });

  const fresh = (): Order => decidePayment(undefined, paid.data)!.record;

  const after = (...steps: FieldStep[]): Order =>
    steps.reduce((order, step) => decideStep(order, step)!.record, fresh());

  describe('photos', () => {
    const withPhotos = (order: Order, ...uploads: ReturnType<typeof photo>[]): Order =>
      uploads.reduce((before, upload) => decidePhoto(before, upload.data)!.record, order);

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

    test('keep their flags and the growth visit they belong to', () => {
      const [plain] = withPhotos(fresh(), photo(orderId, { flags: [] })).photos;
      expect([plain!.flags, plain!.growthVisitId]).toEqual([undefined, undefined]);
      const more = { flags: ['far-from-place' as const], growthVisitId: 'visit-1' };
      expect(withPhotos(fresh(), photo(orderId, more)).photos).toMatchObject([more]);
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
    )!.record;
    const after = (...news: (ReturnType<typeof hidden> | ReturnType<typeof restored>)[]): Order =>
      news.reduce((order, one) => decideVisibility(order, one)!.record, withPhoto);

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

    test('leaves the other photos of the order as they were, also when decided at the same moment', () => {
      const other = { photoId: 'photo-2', filename: 'BBBBBBBBBBBBBBBBBBBBBB.jpg' };
      const two = decidePhoto(withPhoto, photo(orderId, { ...other, uploadedAt: minute(31) }).data)!.record;
      const one = decideVisibility(two, hidden(orderId, other))!.record;
      expect(shownPhotos(one)).toEqual([two.photos[0]]);
      const both = decideVisibility(one, hidden(orderId))!.record;
      expect([shownPhotos(both), both.timeline.length]).toEqual([[], two.timeline.length + 2]);
    });

    test('waits for the photo event', () => {
      expect(() => decideVisibility(fresh(), hidden(orderId))).toThrow(/has not come yet/);
      expect(() => decideVisibility(undefined, restored(orderId))).toThrow(/has not come yet/);
    });
  });
});
