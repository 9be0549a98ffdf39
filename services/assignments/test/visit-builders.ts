import type { Change } from '@arboleda/chassis/records.ts';
import type { EventData } from '@arboleda/contracts/events/index.ts';
import type { Assignment } from '../assignment/assignment.ts';
import { decideCreation, decidePhoto } from '../assignment/order-events.ts';
import { decideAssignment, decideWorkerStep } from '../assignment/steps.ts';
import { decidePurchase } from '../growth/purchase.ts';
import { inStep, shownVisits } from '../growth/visits.ts';
import { workerOf } from '../workers/worker.ts';
import { minute, newOrderId, orderCreated, packagePurchased, photo, worker } from './builders.ts';

/** One order with a photo package, of which each test takes a copy. */
export const orderId = newOrderId();
export const visitId = (number: number, purchase = 0) => `visit-${orderId}-${purchase}-${number}`;
export const ana = workerOf(worker('ana'));
export const luis = workerOf(worker('luis'));

/** The assignment after a decision, as it is written. */
export function after(
  before: Assignment | undefined,
  change: Change<Assignment> | undefined,
  at = minute(60),
): Change<Assignment> {
  if (!change) throw new Error('nothing was decided');
  return inStep(before, change, at);
}
export const fresh = () =>
  after(undefined, decideCreation(undefined, orderCreated({ orderId }).data, 1)).record;
export const assigned = (before = fresh()) => after(before, decideAssignment(before, ana, minute(1))).record;
export const plants = (before: Assignment) =>
  after(before, decideWorkerStep(before, 'ana', { status: 'planted' }, minute(20)));
export const buys = (before: Assignment, bought: Partial<EventData<'photo_package.purchased'>> = {}) =>
  after(before, decidePurchase(before, packagePurchased(orderId, bought).data));
export const taken = (before: Assignment, number: number, more: Partial<EventData<'photo.uploaded'>> = {}) =>
  after(
    before,
    decidePhoto(
      before,
      photo(orderId, { photoId: `photo-${number}`, workerId: 'ana', growthVisitId: visitId(number), ...more })
        .data,
    ),
  );
export const scheduled = () => buys(plants(assigned()).record).record;
export const typesOf = ({ events = [] }: Change<Assignment>) => events.map(({ type }) => type);
export const datesOf = (assignment: Assignment) =>
  shownVisits(assignment).map(({ dueAt }) => dueAt?.slice(0, 10));
