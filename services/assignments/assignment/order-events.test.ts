import { describe, expect, test } from '@jest/globals';
import {
  minute,
  newOrderId,
  orderCreated,
  orderUpdated,
  paymentSubmitted,
  photo,
  photoHidden,
} from '../test/builders.ts';
import { type Assignment, assignmentIdOf, shownPhotos } from './assignment.ts';
import {
  decideAnnouncement,
  decideCreation,
  decidePhoto,
  decideUpdate,
  decideVisibility,
} from './order-events.ts';

const orderId = newOrderId();

const customer = { name: 'María Pérez', email: 'maria@mail.test' };
const coordinates = { latitude: 4.6, longitude: -75.5 };

const announced = (): Assignment =>
  decideAnnouncement(undefined, paymentSubmitted({ orderId, region: 'Huila' }).data)!.record;

const waiting = (): Assignment => decideCreation(undefined, orderCreated({ orderId }).data, 1)!.record;

describe('the order of a submitted transfer', () => {
  test('is kept as unpaid, without the phone', () => {
    const transfer = paymentSubmitted({ orderId, region: 'Huila', submittedAt: minute(3) }).data;
    expect(decideAnnouncement(undefined, transfer)).toEqual({
      record: {
        id: assignmentIdOf(orderId),
        orderId,
        trees: 5,
        region: 'Huila',
        customer,
        orderedAt: minute(3),
        progress: { status: 'unpaid' },
        confirmed: { status: 'unpaid' },
        statusRevision: 0,
        confirmedRevision: 0,
        steps: [],
        history: [],
        setByAdmin: {},
        copies: { sequence: 0, placeSequence: 0 },
        photos: [],
        growth: [],
        updatedAt: minute(3),
      },
    });
  });

  test('is announced once', () => {
    expect(decideAnnouncement(announced(), paymentSubmitted({ orderId, trees: 9 }).data)).toBeUndefined();
  });

  const order = orderCreated({
    orderId,
    trees: 7,
    region: 'Tolima',
    statusRevision: 2,
    createdAt: minute(8),
    customer: { name: 'María P.', email: 'new@mail.test', phone: '+57 300 1234567' },
  }).data;
  const paid = {
    region: 'Tolima',
    orderedAt: minute(8),
    statusRevision: 2,
    confirmedRevision: 2,
    progress: { status: 'pending' },
    confirmed: { status: 'pending' },
  };

  test.each([0, 3])('waits for a worker as it was paid, in version %i', (sequence) => {
    expect(decideCreation(announced(), order, sequence)).toEqual({
      record: {
        ...announced(),
        ...paid,
        trees: 7,
        customer: { name: 'María P.', email: 'new@mail.test' },
        copies: { sequence, placeSequence: 0 },
      },
    });
  });

  test('keeps an edit that is newer than the payment', () => {
    const edited = { trees: 6, changed: ['trees'] };
    const current = decideUpdate(announced(), orderUpdated(orderId, edited).data, 4)!.record;
    expect(decideCreation(current, order, 3)).toEqual({ record: { ...current, ...paid } });
    expect(current).toMatchObject({ trees: 6, customer, copies: { sequence: 4 } });
  });

  test('takes no photos before it is paid', () => {
    expect(() => decidePhoto(announced(), photo(orderId).data)).toThrow(/no assignment/);
  });
});

test('a card’s order waits for a worker at once', () => {
  const order = orderCreated({ orderId, region: 'Huila', createdAt: minute(3) }).data;
  expect(decideCreation(undefined, order, 1)).toEqual({
    record: {
      ...announced(),
      progress: { status: 'pending' },
      confirmed: { status: 'pending' },
      orderedAt: minute(3),
      updatedAt: minute(3),
      copies: { sequence: 1, placeSequence: 0 },
    },
  });
});

describe('an edited order', () => {
  /** The place that the worker entered. */
  const known = (): Assignment => ({
    ...waiting(),
    location: 'Salento',
    coordinates,
    notes: 'Rainy day',
    copies: { sequence: 2, placeSequence: 2 },
  });
  const place = {
    location: 'Filandia',
    coordinates: { latitude: 4.7, longitude: -75.6 },
    notes: 'By the river',
  };
  const edit = (sequence: number, ...changed: string[]) =>
    decideUpdate(
      known(),
      orderUpdated(orderId, {
        trees: 8,
        customer: { name: 'Ana', email: 'ana@mail.test' },
        ...place,
        changed,
      }).data,
      sequence,
    );
  const news = { trees: 8, customer: { name: 'Ana', email: 'ana@mail.test' } };

  test('brings trees and customer, but no place that did not change', () => {
    expect(edit(3, 'trees', 'customer.name')).toEqual({
      record: { ...known(), ...news, copies: { sequence: 3, placeSequence: 2 } },
    });
  });

  test.each([
    ['location', { location: place.location }],
    ['coordinates', { coordinates: place.coordinates }],
    ['coordinates.latitude', { coordinates: place.coordinates }],
    ['notes', { notes: place.notes }],
  ])('brings %s alone when nothing else of the place changed', (field, set) => {
    const before = known();
    expect(edit(3, field)).toEqual({
      record: {
        ...before,
        ...news,
        ...set,
        setByAdmin: { ...before.setByAdmin, ...set },
        copies: { sequence: 3, placeSequence: 3 },
      },
    });
  });

  test('that comes late brings its place, unless a newer place is known', () => {
    const current = { ...known(), copies: { sequence: 5, placeSequence: 2 } };
    const late = orderUpdated(orderId, { trees: 8, ...place, changed: ['location'] }).data;
    expect(decideUpdate(current, late, 3)).toEqual({
      record: {
        ...current,
        location: place.location,
        setByAdmin: { ...current.setByAdmin, location: place.location },
        copies: { sequence: 5, placeSequence: 3 },
      },
    });
    expect(decideUpdate({ ...current, copies: { sequence: 2, placeSequence: 4 } }, late, 3)).toEqual({
      record: { ...current, trees: 8, copies: { sequence: 3, placeSequence: 4 } },
    });
  });

  test('that was applied before changes nothing', () => {
    expect(edit(2, 'trees', 'location')).toBeUndefined();
    expect(edit(1, 'trees', 'location')).toBeUndefined();
  });

  test('waits for its order', () => {
    expect(() => decideUpdate(undefined, orderUpdated(orderId).data, 2)).toThrow(
      `no assignment of order ${orderId} yet`,
    );
  });
});

describe('photos', () => {
  const added = (current: Assignment, photoId: string, uploadedAt: string, growthVisitId?: string) =>
    decidePhoto(
      current,
      photo(orderId, { photoId, filename: `${photoId}.jpg`, uploadedAt, growthVisitId }).data,
    )!.record;
  const names = (current: Assignment) => current.photos.map(({ photoId }) => photoId);

  test('are listed in upload order, those of one instant by id, each once', () => {
    const early = added(added(waiting(), 'late', minute(31)), 'early', minute(30));
    const all = added(added(early, 'b', minute(32)), 'a', minute(32));
    expect(names(all)).toEqual(['early', 'late', 'a', 'b']);
    expect(decidePhoto(all, photo(orderId, { photoId: 'early' }).data)).toBeUndefined();
  });

  test('of an unknown order wait', () => {
    expect(() => decidePhoto(undefined, photo(orderId).data)).toThrow(/no assignment/);
  });

  test('of a growth visit are shown with it and among all', () => {
    const both = added(added(waiting(), 'planting', minute(30)), 'growth', minute(31), 'visit-1');
    expect(both.photos).toEqual([
      { photoId: 'planting', filename: 'planting.jpg', uploadedAt: minute(30) },
      { photoId: 'growth', filename: 'growth.jpg', uploadedAt: minute(31), growthVisitId: 'visit-1' },
    ]);
    expect(shownPhotos(both)).toEqual(['planting.jpg', 'growth.jpg']);
    expect(shownPhotos(both, 'visit-1')).toEqual(['growth.jpg']);
    expect(shownPhotos(both, 'visit-2')).toEqual([]);
  });

  const { photoId } = photoHidden(orderId).data;
  const one = () => added(waiting(), photoId, minute(30));
  const shown = (current: Assignment | undefined, isHidden: boolean, sequence: number) =>
    decideVisibility(current, { photoId, isHidden, sequence });

  test('are hidden and shown again, each version once', () => {
    const both = added(one(), 'other', minute(31));
    const hidden = shown(both, true, 1)!;
    expect(hidden).toEqual({
      record: { ...both, photos: [{ ...both.photos[0], isHidden: true, sequence: 1 }, both.photos[1]] },
    });
    expect(shownPhotos(hidden.record)).toEqual(['other.jpg']);
    expect(shown(hidden.record, false, 1)).toBeUndefined();
    const restored = shown(hidden.record, false, 2)!.record;
    expect(shownPhotos(restored)).toEqual([`${photoId}.jpg`, 'other.jpg']);
    expect(shown(restored, true, 1)).toBeUndefined();
  });

  test('are hidden only once they have arrived', () => {
    expect(() => shown(undefined, true, 1)).toThrow(`no photo ${photoId} yet`);
    expect(() => shown(waiting(), true, 1)).toThrow(`no photo ${photoId} yet`);
  });
});
