import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { pino } from 'pino';
import { gate } from '../../testing/gate.ts';
import { waitFor } from '../../testing/wait.ts';
import { databaseNamed, isDuplicate, openMongo } from './client.ts';
import { describeIndex } from './documents/indexes.ts';
import { storedField, toFilter, toFind } from './documents/query.ts';
import type { Queue } from './jobs/queue.ts';
import type { TakenJob } from './jobs/stored.ts';
import { openWorkers, type Workers } from './jobs/workers.ts';

test.each([
  ['mongodb://localhost:27017', undefined],
  ['mongodb://localhost:27017/', undefined],
  ['mongodb://localhost/?authSource=orders', undefined],
  ['mongodb://localhost/trial', 'trial'],
  ['mongodb://user:secret@one:1,two:2/trial?replicaSet=rs0', 'trial'],
  ['mongodb+srv://cluster.example/trial', 'trial'],
])('%s names the database %p', (url, name) => {
  expect(databaseNamed(url)).toBe(name);
});

describe("a service's database", () => {
  test.each([
    ['mongodb://localhost:1', 'orders'],
    ['mongodb://localhost:1/trial', 'trial_orders'],
  ])('at %s is %s', async (url, name) => {
    const mongo = openMongo(url, pino({ level: 'silent' }));
    expect(mongo.database('orders').databaseName).toBe(name);
    await mongo.close();
  });
});

test('a refusal of a unique index is told from other failures', () => {
  expect(isDuplicate(Object.assign(new Error('E11000 duplicate key'), { code: 11_000 }))).toBe(true);
  expect(isDuplicate(new Error("UNIQUE constraint failed: index 'x'"))).toBe(true);
  expect(isDuplicate(Object.assign(new Error('not primary'), { code: 10_107 }))).toBe(false);
  expect(isDuplicate('E11000')).toBe(false);
});

test('an index lies on the stored fields, and its name tells all of it', () => {
  expect(
    describeIndex({ name: 'waiting', fields: { 'progress.status': 'asc', at: 'desc', _id: 'asc' } }),
  ).toEqual({
    name: 'waiting: progress.status asc, at desc, _id asc',
    key: { 'doc.progress.status': 1, 'doc.at': -1, _id: 1 },
  });
});

test('a unique index passes over documents without the field', () => {
  expect(describeIndex({ name: 'by token', fields: { token: 'asc' }, unique: true })).toEqual({
    name: 'by token: unique token asc',
    key: { 'doc.token': 1 },
    unique: true,
    sparse: true,
  });
});

test('a unique index is on one field only', () => {
  const fields = { token: 'asc' as const, at: 'asc' as const };
  expect(() => describeIndex({ name: 'by token', fields, unique: true })).toThrow('by token');
});

test('an index of a list is on each of its words', () => {
  expect(describeIndex({ name: 'search', list: 'words' })).toEqual({
    name: 'search: list words',
    key: { 'doc.words': 1 },
  });
});

describe('a condition', () => {
  test('is held against the field inside of the stored document, the id against its own', () => {
    expect(toFilter({ name: 'Ceiba', 'place.altitude': 900, planted: true, _id: 'a' })).toEqual({
      'doc.name': { $eq: 'Ceiba' },
      'doc.place.altitude': { $eq: 900 },
      'doc.planted': { $eq: true },
      _id: { $eq: 'a' },
    });
  });

  test('of lists, ranges and presence becomes one of operators', () => {
    expect(toFilter({ height: { in: [1, 2], gte: 0, gt: 1, lte: 9, lt: 10, exists: true } })).toEqual({
      'doc.height': { $in: [1, 2], $gte: 0, $gt: 1, $lte: 9, $lt: 10, $exists: true },
    });
    expect(toFilter({ height: { exists: false } })).toEqual({ 'doc.height': { $exists: false } });
  });

  test('of a list becomes one of what it holds', () => {
    expect(toFilter({ uses: { all: ['shade', 'fruit'] } })).toEqual({
      'doc.uses': { $all: ['shade', 'fruit'] },
    });
  });

  test('that asks for nothing holds for everything', () => {
    expect(toFilter()).toEqual({});
    expect(toFilter({ name: {} })).toEqual({});
    expect(toFilter({ uses: { all: [] } })).toEqual({});
  });
});

describe('a field', () => {
  test.each(['', '$where', 'a.$', 'a b', 'a..b', 'ä', 'x'.repeat(201)])('cannot be called %p', (name) => {
    expect(() => storedField(name)).toThrow('cannot name a field');
  });
});

describe('a query', () => {
  const sort = [
    { field: 'at', direction: 'desc' as const },
    { field: '_id', direction: 'asc' as const },
  ];

  test('is sorted in the order of weight and limited', () => {
    expect(toFind({ sort, limit: 5 })).toEqual({
      filter: {},
      projection: { doc: 1 },
      sort: [
        ['doc.at', -1],
        ['_id', 1],
      ],
      limit: 5,
    });
    expect(toFind({}).limit).toBe(0);
  });

  test('leaves out what nobody reads', () => {
    expect(toFind({ without: ['words'] }).projection).toEqual({ 'doc.words': 0, outbox: 0, consumed: 0 });
    expect(toFind({ without: [] }).projection).toEqual({ doc: 1 });
  });

  test('continues behind a place, reading its index from there', () => {
    expect(toFind({ where: { at: { lt: '2027' } }, sort, after: ['2026', 'x'] }).filter).toEqual({
      $and: [
        { 'doc.at': { $lt: '2027' } },
        { 'doc.at': { $lte: '2026' } },
        {
          $or: [{ 'doc.at': { $lt: '2026' } }, { 'doc.at': { $eq: '2026' }, _id: { $gt: 'x' } }],
        },
      ],
    });
  });

  test('cannot continue behind a place that does not fit its order', () => {
    expect(() => toFind({ after: ['x'] })).toThrow('after');
    expect(() => toFind({ sort, after: ['x'] })).toThrow('after');
  });
});

describe('workers of a queue', () => {
  const logger = pino({ level: 'silent' });

  let workers: Workers;

  afterEach(() => workers.stop(0));

  const aJob = (name: string): TakenJob => ({
    _id: `${name} ${Math.random()}`,
    name,
    payload: {},
    context: { correlationId: 'c' },
    attempt: 0,
    taken: 1,
    availableAt: new Date(),
    by: 'me',
  });

  /** Only what workers call. */
  function aQueue(jobs: TakenJob[]) {
    const renewed: string[] = [];
    const givenBack: string[] = [];
    const asked: string[][] = [];
    let away = false;
    const queue: Pick<Queue, 'take' | 'renew' | 'giveBack'> = {
      async take(names) {
        if (away) throw new Error('the queue is away');
        asked.push([...names]);
        const at = jobs.findIndex((job) => names.includes(job.name));
        return at < 0 ? undefined : jobs.splice(at, 1)[0];
      },
      renew: async (some) => void renewed.push(...some.map((job) => job.name)),
      giveBack: async (job) => void givenBack.push(job.name),
    };
    const goAway = (is: boolean) => (away = is);
    return { jobs, renewed, givenBack, asked, goAway, open: async () => queue as Queue };
  }

  test('take no more of a kind than they have hands for, and ask for other kinds meanwhile', async () => {
    const queue = aQueue([aJob('slow'), aJob('slow'), aJob('slow'), aJob('quick')]);
    workers = openWorkers(queue.open, 1_000, logger);
    const slow = gate();
    let quick = 0;
    workers.add('slow', 2, () => slow.opened);
    workers.add('quick', 1, async () => void quick++);
    await waitFor(() => quick === 1);
    expect(queue.jobs).toHaveLength(1);
    expect(queue.asked.at(-1)).toEqual(['quick']);
    slow.open();
    await waitFor(() => queue.jobs.length === 0);
  });

  test('hold what is in hand again and again, and no longer when it is done', async () => {
    const queue = aQueue([aJob('slow')]);
    workers = openWorkers(queue.open, 30, logger);
    const slow = gate();
    workers.add('slow', 1, () => slow.opened);
    await waitFor(() => queue.renewed.length >= 3);
    slow.open();
    await workers.stop(1_000);
    const before = queue.renewed.length;
    expect(queue.givenBack).toEqual([]);
    expect(queue.renewed).toHaveLength(before);
  });

  test('give back what does not end in time when they stop, and take nothing after it', async () => {
    const queue = aQueue([aJob('stuck')]);
    workers = openWorkers(queue.open, 1_000, logger);
    workers.add('stuck', 1, () => new Promise(() => undefined));
    await waitFor(() => queue.jobs.length === 0);
    await workers.stop(20);
    expect(queue.givenBack).toEqual(['stuck']);
    queue.jobs.push(aJob('stuck'));
    workers.wake();
    await new Promise(setImmediate);
    expect(queue.jobs).toHaveLength(1);
  });

  test('go on when the queue was away, or a job could not be put away', async () => {
    const queue = aQueue([aJob('work')]);
    queue.goAway(true);
    workers = openWorkers(queue.open, 1_000, logger);
    let done = 0;
    workers.add('work', 1, async () => {
      done++;
      throw new Error('not put away');
    });
    await new Promise(setImmediate);
    queue.goAway(false);
    workers.wake();
    await waitFor(() => done === 1);
    queue.jobs.push(aJob('work'));
    await waitFor(() => done === 2);
  });

  test('are woken for what is due soon', async () => {
    jest.useFakeTimers();
    try {
      const queue = aQueue([]);
      workers = openWorkers(queue.open, 60_000, logger);
      let done = 0;
      workers.add('work', 1, async () => void done++);
      // They look twice a second by then, and have just done so.
      await jest.advanceTimersByTimeAsync(2_000);
      const asked = queue.asked.length;
      while (queue.asked.length === asked) await jest.advanceTimersByTimeAsync(10);
      queue.jobs.push(aJob('work'));
      workers.wake(new Date(Date.now() + 20));
      await jest.advanceTimersByTimeAsync(19);
      expect(done).toBe(0);
      await jest.advanceTimersByTimeAsync(1);
      expect(done).toBe(1);
    } finally {
      jest.useRealTimers();
    }
  });
});
