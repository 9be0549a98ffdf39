import { describe, expect, test } from '@jest/globals';
import {
  coordinatesOf,
  decideCreation,
  decidePhoto,
  decideStep,
  type FieldStep,
  type Order,
  photoDateOf,
} from './order.ts';
import { ANA, assigned, completed, minute, newOrderId, payment, photo, planted } from './test/builders.ts';

const orderId = newOrderId();
const paid = payment({ orderId });

const fresh = (): Order => decideCreation(undefined, paid.data)!.document;
/** The order after these steps, each of which must move it. */
const after = (...steps: FieldStep[]): Order =>
  steps.reduce((order, step) => decideStep(order, step)!.document, fresh());

describe('a payment', () => {
  test('makes a pending order that carries what was bought', () => {
    expect(fresh()).toMatchObject({
      _id: orderId,
      token: paid.data.orderToken,
      trees: 5,
      amountMinor: 8_230_000,
      createdAt: minute(0),
      statusRevision: 0,
      progress: { status: 'pending' },
      photos: [],
    });
  });

  test('is told to the world once, with all that others need', () => {
    const { events } = decideCreation(undefined, paid.data)!;
    const { paymentId: _paymentId, paidAt: _paidAt, ...bought } = paid.data;
    expect(events).toEqual([
      {
        type: 'order.created',
        data: { ...bought, statusRevision: 0, status: 'pending', createdAt: minute(0) },
      },
    ]);
  });

  test('starts the history with who paid, and that there is an order', () => {
    expect(fresh().timeline).toEqual([
      { at: minute(0), type: 'paid', by: { role: 'customer', name: 'María José Pérez' } },
      { at: minute(0), type: 'created', by: { role: 'system' } },
    ]);
  });

  test('finds its customer whatever the case of the address', () => {
    expect(fresh().emailKey).toBe('maria@mail.test');
    expect(fresh().customer.email).toBe('Maria@mail.test');
  });

  test('for an order that is there changes nothing, whatever it says', () => {
    expect(decideCreation(fresh(), payment({ orderId, trees: 20, amountMinor: 1 }).data)).toBeUndefined();
  });
});

describe('the steps of the field', () => {
  test('lead from pending to completed and keep each date', () => {
    const order = after(assigned(orderId), planted(orderId), completed(orderId));
    expect(order.progress).toEqual({
      status: 'completed',
      assignmentId: `assignment-${orderId}`,
      worker: ANA,
      assignedAt: minute(1),
      plantedAt: minute(20),
      completedAt: minute(50),
    });
    expect(order.statusRevision).toBe(3);
  });

  test('are each told to the world with the new revision and who did it', () => {
    expect(decideStep(fresh(), assigned(orderId))!.events).toEqual([
      {
        type: 'order.status_changed',
        data: {
          ...{ orderId, statusRevision: 1, from: 'pending', to: 'assigned', at: minute(1) },
          by: { role: 'system' },
        },
      },
    ]);
    expect(decideStep(after(assigned(orderId)), planted(orderId))!.events).toEqual([
      {
        type: 'order.status_changed',
        data: {
          ...{ orderId, statusRevision: 2, from: 'assigned', to: 'planted', at: minute(20) },
          by: { role: 'worker', id: ANA.workerId, name: ANA.name },
        },
      },
    ]);
  });

  test('are added to the history, which keeps what was there', () => {
    const before = after(assigned(orderId));
    const order = decideStep(before, planted(orderId, { notes: 'Rainy day' }))!.document;
    expect(order.timeline.slice(0, -1)).toEqual(before.timeline);
    expect(order.timeline.at(-1)).toEqual({
      ...{ at: minute(20), type: 'status_changed', from: 'assigned', to: 'planted', note: 'Rainy day' },
      by: { role: 'worker', id: ANA.workerId, name: ANA.name },
    });
    expect(order.notes).toBe('Rainy day');
  });

  test('say where the trees stand when they are planted', () => {
    const coordinates = { latitude: 4.637, longitude: -75.57 };
    const order = after(assigned(orderId), planted(orderId, { coordinates }));
    expect(order).toMatchObject({ location: 'Finca La Esperanza, Salento', coordinates });
  });

  test('that come before the order wait', () => {
    expect(() => decideStep(undefined, assigned(orderId))).toThrow(/not been created/);
  });

  test('that come before the step they stand on wait', () => {
    expect(() => decideStep(fresh(), planted(orderId))).toThrow(/not yet 1/);
    expect(() => decideStep(after(assigned(orderId)), completed(orderId))).toThrow(/not yet 2/);
  });

  test('decided on an older status are refused', () => {
    const order = after(assigned(orderId), planted(orderId));
    expect(decideStep(order, assigned(orderId))).toBeUndefined();
    expect(decideStep(order, planted(orderId))).toBeUndefined();
  });

  test('are refused when their number fits but somebody else took it for another status', () => {
    expect(decideStep(fresh(), planted(orderId, { statusRevision: 0 }))).toBeUndefined();
    expect(decideStep(fresh(), completed(orderId, { statusRevision: 0 }))).toBeUndefined();
    expect(decideStep(after(assigned(orderId)), assigned(orderId, { statusRevision: 1 }))).toBeUndefined();
    const done = after(assigned(orderId), planted(orderId), completed(orderId));
    expect(decideStep(done, completed(orderId, { statusRevision: 3 }))).toBeUndefined();
  });
});

describe('photos', () => {
  const withPhotos = (order: Order, ...uploads: ReturnType<typeof photo>[]): Order =>
    uploads.reduce((before, upload) => decidePhoto(before, upload.data)!.document, order);

  test('are kept in the order they were sent, also when they come the other way round', () => {
    const early = photo(orderId, { photoId: 'early', uploadedAt: minute(30) });
    const late = photo(orderId, { photoId: 'late', uploadedAt: minute(31) });
    const same = photo(orderId, { photoId: 'same moment', uploadedAt: minute(31) });
    const order = withPhotos(fresh(), same, late, early);
    expect(order.photos.map((one) => one.photoId)).toEqual(['early', 'late', 'same moment']);
    expect(photoDateOf(order)).toBe(minute(30));
  });

  test('are accepted before the news of the planting, and noted in the history', () => {
    const order = withPhotos(after(assigned(orderId)), photo(orderId));
    expect(order.progress.status).toBe('assigned');
    expect(order.statusRevision).toBe(1);
    expect(order.timeline.at(-1)).toEqual({
      ...{ at: minute(30), type: 'photo', by: { role: 'worker', id: ANA.workerId } },
    });
  });

  test('are not added twice', () => {
    expect(decidePhoto(withPhotos(fresh(), photo(orderId)), photo(orderId).data)).toBeUndefined();
  });

  test('of an order that is not there yet wait', () => {
    expect(() => decidePhoto(undefined, photo(orderId).data)).toThrow(/not been created/);
  });

  test('give the order its place when the worker gave none: the first that knows it', () => {
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
