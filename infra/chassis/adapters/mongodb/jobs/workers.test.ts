import { afterEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { gate } from '../../../testing/gate.ts';
import { waitFor } from '../../../testing/wait.ts';
import type { Queue } from './queue.ts';
import type { TakenJob } from './stored.ts';
import { openWorkers, type Workers } from './workers.ts';

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
  const queue = aQueue([]);
  workers = openWorkers(queue.open, 1_000, logger);
  let doneAt = 0;
  workers.add('work', 1, async () => void (doneAt = Date.now()));
  await waitFor(() => queue.asked.length >= 3);
  queue.jobs.push(aJob('work'));
  const at = new Date(Date.now() + 20);
  workers.wake(at);
  await waitFor(() => doneAt > 0);
  expect(doneAt - at.getTime()).toBeLessThan(400);
});
