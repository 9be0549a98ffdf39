import { describe, expect, test } from '@jest/globals';
import type { Assignment } from '../assignment/assignment.ts';
import { decideConvergence } from '../assignment/convergence.ts';
import { decideAdminAssignment } from '../assignment/steps.ts';
import { BY_ADMIN, minute, packagePurchased, statusChanged } from '../test/builders.ts';
import {
  after,
  ana,
  assigned,
  buys,
  datesOf,
  luis,
  orderId,
  plants,
  scheduled,
  taken,
  typesOf,
  visitId,
} from '../test/visit-builders.ts';
import { decidePackageStatus, decidePurchase, orderIdOfVisit } from './purchase.ts';
import { changedVisits, decideNotice, listedVisits, shownStateOf, shownVisits, stateOf } from './visits.ts';

describe('a photo package', () => {
  test('bought after the planting counts from the purchase', () => {
    const { record, events } = buys(plants(assigned()).record, {
      purchasedAt: '2027-01-31T10:00:00.000Z',
    });
    expect(datesOf(record)).toEqual(['2027-04-30', '2027-07-31', '2028-01-31']);
    expect(events).toEqual([
      {
        type: 'growth_visit.scheduled',
        data: {
          orderId,
          purchaseId: 'purchase-1',
          photoPackageType: 'first_year',
          at: minute(60),
          visits: shownVisits(record).map(({ _id, number, dueAt }) => ({
            visitId: _id,
            orderId,
            purchaseId: 'purchase-1',
            number,
            of: 3,
            dueAt,
          })),
        },
      },
    ]);
  });

  test('bought before the planting counts from the planting', () => {
    const waiting = buys(assigned(), { purchasedAt: minute(5) });
    expect(typesOf(waiting)).toEqual([]);
    expect(shownVisits(waiting.record).map(({ phase }) => phase)).toEqual(['waiting', 'waiting', 'waiting']);
    const planted = plants(waiting.record);
    expect(typesOf(planted)).toEqual(['order.planted', 'growth_visit.scheduled']);
    expect(datesOf(planted.record)).toEqual(['2027-02-21', '2027-05-21', '2027-11-21']);
  });

  test.each([
    ['first_year', 3, '2027-02-21', '2027-11-21'],
    ['three_year', 7, '2026-11-21', '2029-11-21'],
    ['lifetime', 10, '2027-05-21', '2031-11-21'],
  ] as const)('%s has %i updates', (photoPackageType, count, first, last) => {
    const dates = datesOf(buys(plants(assigned()).record, { photoPackageType }).record);
    expect([dates.length, dates[0], dates.at(-1)]).toEqual([count, first, last]);
  });

  test('is added once when repeated; another package is added too', () => {
    const once = scheduled();
    expect(decidePurchase(once, packagePurchased(orderId).data)).toBeUndefined();
    const both = buys(once, { purchaseId: 'purchase-2' });
    expect(typesOf(both)).toEqual(['growth_visit.scheduled']);
    expect(shownVisits(both.record).map(({ _id }) => _id)).toEqual([
      visitId(1),
      visitId(2),
      visitId(3),
      visitId(1, 1),
      visitId(2, 1),
      visitId(3, 1),
    ]);
  });

  test('of an unknown order waits', () => {
    expect(() => decidePurchase(undefined, packagePurchased(orderId).data)).toThrow(/no assignment/);
  });
});

describe('a change by an admin', () => {
  const applied = (before: Assignment, ...args: Parameters<typeof statusChanged>) =>
    after(before, decideConvergence(before, statusChanged(...args).data), minute(70));

  test('back to unplanted suspends open visits, and a new planting dates them again', () => {
    const once = taken(scheduled(), 1).record;
    const back = applied(once, orderId, 3, 'planted', 'assigned', BY_ADMIN);
    expect(shownVisits(back.record).map(({ phase }) => phase)).toEqual(['done', 'waiting', 'waiting']);
    expect(typesOf(back)).toEqual([]);
    const again = applied(back.record, orderId, 4, 'assigned', 'planted', {
      ...BY_ADMIN,
      at: '2027-03-31T10:00:00.000Z',
    });
    expect(typesOf(again)).toEqual(['growth_visit.scheduled']);
    expect(datesOf(again.record)).toEqual(['2027-02-21', '2027-09-30', '2028-03-31']);
  });

  test('to another worker moves the visits, which are notified again', () => {
    const before = scheduled();
    const noticed = after(before, decideNotice(before, visitId(1), '2027-03-01T00:00:00.000Z')).record;
    const step = { worker: luis, reason: 'Holidays', ...BY_ADMIN, seenRevision: noticed.statusRevision };
    const { record, jobs } = after(noticed, decideAdminAssignment(noticed, step, minute(70)));
    expect(shownVisits(record).map(({ workerId }) => workerId)).toEqual(['luis', 'luis', 'luis']);
    expect(shownVisits(record)[0]).toMatchObject({ reminders: 0 });
    const [first] = listedVisits(record);
    expect(first!.noticeAt).toBe(first!.dueAt);
    expect(changedVisits(noticed, record)).toHaveLength(3);
    expect(jobs).toMatchObject([{ name: 'assign-waiting' }]);
  });
});

describe('a visit', () => {
  test('is completed by its first photo, once, and its package by the last visit', () => {
    const first = taken(scheduled(), 1);
    expect(first.events).toEqual([
      {
        type: 'growth_visit.completed',
        data: {
          visitId: visitId(1),
          orderId,
          purchaseId: 'purchase-1',
          number: 1,
          of: 3,
          worker: ana,
          photos: 1,
          at: minute(30),
        },
      },
    ]);
    const more = taken(first.record, 1, { photoId: 'another' });
    expect(typesOf(more)).toEqual([]);
    expect(shownVisits(more.record)[0]).toMatchObject({ phase: 'done', doneAt: minute(30) });
    expect(shownVisits(more.record)[0]!.photos).toHaveLength(2);
    const third = taken(more.record, 3);
    expect(typesOf(third)).toEqual(['growth_visit.completed']);
    expect(typesOf(taken(third.record, 2))).toEqual(['growth_visit.completed', 'photo_package.completed']);
  });

  test('is not completed by anybody else, though the photo is kept', () => {
    const { record, events } = taken(scheduled(), 1, { workerId: 'luis' });
    expect(events).toEqual([]);
    expect(record.photos).toHaveLength(1);
    expect(shownVisits(record)[0]!.phase).toBe('open');
  });

  test('is completed by its worker at the time of the photo, even if reassigned meanwhile', () => {
    const before = scheduled();
    const step = { worker: luis, reason: 'Holidays', ...BY_ADMIN, seenRevision: before.statusRevision };
    const given = after(before, decideAdminAssignment(before, step, minute(70))).record;
    expect(taken(given, 1).events).toMatchObject([{ data: { worker: ana } }]);
  });

  test('of no package is ignored', () => {
    expect(typesOf(taken(scheduled(), 9))).toEqual([]);
  });

  test('is due from its day on', () => {
    const [row] = shownVisits(scheduled());
    expect(stateOf(row!, '2027-02-21T15:24:59.999Z')).toBe('scheduled');
    expect(stateOf(row!, row!.dueAt!)).toBe('due');
    expect(stateOf({}, minute(0))).toBe('waiting');
    expect(stateOf({ dueAt: minute(0), doneAt: minute(1) }, minute(2))).toBe('done');
    expect(shownStateOf(row!, row!.dueAt!)).toBe('due');
    expect(shownStateOf({ ...row!, phase: 'cancelled' }, row!.dueAt!)).toBe('cancelled');
  });

  test('has an id that contains its order’s', () => {
    expect(orderIdOfVisit(visitId(3))).toBe(orderId);
    expect(['visit-', `visit-${orderId}`, `visit-${orderId}-1-2-3`, 'x'].map(orderIdOfVisit)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('a refunded package', () => {
  const changed = (before: Assignment, status: 'active' | 'stopped', revision: number) => {
    const news = { orderId, purchaseId: 'purchase-1', status, revision, at: minute(60) };
    const change = decidePackageStatus(before, news);
    return change && after(before, change);
  };
  const phasesOf = (assignment: Assignment) => shownVisits(assignment).map(({ phase }) => phase);

  test('has its open visits cancelled without notices', () => {
    const { record } = changed(taken(scheduled(), 1).record, 'stopped', 1)!;
    expect(phasesOf(record)).toEqual(['done', 'cancelled', 'cancelled']);
    expect(listedVisits(record).map((visit) => visit.noticeAt)).toEqual([undefined, undefined, undefined]);
    expect(decideNotice(record, visitId(2), '2030-01-01T00:00:00.000Z')).toBeUndefined();
  });

  test('has them back on their dates when it becomes active again', () => {
    const stopped = changed(scheduled(), 'stopped', 1)!.record;
    const { record } = changed(stopped, 'active', 2)!;
    expect(phasesOf(record)).toEqual(['open', 'open', 'open']);
    expect(datesOf(record)).toEqual(datesOf(scheduled()));
    expect(changed(record, 'stopped', 1)).toBeUndefined();
  });

  test('gets no dates from a later planting until it becomes active again', () => {
    const bought = buys(assigned()).record;
    const planted = plants(changed(bought, 'stopped', 1)!.record);
    expect(typesOf(planted)).not.toContain('growth_visit.scheduled');
    expect(typesOf(changed(planted.record, 'active', 2)!)).toEqual(['growth_visit.scheduled']);
  });

  test('keeps a visit made before the refund arrived', () => {
    const stopped = changed(scheduled(), 'stopped', 1)!.record;
    expect(typesOf(taken(stopped, 1))).toEqual(['growth_visit.completed']);
  });

  test('waits for its purchase', () => {
    expect(() => changed(assigned(), 'stopped', 1)).toThrow(/not come yet/);
  });
});
