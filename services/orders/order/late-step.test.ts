import type { EventData } from '@arboleda/contracts/events/index.ts';
import { describe, expect, test } from '@jest/globals';
import { isFlagged, openReports, type Order } from './order.ts';
import { ANA, assigned, completed, minute, newOrderId, payment, planted } from '../test/builders.ts';
import { decidePayment } from './creation.ts';
import { decideLateStep } from './late-step.ts';
import { decideStep } from './step.ts';

const orderId = newOrderId();
const PABLO = { ...ANA, workerId: 'worker-pablo', name: 'Pablo Mora' };

const late = (changes: Partial<EventData<'order.late_step'>> = {}): EventData<'order.late_step'> => ({
  orderId,
  assignmentId: `assignment-${orderId}`,
  worker: ANA,
  step: 'planted',
  at: minute(40),
  ...changes,
});

const fresh = decidePayment(undefined, payment({ orderId }).data)!.record;
const taken = decideStep(fresh, assigned(orderId, { worker: PABLO }))!.record;
const reported = decideLateStep(taken, late())!.record;

const reportsOf = ({ timeline }: Order) => timeline.filter(({ type }) => type === 'reported');

describe('a step reported by a former worker', () => {
  test('is noted with what they wrote and where they were, and changes nothing else', () => {
    const place = { location: 'Vereda La Paz', coordinates: { latitude: 4.6, longitude: -75.5 } };
    const { record, events } = decideLateStep(taken, late({ notes: 'Done', ...place }))!;
    expect(events).toBeUndefined();
    expect(record).toEqual({
      ...taken,
      timeline: [
        ...taken.timeline,
        {
          at: minute(40),
          type: 'reported',
          to: 'planted',
          note: 'Done · Vereda La Paz · 4.6, -75.5',
          by: { role: 'worker', id: ANA.workerId, name: ANA.name },
        },
      ],
    });
    expect(reportsOf(reported)[0]).not.toHaveProperty('note');
  });

  test('is noted once for each worker and step, whatever else they did with the order', () => {
    expect(decideLateStep(reported, late({ at: minute(41) }))).toBeUndefined();
    const all = [late({ step: 'completed' }), late({ worker: PABLO })].reduce(
      (order, step) => decideLateStep(order, step)!.record,
      reported,
    );
    expect(reportsOf(all)).toHaveLength(3);
    const done = decideStep(taken, planted(orderId, { worker: PABLO }))!.record;
    expect(reportsOf(decideLateStep(done, late({ worker: PABLO }))!.record)).toHaveLength(1);
  });

  test('waits for the order', () => {
    expect(() => decideLateStep(undefined, late())).toThrow(/not been created/);
  });

  test('is for an admin to look at until the trees are planted', () => {
    expect([openReports(taken), isFlagged(taken)]).toEqual([[], false]);
    expect([openReports(reported).length, isFlagged(reported)]).toEqual([1, true]);
    const stands = decideStep(reported, planted(orderId))!.record;
    expect([openReports(stands), isFlagged(stands)]).toEqual([[], false]);
    const done = decideStep(stands, completed(orderId))!.record;
    expect([openReports(done), isFlagged(done)]).toEqual([[], false]);
  });
});
