import { describe, expect, test } from '@jest/globals';
import { EventEmitter } from 'node:events';
import type { WorkerEvents } from 'graphile-worker';
import { waitFor } from '../../../testing/wait.ts';
import { EVENTS_ANNOUNCED, knockAgain } from './workers.ts';

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
