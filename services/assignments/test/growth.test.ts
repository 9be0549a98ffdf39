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
import { ANA, type GrowthKit, LUIS, openGrowth, visited } from './growth-kit.ts';

let kit: GrowthKit;

beforeAll(async () => {
  kit = await openGrowth();
});

beforeEach(() => kit.setNow(minute(0)));

afterEach(() => kit.field.clear());

afterAll(() => kit.field.close());

describe('a photo package', () => {
  test('becomes visits of its worker, with dates and places', async () => {
    const { orderId, assignmentId, visits } = await kit.bought();
    expect(visits.map(({ dueAt }) => dueAt)).toEqual([
      '2027-02-21T15:25:00.000Z',
      '2027-05-21T15:25:00.000Z',
      '2027-11-21T15:25:00.000Z',
    ]);
    const { body } = await kit.ask('ana');
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
    const { orderId } = await kit.bought();
    const again = enveloped(packagePurchased(orderId));
    await kit.field.publish(again, again, packagePurchased(orderId, { purchaseId: 'purchase-2' }));
    await kit.field.probe.next('growth_visit.scheduled', ({ data }) => data.purchaseId === 'purchase-2');
    await kit.visitsOf('ana', ({ counts }) => counts.scheduled === 6);
    expect(kit.field.probe.all('growth_visit.scheduled')).toHaveLength(2);
  });

  test('bought before the order arrived waits for it, and for the planting', async () => {
    await kit.field.known(ANA);
    const created = orderCreated();
    const { orderId } = created.data;
    await kit.field.publish(packagePurchased(orderId, { purchasedAt: minute(2) }), created);
    const { assignmentId } = (await kit.field.probe.next('order.assigned')).data;
    await waitFor(async () => (await kit.field.store.assignments.get(assignmentId))?.growth.length === 1);
    expect((await kit.internal(`visit-${orderId}-0-1`)).body).toMatchObject({
      state: 'waiting',
      workerId: 'ana',
    });
    expect((await kit.ask('ana')).body.visits).toEqual([]);
    kit.setNow(minute(20));
    await kit.field.move('ana', assignmentId, { status: 'planted' });
    const { data } = await kit.field.probe.next('growth_visit.scheduled');
    expect(data.visits[0]!.dueAt).toBe('2027-02-21T15:20:00.000Z');
  });

  test('whose first update is immediate is due at once', async () => {
    const { ids } = await kit.bought({ photoPackageType: 'three_year' });
    kit.setNow(minute(26));
    await kit.dueOf(ids[0]!, 'ana');
    await kit.visitsOf('ana', ({ counts }) => counts.due === 1);
    const { body } = await kit.ask('ana', { state: 'due' });
    expect(body.visits).toMatchObject([{ number: 1, of: 7, state: 'due' }]);
  });
});

describe('a change by an admin', () => {
  test('back to unplanted suspends the visits; a new planting dates them again', async () => {
    const { orderId, ids } = await kit.bought();
    await kit.field.publish(statusChanged(orderId, 3, 'planted', 'assigned', BY_ADMIN));
    await kit.visitsOf('ana', ({ counts }) => counts.scheduled === 0);
    expect((await kit.internal(ids[0]!)).body).toMatchObject({ state: 'waiting' });
    const at = '2027-03-31T10:00:00.000Z';
    await kit.field.publish(statusChanged(orderId, 4, 'assigned', 'planted', { ...BY_ADMIN, at }));
    const { data } = await kit.field.probe.next('growth_visit.scheduled', ({ key }) => key === orderId);
    expect(data.visits.map(({ dueAt }) => dueAt.slice(0, 10))).toEqual([
      '2027-06-30',
      '2027-09-30',
      '2028-03-31',
    ]);
  });

  test('to another worker moves the visits with the order', async () => {
    const { orderId, ids } = await kit.bought();
    await kit.field.known(LUIS);
    await kit.field.asAdmin('PUT /api/admin/orders/{id}/assignment', {
      params: { id: orderId },
      body: { workerId: 'luis', reason: 'Holidays' },
    });
    await kit.visitsOf('luis', ({ counts }) => counts.scheduled === 3);
    await kit.visitsOf('ana', ({ counts }) => counts.scheduled === 0);
    expect((await kit.internal(ids[0]!)).body.workerId).toBe('luis');
    kit.on('2027-02-22');
    await kit.dueOf(ids[0]!, 'luis');
    const { body } = await kit.field.asAdmin('GET /api/admin/orders/{id}/assignment', {
      params: { id: orderId },
    });
    expect(body.assignment.visits).toMatchObject([
      { state: 'due', worker: { workerId: 'luis' }, reminders: 0 },
      { state: 'scheduled' },
      {},
    ]);
    const load = await kit.field.asAdmin('GET /api/admin/workers/workloads', {});
    const mine = await waitFor(async () => {
      const { body: anew } = await kit.field.asAdmin('GET /api/admin/workers/workloads', {});
      return anew.workers.find((one: { workerId: string; visitsDue: number }) => one.visitsDue === 1);
    });
    expect({ status: load.status, workerId: mine.workerId }).toEqual({ status: 200, workerId: 'luis' });
  });
});

describe('GET /api/workers/growth-visits', () => {
  test('lists due ones first, then future ones, then completed ones, page by page', async () => {
    const { orderId, ids } = await kit.bought({ photoPackageType: 'lifetime' });
    await kit.field.publish(visited(orderId, ids[1]!), visited(orderId, ids[0]!, { uploadedAt: minute(31) }));
    kit.on('2028-12-01');
    await kit.visitsOf('ana', ({ counts }) => counts.done === 2 && counts.due === 2);
    const numbers: string[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await kit.ask('ana', { limit: 3, ...(cursor && { cursor }) });
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
    const { body } = await kit.ask('ana', { state: 'scheduled', limit: 2 });
    expect(body.visits.map(({ number }: { number: number }) => number)).toEqual([5, 6]);
  });

  test('refuses invalid states, limits and cursors by name', async () => {
    for (const [path, value] of [
      ['state', 'waiting'],
      ['limit', 0],
      ['cursor', 'nonsense'],
    ] as const) {
      const { status, body } = await kit.ask('ana', { [path]: value });
      expect({ status, errors: body.errors }).toMatchObject({ status: 422, errors: [{ path }] });
    }
  });

  test('is for workers, and shows only their own', async () => {
    const key = 'GET /api/workers/growth-visits';
    expect((await kit.field.call(key)).status).toBe(401);
    for (const role of ['admin', 'customer'] as const) {
      expect((await kit.field.call(key, { token: await kit.field.identity.token({ role }) })).status).toBe(
        403,
      );
    }
    await kit.bought();
    expect((await kit.ask('luis')).body).toMatchObject({
      visits: [],
      counts: { due: 0, scheduled: 0, done: 0 },
    });
  });
});

describe('GET /internal/growth-visits/{id}', () => {
  test('returns the place of the trees and the date of the order', async () => {
    const { orderId, assignmentId, ids } = await kit.bought();
    const { body } = await kit.internal(ids[0]!);
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
    const { visits, ids } = await kit.bought();
    const dueMs = Date.parse(visits[0]!.dueAt);
    const stateBefore = async (days: number) => {
      kit.setNow(new Date(dueMs - days * 86_400_000).toISOString());
      return (await kit.internal(ids[0]!)).body.state;
    };
    expect([await stateBefore(15), await stateBefore(14)]).toEqual(['scheduled', 'due']);
  });

  test('finds existing visits only, and answers services only', async () => {
    const { orderId } = await kit.bought();
    for (const id of ['x', `visit-${orderId}-0-9`, `visit-${orderId}-1-1`]) {
      expect((await kit.internal(id)).status).toBe(404);
    }
    const token = await kit.field.identity.token({ role: 'worker', id: 'ana' });
    const answer = await kit.field.call('GET /internal/growth-visits/{id}', { params: { id: 'x' }, token });
    expect(answer.status).toBe(401);
  });
});

describe('a due visit', () => {
  test('is notified once, and reminded every 14 days, three times at most', async () => {
    const { orderId, ids } = await kit.bought();
    kit.on('2027-02-21');
    const first = await kit.dueOf(ids[0]!, 'ana');
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
      kit.on(day);
      expect((await kit.dueOf(ids[0]!, 'ana')).data.reminders).toBe(reminders);
    }
    // The next one is due: the first had its chance of a fifth notice.
    kit.on('2027-05-22');
    await kit.dueOf(ids[1]!, 'ana');
    expect(kit.noticesOf(ids[0]!)).toHaveLength(4);
    // The list is updated a moment after the decision.
    const { visits } = await kit.visitsOf('ana', (list) => list.visits[0].reminders === 3);
    expect(visits).toMatchObject([
      { state: 'due', reminders: 3 },
      { state: 'due', reminders: 0 },
      { state: 'scheduled' },
    ]);
  });

  test('overdue by a month is counted in metrics until it is made', async () => {
    const { orderId, ids } = await kit.bought();
    const overdueOn = async (day: string) => {
      const metrics = openMetrics('assignments');
      showVisits(metrics, kit.field.store, () => new Date(`${day}T20:00:00.000Z`));
      return /growth_visits_overdue\{[^}]*\} (\d+)/.exec(await metrics.registry.metrics())?.[1];
    };
    expect([await overdueOn('2027-03-20'), await overdueOn('2027-03-24')]).toEqual(['0', '1']);
    kit.on('2027-02-22');
    await kit.dueOf(ids[0]!, 'ana');
    await kit.field.publish(visited(orderId, ids[0]!));
    await kit.visitsOf('ana', ({ visits }) => visits.some((one: { state: string }) => one.state === 'done'));
    expect(await overdueOn('2027-03-24')).toBe('0');
  });

  test('is notified once by two replicas', async () => {
    const { ids } = await kit.bought();
    const replica = await kit.openReplica();
    try {
      kit.on('2027-05-22');
      await kit.dueOf(ids[1]!, 'ana');
      await kit.dueOf(ids[0]!, 'ana');
      kit.on('2027-06-06');
      await kit.dueOf(ids[0]!, 'ana');
      expect(kit.noticesOf(ids[0]!).map(({ data }) => data.reminders)).toEqual([0, 1]);
    } finally {
      await replica.close();
    }
  });

  test('whose worker left goes to another one, who alone may see and make it', async () => {
    const { orderId, ids } = await kit.bought();
    await kit.field.known(LUIS);
    await kit.field.publish(enveloped(workerUpdated({ ...ANA, active: false }), 2));
    await waitFor(async () => (await kit.field.store.workers.get('ana'))?.active === false);
    kit.on('2027-02-22');
    expect((await kit.dueOf(ids[0]!, 'luis')).data.reminders).toBe(0);
    expect((await kit.internal(ids[0]!)).body).toMatchObject({ workerId: 'luis', state: 'due' });
    expect((await kit.internal(ids[1]!)).body).toMatchObject({ workerId: 'ana', state: 'scheduled' });
    await kit.visitsOf('luis', ({ counts }) => counts.due === 1);
    await kit.field.publish(visited(orderId, ids[0]!, { workerId: 'luis' }));
    const { data } = await kit.field.probe.next('growth_visit.completed');
    expect(data.worker.workerId).toBe('luis');
  });

  test('goes to another worker when its worker leaves after the notice', async () => {
    const { ids } = await kit.bought();
    await kit.field.known(LUIS);
    kit.on('2027-02-22');
    await kit.dueOf(ids[0]!, 'ana');
    await kit.field.publish(enveloped(workerUpdated({ ...ANA, active: false }), 2));
    expect((await kit.dueOf(ids[0]!, 'luis')).data.reminders).toBe(0);
  });

  test('without any worker waits for one', async () => {
    const { ids } = await kit.bought();
    await kit.field.publish(enveloped(workerUpdated({ ...ANA, active: false }), 2));
    await waitFor(async () => (await kit.field.store.workers.get('ana'))?.active === false);
    kit.on('2027-02-22');
    await kit.field.known(LUIS);
    expect((await kit.dueOf(ids[0]!, 'luis')).data.reminders).toBe(0);
    expect(kit.noticesOf(ids[0]!)).toHaveLength(1);
  });
});

describe('photos of a visit', () => {
  test('complete it once, early or late; the last visit completes the package', async () => {
    const { orderId, ids } = await kit.bought();
    const early = enveloped(visited(orderId, ids[2]!));
    await kit.field.publish(
      early,
      early,
      visited(orderId, ids[2]!, { photoId: 'second', filename: 'second.jpg' }),
    );
    const done = await kit.field.probe.next('growth_visit.completed');
    expect(done.data).toMatchObject({
      visitId: ids[2],
      number: 3,
      of: 3,
      worker: { workerId: 'ana' },
      photos: 1,
    });
    // Lists and counts are separate queries, so they may differ for a moment.
    const list = await kit.visitsOf(
      'ana',
      ({ visits, counts }) =>
        visits.at(-1).photos.length === 2 && counts.done === 1 && counts.scheduled === 2,
    );
    expect(list.counts).toEqual({ due: 0, scheduled: 2, done: 1 });
    expect(list.visits.at(-1)).toMatchObject({ state: 'done', doneAt: minute(30), number: 3 });
    kit.on('2027-07-01');
    await kit.field.publish(visited(orderId, ids[0]!), visited(orderId, ids[1]!));
    expect((await kit.field.probe.next('photo_package.completed')).data).toMatchObject({
      orderId,
      purchaseId: 'purchase-1',
    });
    expect(kit.field.probe.all('growth_visit.completed')).toHaveLength(3);
    expect(kit.field.probe.all('photo_package.completed')).toHaveLength(1);
    expect((await kit.internal(ids[0]!)).body.state).toBe('done');
  });

  test('by others complete nothing', async () => {
    const { orderId, ids } = await kit.bought();
    await kit.field.publish(visited(orderId, ids[0]!, { workerId: 'stranger' }), visited(orderId, ids[1]!));
    await kit.field.probe.next('growth_visit.completed', ({ data }) => data.visitId === ids[1]);
    expect(kit.field.probe.all('growth_visit.completed')).toHaveLength(1);
    expect((await kit.internal(ids[0]!)).body.state).toBe('scheduled');
  });

  test('hidden by an admin are not shown until restored', async () => {
    const { orderId, ids } = await kit.bought();
    const photoId = `of-${ids[0]}`;
    await kit.field.publish(
      enveloped(photoHidden(orderId, photoId), 3),
      enveloped(visited(orderId, ids[0]!), 2),
    );
    const hidden = await kit.visitsOf('ana', ({ counts }) => counts.done === 1);
    await waitFor(async () => (await kit.ask('ana', { state: 'done' })).body.visits[0].photos.length === 0);
    expect(hidden.counts.done).toBe(1);
    await waitFor(async () => (await kit.field.list('ana')).assignments[0]!.photos.length === 0);
    await kit.field.publish(
      enveloped(photoRestored(orderId, photoId), 4),
      enveloped(photoHidden(orderId, photoId), 3),
    );
    const { assignments } = await kit.field.list('ana', (list) => list.assignments[0]!.photos.length === 1);
    expect(assignments[0]!.photos).toEqual([`${ids[0]}.jpg`]);
    await waitFor(async () => (await kit.ask('ana', { state: 'done' })).body.visits[0].photos.length === 1);
  });
});
