import type { Change } from '@arboleda/chassis/ports/documents.ts';
import { type Chance, seeded } from '@arboleda/chassis/testing/seeded.ts';
import { ERASED_CUSTOMER } from '@arboleda/contracts/order.ts';
import { expect, test } from '@jest/globals';
import { inStep } from '../growth/in-step.ts';
import { decidePurchase } from '../growth/purchase.ts';
import { rowsOf } from '../growth/rows.ts';
import {
  BY_ADMIN,
  minute,
  newOrderId,
  orderCreated,
  orderUpdated,
  packagePurchased,
  paymentSubmitted,
  photo,
  photoHidden,
  photoRestored,
  statusChanged,
} from '../test/builders.ts';
import { type Assignment, decideAnnouncement, decideCreation } from './assignment.ts';
import { decideConvergence } from './convergence.ts';
import { decideUpdate } from './copies.ts';
import { decidePhoto, decideVisibility, shownPhotos } from './photos.ts';

const orderId = newOrderId();
const coordinates = { latitude: 4.6, longitude: -75.5 };
type News = (current: Assignment | undefined) => Change<Assignment> | undefined;

/** All that happens to a transfer's order that admins handle by hand. */
const news: News[] = [
  (current) => decideAnnouncement(current, paymentSubmitted({ orderId, trees: 5 }).data),
  (current) => decideUpdate(current, orderUpdated(orderId, { trees: 7, changed: ['trees'] }).data, 2),
  (current) => decideCreation(current, orderCreated({ orderId, trees: 7 }).data, 3),
  (current) =>
    decideUpdate(
      current,
      orderUpdated(orderId, {
        trees: 7,
        location: 'Salento',
        coordinates,
        changed: ['location', 'coordinates'],
      }).data,
      4,
    ),
  (current) => decideConvergence(current, statusChanged(orderId, 1, 'pending', 'assigned', BY_ADMIN).data),
  (current) => decideConvergence(current, statusChanged(orderId, 2, 'assigned', 'planted', BY_ADMIN).data),
  (current) =>
    decideUpdate(
      current,
      orderUpdated(orderId, {
        ...{ trees: 7, location: 'Salento', coordinates, customer: { ...ERASED_CUSTOMER } },
        changed: ['customer.name', 'customer.email'],
      }).data,
      7,
    ),
  (current) => decidePurchase(current, packagePurchased(orderId).data),
  (current) => decidePhoto(current, photo(orderId).data),
  (current) => decidePhoto(current, photo(orderId, { photoId: 'photo-2', filename: 'second.jpg' }).data),
  (current) => decideVisibility(current, { ...photoHidden(orderId).data, isHidden: true, sequence: 3 }),
  (current) =>
    decideVisibility(current, { ...photoHidden(orderId, 'photo-2').data, isHidden: true, sequence: 3 }),
  (current) =>
    decideVisibility(current, { ...photoRestored(orderId, 'photo-2').data, isHidden: false, sequence: 4 }),
];

/** Hears everything, some of it twice; what comes too early comes again. */
function hear(order: readonly News[], chance: Chance): Assignment {
  let current: Assignment | undefined;
  const waiting = order.flatMap((one) => (chance.below(4) === 0 ? [one, one] : [one]));
  for (let turns = 0; waiting.length > 0; turns++) {
    if (turns > 5_000) throw new Error('something never arrives');
    const one = waiting.shift()!;
    try {
      const change = one(current);
      if (change) current = inStep(current, change, minute(90)).document;
    } catch {
      waiting.push(one);
    }
  }
  return current!;
}

test('in whatever order news come, and if they come twice, an assignment ends the same', () => {
  const facts = (assignment: Assignment) => ({
    ...assignment,
    visits: rowsOf(assignment).map(({ revision: _revision, ...row }) => row),
    photos: shownPhotos(assignment),
    visitsRevision: undefined,
    growth: undefined,
    // Whoever hears of the planting at once does not hear of the way there.
    isReleased: undefined,
    progress: assignment.progress.status,
  });
  const usual = hear(news, seeded(0));
  expect(facts(usual)).toMatchObject({
    ...{ progress: 'planted', trees: 7, customer: ERASED_CUSTOMER, location: 'Salento', coordinates },
    photos: ['second.jpg'],
    visits: [{ dueAt: '2027-02-21T15:25:00.000Z' }, {}, {}],
  });
  for (let seed = 1; seed <= 400; seed++) {
    const chance = seeded(seed);
    expect({ seed, ...facts(hear(chance.shuffle(news), chance)) }).toEqual({ seed, ...facts(usual) });
  }
});
