import type { EventData } from '@arboleda/contracts/events/index.ts';
import { describe, expect, test } from '@jest/globals';
import type { Assignment } from '../assignment/assignment.ts';
import { decideConvergence } from '../assignment/convergence.ts';
import { decideAssignment, decideWorkerStep } from '../assignment/steps.ts';
import { BY_ADMIN, minute, statusChanged } from '../test/builders.ts';
import {
  after,
  ana,
  assigned,
  buys,
  fresh,
  luis,
  orderId,
  plants,
  scheduled,
  taken,
  visitId,
} from '../test/visit-builders.ts';
import { withVisits } from './purchase.ts';
import {
  changedVisits,
  decideNotice,
  decideVisitorLeft,
  inStep,
  listedVisits,
  noticeAt,
  shownVisits,
} from './visits.ts';

describe('the visitor', () => {
  const day = (n: number) => new Date(Date.UTC(2027, 1, 21 + n, 16)).toISOString();
  /** The visit after this number of notices to its worker. */
  const visitNotices = (before: Assignment, id: string, notices: number): Assignment =>
    withVisits(before, (visit) =>
      visit.visitId === id ? { ...visit, notices, lastNoticeAt: day(0) } : visit,
    );
  const notice = (before: Assignment, at: string, substitute?: typeof luis) => {
    const change = decideNotice(before, visitId(1), at, substitute);
    return change && after(before, change, at);
  };

  test('is notified on the day, and reminded every 14 days, three times', () => {
    let assignment = scheduled();
    const notices: [number, number][] = [];
    for (let n = -3; n < 100; n++) {
      const change = notice(assignment, day(n));
      if (!change) continue;
      assignment = change.record;
      const { reminders } = change.events![0]!.data as EventData<'growth_visit.due'>;
      notices.push([n, reminders]);
    }
    expect(notices).toEqual([
      [0, 0],
      [14, 1],
      [28, 2],
      [42, 3],
    ]);
    expect(shownVisits(assignment)[0]).toMatchObject({ reminders: 3, phase: 'open' });
    expect(listedVisits(assignment)[0]!.noticeAt).toBeUndefined();
  });

  test('receives the task’s details', () => {
    expect(notice(scheduled(), day(1))!.events).toMatchObject([
      {
        type: 'growth_visit.due',
        data: {
          visitId: visitId(1),
          number: 1,
          of: 3,
          worker: ana,
          trees: 5,
          location: 'Quindío, Colombia',
          dueAt: '2027-02-21T15:25:00.000Z',
        },
      },
    ]);
  });

  test('is replaced after leaving, and the new one gets a first notice', () => {
    const notified = notice(scheduled(), day(0))!.record;
    const left = after(notified, decideVisitorLeft(notified, visitId(1), 'ana')).record;
    const change = notice(left, day(2), luis)!;
    expect(change.events).toMatchObject([{ data: { worker: luis, reminders: 0 } }]);
    expect(shownVisits(change.record).map(({ workerId }) => workerId)).toEqual(['luis', 'ana', 'ana']);
    expect(taken(change.record, 1, { workerId: 'luis' }).events).toMatchObject([{ data: { worker: luis } }]);
  });

  test('who leaves restarts the notices of the one visit that they knew of', () => {
    const second = visitNotices(scheduled(), visitId(2), 2);
    const notified = notice(second, day(0))!.record;
    const { record, events } = decideVisitorLeft(notified, visitId(1), 'ana')!;
    expect(events).toBeUndefined();
    expect(record.growth[0]!.visits.map(({ notices, lastNoticeAt }) => [notices, lastNoticeAt])).toEqual([
      [0, undefined],
      [2, day(0)],
      [0, undefined],
    ]);
  });

  test('who leaves changes nothing of a visit that is another’s, done, unknown or not notified', () => {
    const notified = notice(scheduled(), day(0))!.record;
    expect(decideVisitorLeft(undefined, visitId(1), 'ana')).toBeUndefined();
    expect(decideVisitorLeft(notified, visitId(9), 'ana')).toBeUndefined();
    expect(decideVisitorLeft(notified, visitId(1), 'luis')).toBeUndefined();
    expect(decideVisitorLeft(notified, visitId(2), 'ana')).toBeUndefined();
    expect(decideVisitorLeft(taken(notified, 1).record, visitId(1), 'ana')).toBeUndefined();
    expect(decideNotice(undefined, visitId(1), day(0))).toBeUndefined();
    expect(decideNotice(notified, visitId(9), day(0))).toBeUndefined();
  });

  test('is notified once by two replicas', () => {
    const once = notice(scheduled(), day(0))!.record;
    expect(notice(once, day(0))).toBeUndefined();
  });

  test('is nobody while the order has no worker, and no notice is sent', () => {
    const before = fresh();
    const planted = after(
      before,
      decideConvergence(before, statusChanged(orderId, 1, 'pending', 'planted', BY_ADMIN).data),
    ).record;
    const bought = buys(planted).record;
    expect(notice(bought, day(5))).toBeUndefined();
    expect(notice(bought, day(5), luis)!.events).toMatchObject([{ data: { worker: luis, reminders: 0 } }]);
  });

  test('gets no notice of a completed or undated visit', () => {
    expect(noticeAt({ visitId: 'v', number: 1, notices: 0 })).toBeUndefined();
    expect(
      noticeAt({ visitId: 'v', number: 1, notices: 0, dueAt: minute(0), doneAt: minute(1) }),
    ).toBeUndefined();
  });
});

test('a visit that is due at once is notified at once', () => {
  const { jobs } = buys(plants(assigned()).record, { photoPackageType: 'three_year' });
  expect(jobs).toMatchObject([{ name: 'serve-visits' }]);
  expect(buys(plants(assigned()).record).jobs).toEqual([]);
});

test('a decision that changes no visit leaves the list of visits alone', () => {
  const before = scheduled();
  const { jobs, record } = after(
    before,
    decideWorkerStep(before, 'ana', { status: 'completed' }, minute(50)),
  );
  expect(jobs).toMatchObject([{ name: 'assign-waiting' }]);
  expect(changedVisits(before, record)).toEqual([]);
});

test('a change is later than the one before it, also within a millisecond or when a clock went back', () => {
  const before = fresh();
  expect(before.updatedAt).toBe(minute(60));
  const changed = (at: string) => inStep(before, decideAssignment(before, ana, at)!, at).record.updatedAt;
  expect(changed(minute(61))).toBe(minute(61));
  for (const at of [minute(60), minute(50)]) expect(changed(at)).toBe('2026-11-21T16:00:00.001Z');
});

test('a visit that moves to another worker the moment it is due is notified at once', () => {
  const before = scheduled();
  const moved = { ...before, progress: { ...before.progress, worker: luis } } as Assignment;
  const { dueAt } = shownVisits(before)[0]!;
  expect(inStep(before, { record: moved }, dueAt!).jobs).toMatchObject([{ name: 'serve-visits' }]);
});
