import { describe, expect, test } from '@jest/globals';
import { EventEmitter } from 'node:events';
import type { WorkerEvents } from 'graphile-worker';
import { waitFor } from '../../../testing/wait.ts';
import { announcedJobs, EVENTS_ANNOUNCED, hearOnly } from './announcements.ts';
import { knockAgain } from './workers.ts';

/** Workers whose fetches say what the test wants; every knock makes one more. */
function openWorkers(answers: unknown[][]) {
  const events = new EventEmitter();
  let fetches = 0;
  const fetch = () => {
    const jobs = answers[fetches++] ?? [];
    events.emit('localQueue:getJobs:complete', { jobs });
  };
  knockAgain(events as unknown as WorkerEvents);
  const workerPool = { nudge: fetch };
  return {
    announce(payload: string) {
      events.emit('pool:listen:notification', { message: { payload }, workerPool });
      fetch();
    },
    fetches: () => fetches,
  };
}

describe('a fetch that comes back empty', () => {
  test('is made again when events were announced, until they are found', async () => {
    const workers = openWorkers([[], [], ['event']]);
    workers.announce(EVENTS_ANNOUNCED);
    await waitFor(async () => workers.fetches() === 3);
    await nothingMore();
    expect(workers.fetches()).toBe(3);
  });

  test('is given up after five more: somebody else has them', async () => {
    const workers = openWorkers([]);
    workers.announce(EVENTS_ANNOUNCED);
    await waitFor(async () => workers.fetches() === 6);
    await nothingMore();
    expect(workers.fetches()).toBe(6);
  });

  test('is nothing when only jobs were announced', async () => {
    const workers = openWorkers([]);
    workers.announce('{"count":1}');
    await nothingMore();
    expect(workers.fetches()).toBe(1);
  });
});

/** Another set of workers, told of events later, has asked as often as it may: any knock due before has come. */
async function nothingMore(): Promise<void> {
  const later = openWorkers([]);
  later.announce(EVENTS_ANNOUNCED);
  await waitFor(async () => later.fetches() === 6);
}

describe('a notification', () => {
  const OF_ANYTHING = '{"r":0.5,"count":3}';
  const QUEUE_IS_FREE = '{"count":1}';

  /** What the workers make of it: for how many of them there is something. */
  function wokenBy(kind: 'events' | 'jobs', payload: string): number {
    const events = new EventEmitter();
    hearOnly(kind, events as unknown as WorkerEvents);
    const message = { channel: 'jobs:insert', payload };
    events.emit('pool:listen:notification', { message });
    return (JSON.parse(message.payload) as { count: number }).count;
  }

  test.each([
    [EVENTS_ANNOUNCED, 1, 0],
    [announcedJobs(2), 0, 2],
    [QUEUE_IS_FREE, 1, 0],
    [OF_ANYTHING, 0, 0],
  ])('%s wakes those it is for', (payload, forEvents, forJobs) => {
    expect(wokenBy('events', payload)).toBe(forEvents);
    expect(wokenBy('jobs', payload)).toBe(forJobs);
  });
});
