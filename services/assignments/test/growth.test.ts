import { openMetrics } from '@arboleda/chassis/http/metrics.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { showVisits } from '../metrics.ts';
import {
  BY_ADMIN,
  minute,
  orderCreated,
  packagePurchased,
  photoHidden,
  photoRestored,
  statusChanged,
  workerUpdated,
} from './builders.ts';
import { enveloped } from './fixture.ts';
import { ANA, type GrowthHarness, LUIS, openGrowthHarness, visited } from './growth-harness.ts';

let harness: GrowthHarness;

beforeAll(async () => {
  harness = await openGrowthHarness();
});

beforeEach(() => harness.setNow(minute(0)));

afterEach(() => harness.field.clear());

afterAll(() => harness.field.close());

describe('a photo package', () => {
  test('becomes visits of its worker, with dates and places', async () => {
    const { orderId, assignmentId, visits } = await harness.bought();
    expect(visits.map(({ dueAt }) => dueAt)).toEqual([
      '2027-02-21T15:25:00.000Z',
      '2027-05-21T15:25:00.000Z',
      '2027-11-21T15:25:00.000Z',
    ]);
    const { body } = await harness.ask('ana');
    expect(body.counts).toEqual({ due: 0, scheduled: 3, done: 0 });
    expect(body.visits[0]).toEqual({
      _id: visits[0]!.visitId,
      orderId,
      assignmentId,
      purchaseId: 'purchase-1',
      photoPackageType: 'first_year',
      number: 1,
      of: 3,
      state: 'scheduled',
      dueAt: visits[0]!.dueAt,
      trees: 5,
      location: 'Quindío, Colombia',
      photos: [],
      reminders: 0,
    });
  });

  test('is scheduled once when it is published or delivered twice', async () => {
    const { orderId } = await harness.bought();
    const again = enveloped(packagePurchased(orderId));
    await harness.field.publish(again, again, packagePurchased(orderId, { purchaseId: 'purchase-2' }));
    await harness.field.probe.next('growth_visit.scheduled', ({ data }) => data.purchaseId === 'purchase-2');
    await harness.visitsOf('ana', ({ counts }) => counts.scheduled === 6);
    expect(harness.field.probe.all('growth_visit.scheduled')).toHaveLength(2);
  });

  test('bought before the order arrived waits for it, and for the planting', async () => {
    await harness.field.known(ANA);
    const created = orderCreated();
    const { orderId } = created.data;
    await harness.field.publish(packagePurchased(orderId, { purchasedAt: minute(2) }), created);
    const { assignmentId } = (await harness.field.probe.next('order.assigned')).data;
    await waitFor(async () => (await harness.field.store.assignments.get(assignmentId))?.growth.length === 1);
    expect((await harness.internal(`visit-${orderId}-0-1`)).body).toMatchObject({
      state: 'waiting',
      workerId: 'ana',
    });
    expect((await harness.ask('ana')).body.visits).toEqual([]);
    harness.setNow(minute(20));
    await harness.field.move('ana', assignmentId, { status: 'planted' });
    const { data } = await harness.field.probe.next('growth_visit.scheduled');
    expect(data.visits[0]!.dueAt).toBe('2027-02-21T15:20:00.000Z');
  });

  test('whose first update is immediate is due at once', async () => {
    const { ids } = await harness.bought({ photoPackageType: 'three_year' });
    harness.setNow(minute(26));
    await harness.dueOf(ids[0]!, 'ana');
    await harness.visitsOf('ana', ({ counts }) => counts.due === 1);
    const { body } = await harness.ask('ana', { state: 'due' });
    expect(body.visits).toMatchObject([{ number: 1, of: 7, state: 'due' }]);
  });
});

describe('a change by an admin', () => {
  test('back to unplanted suspends the visits; a new planting dates them again', async () => {
    const { orderId, ids } = await harness.bought();
    await harness.field.publish(statusChanged(orderId, 3, 'planted', 'assigned', BY_ADMIN));
    await harness.visitsOf('ana', ({ counts }) => counts.scheduled === 0);
    expect((await harness.internal(ids[0]!)).body).toMatchObject({ state: 'waiting' });
    const at = '2027-03-31T10:00:00.000Z';
    await harness.field.publish(statusChanged(orderId, 4, 'assigned', 'planted', { ...BY_ADMIN, at }));
    const { data } = await harness.field.probe.next('growth_visit.scheduled', ({ key }) => key === orderId);
    expect(data.visits.map(({ dueAt }) => dueAt.slice(0, 10))).toEqual([
      '2027-06-30',
      '2027-09-30',
      '2028-03-31',
    ]);
  });

  test('to another worker moves the visits with the order', async () => {
    const { orderId, ids } = await harness.bought();
    await harness.field.known(LUIS);
    await harness.field.asAdmin('PUT /api/admin/orders/{id}/assignment', {
      params: { id: orderId },
      body: { workerId: 'luis', reason: 'Holidays' },
    });
    await harness.visitsOf('luis', ({ counts }) => counts.scheduled === 3);
    await harness.visitsOf('ana', ({ counts }) => counts.scheduled === 0);
    expect((await harness.internal(ids[0]!)).body.workerId).toBe('luis');
    harness.on('2027-02-22');
    await harness.dueOf(ids[0]!, 'luis');
    const { body } = await harness.field.asAdmin('GET /api/admin/orders/{id}/assignment', {
      params: { id: orderId },
    });
    expect(body.assignment.visits).toMatchObject([
      { state: 'due', worker: { workerId: 'luis' }, reminders: 0 },
      { state: 'scheduled' },
      {},
    ]);
    const load = await harness.field.asAdmin('GET /api/admin/workers/workloads', {});
    const mine = await waitFor(async () => {
      const { body: anew } = await harness.field.asAdmin('GET /api/admin/workers/workloads', {});
      return anew.workers.find((one: { workerId: string; visitsDue: number }) => one.visitsDue === 1);
    });
    expect({ status: load.status, workerId: mine.workerId }).toEqual({ status: 200, workerId: 'luis' });
  });
});

describe('GET /api/workers/growth-visits', () => {
  test('lists due ones first, then future ones, then completed ones, page by page', async () => {
    const { orderId, ids } = await harness.bought({ photoPackageType: 'lifetime' });
    await harness.field.publish(
      visited(orderId, ids[1]!),
      visited(orderId, ids[0]!, { uploadedAt: minute(31) }),
    );
    harness.on('2028-12-01');
    await harness.visitsOf('ana', ({ counts }) => counts.done === 2 && counts.due === 2);
    const numbers: string[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await harness.ask('ana', { limit: 3, ...(cursor && { cursor }) });
      expect(body.visits.length).toBeLessThanOrEqual(3);
      numbers.push(
        ...body.visits.map((one: { state: string; number: number }) => `${one.state} ${one.number}`),
      );
      cursor = body.nextCursor;
    } while (cursor);
    expect(numbers).toEqual([
      'due 3',
      'due 4',
      ...[5, 6, 7, 8, 9, 10].map((n) => `scheduled ${n}`),
      'done 1',
      'done 2',
    ]);
    const { body } = await harness.ask('ana', { state: 'scheduled', limit: 2 });
    expect(body.visits.map(({ number }: { number: number }) => number)).toEqual([5, 6]);
  });

  test('refuses invalid states, limits and cursors by name', async () => {
    for (const [path, value] of [
      ['state', 'waiting'],
      ['limit', 0],
      ['cursor', 'nonsense'],
    ] as const) {
      const { status, body } = await harness.ask('ana', { [path]: value });
      expect({ status, errors: body.errors }).toMatchObject({ status: 422, errors: [{ path }] });
    }
  });

  test('is for workers, and shows only their own', async () => {
    const key = 'GET /api/workers/growth-visits';
    expect((await harness.field.call(key)).status).toBe(401);
    for (const role of ['admin', 'customer'] as const) {
      expect(
        (await harness.field.call(key, { token: await harness.field.identity.token({ role }) })).status,
      ).toBe(403);
    }
    await harness.bought();
    expect((await harness.ask('luis')).body).toMatchObject({
      visits: [],
      counts: { due: 0, scheduled: 0, done: 0 },
    });
  });
});

describe('GET /internal/growth-visits/{id}', () => {
  test('returns the place of the trees and the date of the order', async () => {
    const { orderId, assignmentId, ids } = await harness.bought();
    const { body } = await harness.internal(ids[0]!);
    expect(body).toEqual({
      visitId: ids[0],
      orderId,
      assignmentId,
      workerId: 'ana',
      state: 'scheduled',
      orderedAt: minute(0),
      formerWorkerIds: [],
    });
  });

  test('accepts photos from two weeks before the date on', async () => {
    const { visits, ids } = await harness.bought();
    const dueMs = Date.parse(visits[0]!.dueAt);
    const stateBefore = async (days: number) => {
      harness.setNow(new Date(dueMs - days * 86_400_000).toISOString());
      return (await harness.internal(ids[0]!)).body.state;
    };
    expect([await stateBefore(15), await stateBefore(14)]).toEqual(['scheduled', 'due']);
  });

  test('finds existing visits only, and answers services only', async () => {
    const { orderId } = await harness.bought();
    for (const id of ['x', `visit-${orderId}-0-9`, `visit-${orderId}-1-1`]) {
      expect((await harness.internal(id)).status).toBe(404);
    }
    const token = await harness.field.identity.token({ role: 'worker', id: 'ana' });
    const answer = await harness.field.call('GET /internal/growth-visits/{id}', {
      params: { id: 'x' },
      token,
    });
    expect(answer.status).toBe(401);
  });
});

describe('a due visit', () => {
  test('is notified once, and reminded every 14 days, three times at most', async () => {
    const { orderId, ids } = await harness.bought();
    harness.on('2027-02-21');
    const first = await harness.dueOf(ids[0]!, 'ana');
    expect(first.data).toMatchObject({
      orderId,
      number: 1,
      of: 3,
      reminders: 0,
      trees: 5,
      location: 'Quindío, Colombia',
    });
    for (const [day, reminders] of [
      ['2027-03-08', 1],
      ['2027-03-23', 2],
      ['2027-04-07', 3],
    ] as const) {
      harness.on(day);
      expect((await harness.dueOf(ids[0]!, 'ana')).data.reminders).toBe(reminders);
    }
    // The next one is due: the first had its chance of a fifth notice.
    harness.on('2027-05-22');
    await harness.dueOf(ids[1]!, 'ana');
    expect(harness.noticesOf(ids[0]!)).toHaveLength(4);
    // The list is updated a moment after the decision.
    const { visits } = await harness.visitsOf('ana', (list) => list.visits[0].reminders === 3);
    expect(visits).toMatchObject([
      { state: 'due', reminders: 3 },
      { state: 'due', reminders: 0 },
      { state: 'scheduled' },
    ]);
  });

  test('overdue by a month is counted in metrics until it is made', async () => {
    const { orderId, ids } = await harness.bought();
    const overdueOn = async (day: string) => {
      const metrics = openMetrics('assignments');
      showVisits(metrics, harness.field.store, () => new Date(`${day}T20:00:00.000Z`));
      return /growth_visits_overdue\{[^}]*\} (\d+)/.exec(await metrics.registry.metrics())?.[1];
    };
    expect([await overdueOn('2027-03-20'), await overdueOn('2027-03-24')]).toEqual(['0', '1']);
    harness.on('2027-02-22');
    await harness.dueOf(ids[0]!, 'ana');
    await harness.field.publish(visited(orderId, ids[0]!));
    await harness.visitsOf('ana', ({ visits }) =>
      visits.some((one: { state: string }) => one.state === 'done'),
    );
    expect(await overdueOn('2027-03-24')).toBe('0');
  });

  test('is notified once by two replicas', async () => {
    const { ids } = await harness.bought();
    const replica = await harness.openReplica();
    try {
      harness.on('2027-05-22');
      await harness.dueOf(ids[1]!, 'ana');
      await harness.dueOf(ids[0]!, 'ana');
      harness.on('2027-06-06');
      await harness.dueOf(ids[0]!, 'ana');
      expect(harness.noticesOf(ids[0]!).map(({ data }) => data.reminders)).toEqual([0, 1]);
    } finally {
      await replica.close();
    }
  });

  test('whose worker left goes to another one, who alone may see and make it', async () => {
    const { orderId, ids } = await harness.bought();
    await harness.field.known(LUIS);
    await harness.field.publish(enveloped(workerUpdated({ ...ANA, active: false }), 2));
    await waitFor(async () => (await harness.field.store.workers.get('ana'))?.active === false);
    harness.on('2027-02-22');
    expect((await harness.dueOf(ids[0]!, 'luis')).data.reminders).toBe(0);
    expect((await harness.internal(ids[0]!)).body).toMatchObject({ workerId: 'luis', state: 'due' });
    expect((await harness.internal(ids[1]!)).body).toMatchObject({ workerId: 'ana', state: 'scheduled' });
    await harness.visitsOf('luis', ({ counts }) => counts.due === 1);
    await harness.field.publish(visited(orderId, ids[0]!, { workerId: 'luis' }));
    const { data } = await harness.field.probe.next('growth_visit.completed');
    expect(data.worker.workerId).toBe('luis');
  });

  test('goes to another worker when its worker leaves after the notice', async () => {
    const { ids } = await harness.bought();
    await harness.field.known(LUIS);
    harness.on('2027-02-22');
    await harness.dueOf(ids[0]!, 'ana');
    await harness.field.publish(enveloped(workerUpdated({ ...ANA, active: false }), 2));
    expect((await harness.dueOf(ids[0]!, 'luis')).data.reminders).toBe(0);
  });

  test('without any worker waits for one', async () => {
    const { ids } = await harness.bought();
    await harness.field.publish(enveloped(workerUpdated({ ...ANA, active: false }), 2));
    await waitFor(async () => (await harness.field.store.workers.get('ana'))?.active === false);
    harness.on('2027-02-22');
    await harness.field.known(LUIS);
    expect((await harness.dueOf(ids[0]!, 'luis')).data.reminders).toBe(0);
    expect(harness.noticesOf(ids[0]!)).toHaveLength(1);
  });
});

describe('photos of a visit', () => {
  test('complete it once, early or late; the last visit completes the package', async () => {
    const { orderId, ids } = await harness.bought();
    const early = enveloped(visited(orderId, ids[2]!));
    await harness.field.publish(
      early,
      early,
      visited(orderId, ids[2]!, { photoId: 'second', filename: 'second.jpg' }),
    );
    const done = await harness.field.probe.next('growth_visit.completed');
    expect(done.data).toMatchObject({
      visitId: ids[2],
      number: 3,
      of: 3,
      worker: { workerId: 'ana' },
      photos: 1,
    });
    // Lists and counts are separate queries, so they may differ for a moment.
    const list = await harness.visitsOf(
      'ana',
      ({ visits, counts }) =>
        visits.at(-1).photos.length === 2 && counts.done === 1 && counts.scheduled === 2,
    );
    expect(list.counts).toEqual({ due: 0, scheduled: 2, done: 1 });
    expect(list.visits.at(-1)).toMatchObject({ state: 'done', doneAt: minute(30), number: 3 });
    harness.on('2027-07-01');
    await harness.field.publish(visited(orderId, ids[0]!), visited(orderId, ids[1]!));
    expect((await harness.field.probe.next('photo_package.completed')).data).toMatchObject({
      orderId,
      purchaseId: 'purchase-1',
    });
    expect(harness.field.probe.all('growth_visit.completed')).toHaveLength(3);
    expect(harness.field.probe.all('photo_package.completed')).toHaveLength(1);
    expect((await harness.internal(ids[0]!)).body.state).toBe('done');
  });

  test('by others complete nothing', async () => {
    const { orderId, ids } = await harness.bought();
    await harness.field.publish(
      visited(orderId, ids[0]!, { workerId: 'another-worker' }),
      visited(orderId, ids[1]!),
    );
    await harness.field.probe.next('growth_visit.completed', ({ data }) => data.visitId === ids[1]);
    expect(harness.field.probe.all('growth_visit.completed')).toHaveLength(1);
    expect((await harness.internal(ids[0]!)).body.state).toBe('scheduled');
  });

  test('hidden by an admin are not shown until restored', async () => {
    const { orderId, ids } = await harness.bought();
    const photoId = `of-${ids[0]}`;
    await harness.field.publish(
      enveloped(photoHidden(orderId, photoId), 3),
      enveloped(visited(orderId, ids[0]!), 2),
    );
    const hidden = await harness.visitsOf('ana', ({ counts }) => counts.done === 1);
    await waitFor(
      async () => (await harness.ask('ana', { state: 'done' })).body.visits[0].photos.length === 0,
    );
    expect(hidden.counts.done).toBe(1);
    await waitFor(async () => (await harness.field.list('ana')).assignments[0]!.photos.length === 0);
    await harness.field.publish(
      enveloped(photoRestored(orderId, photoId), 4),
      enveloped(photoHidden(orderId, photoId), 3),
    );
    const { assignments } = await harness.field.list(
      'ana',
      (list) => list.assignments[0]!.photos.length === 1,
    );
    expect(assignments[0]!.photos).toEqual([`${ids[0]}.jpg`]);
    await waitFor(
      async () => (await harness.ask('ana', { state: 'done' })).body.visits[0].photos.length === 1,
    );
  });
});
