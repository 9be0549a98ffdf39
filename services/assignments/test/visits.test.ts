import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { openMetrics } from '@arboleda/chassis/http/metrics.ts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { showVisits } from '../metrics.ts';
import { minute, photoHidden, photoRestored, workerUpdated } from './builders.ts';
import { enveloped } from './fixture.ts';
import { ANA, type GrowthKit, LUIS, openGrowth, visited } from './growth-kit.ts';

let kit: GrowthKit;
beforeEach(async () => {
  kit = await openGrowth();
});
afterEach(() => kit.field.close());

describe('a due visit', () => {
  test('is told to its worker once, and again every 14 days, three times at most', async () => {
    const { orderId, ids } = await kit.bought();
    kit.on('2027-02-21');
    const first = await kit.dueOf(ids[0]!, 'ana');
    expect(first.data).toMatchObject({
      ...{ orderId, number: 1, of: 3, reminders: 0, trees: 5, location: 'Quindío, Colombia' },
    });
    for (const [day, reminders] of [
      ['2027-03-08', 1],
      ['2027-03-23', 2],
      ['2027-04-07', 3],
    ] as const) {
      kit.on(day);
      expect((await kit.dueOf(ids[0]!, 'ana')).data.reminders).toBe(reminders);
    }
    // The next one is due: by then the first had its chance of a fifth.
    kit.on('2027-05-22');
    await kit.dueOf(ids[1]!, 'ana');
    expect(kit.noticesOf(ids[0]!)).toHaveLength(4);
    // The list follows what was decided a moment later.
    const { visits } = await kit.visitsOf('ana', (list) => list.visits[0].reminders === 3);
    expect(visits).toMatchObject([
      ...[{ state: 'due', reminders: 3 }, { state: 'due', reminders: 0 }, { state: 'scheduled' }],
    ]);
  });

  test('that nobody made within a month is counted for operators, until it is made', async () => {
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

  test('is told once by two replicas', async () => {
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

  test('whose worker left goes to somebody else, who alone may see and do it', async () => {
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

  test('goes to somebody else when its worker leaves after it was told', async () => {
    const { ids } = await kit.bought();
    await kit.field.known(LUIS);
    kit.on('2027-02-22');
    await kit.dueOf(ids[0]!, 'ana');
    await kit.field.publish(enveloped(workerUpdated({ ...ANA, active: false }), 2));
    expect((await kit.dueOf(ids[0]!, 'luis')).data.reminders).toBe(0);
  });

  test('for which there is nobody waits until there is somebody', async () => {
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
  test('make it done once, early or late; after the last one the package is done', async () => {
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
    // Visits and each of their counts are questions of their own to the store.
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
      ...{ orderId, purchaseId: 'purchase-1' },
    });
    expect(kit.field.probe.all('growth_visit.completed')).toHaveLength(3);
    expect(kit.field.probe.all('photo_package.completed')).toHaveLength(1);
    expect((await kit.internal(ids[0]!)).body.state).toBe('done');
  });

  test('of somebody else make nothing done', async () => {
    const { orderId, ids } = await kit.bought();
    await kit.field.publish(visited(orderId, ids[0]!, { workerId: 'stranger' }), visited(orderId, ids[1]!));
    await kit.field.probe.next('growth_visit.completed', ({ data }) => data.visitId === ids[1]);
    expect(kit.field.probe.all('growth_visit.completed')).toHaveLength(1);
    expect((await kit.internal(ids[0]!)).body.state).toBe('scheduled');
  });

  test('that an admin hides are not shown, until they are restored', async () => {
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
