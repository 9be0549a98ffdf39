import type { ArboledaEvent } from '@arboleda/contracts/events/index.ts';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { WorkerEvents } from 'graphile-worker';
import { EventEmitter } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { type Courtesy, openCourtesy } from '../../../courtesy.ts';
import { type Limits, openLimits } from '../../../limits.ts';
import { anOrderId, someEvent } from '../../../testing/events.ts';
import { gate } from '../../../testing/gate.ts';
import { waitFor } from '../../../testing/wait.ts';
import { type AtHand, openAtHand } from '../events/at-hand.ts';
import { type JobsAtHand, openJobsAtHand } from '../jobs/at-hand.ts';
import type { Errand } from '../jobs/errand.ts';
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

describe('at hand', () => {
  const queue = new Map<string, number>();

  let atHand: AtHand;

  afterEach(async () => {
    jest.useRealTimers();
    await atHand.stop(0);
  });

  /** A group whose queue holds so many events. */
  async function open(handle: (event: ArboledaEvent) => Promise<void>, queued = 0) {
    queue.set('planters', queued);
    atHand = openAtHand({
      queued: async () => new Map(queue),
      subscriptions: async () => [
        { consumer: 'planters', type: 'payment.failed' },
        { consumer: 'elsewhere', type: 'payment.failed' },
      ],
      courtesy: openCourtesy(),
      logger: pino({ level: 'silent' }),
    });
    await atHand.subscribe('planters', { handle, canWait: false });
  }

  const taken = () => waitFor(() => atHand.takes('planters'));

  test('a group takes events when nothing of it is in the queue any more, and one of elsewhere never', async () => {
    await open(async () => undefined, 2);
    expect(atHand.wanting('payment.failed')).toEqual(['planters', 'elsewhere']);
    expect(atHand.takes('planters')).toBe(false);
    queue.set('planters', 0);
    await taken();
    expect(atHand.takes('elsewhere')).toBe(false);
  });

  test('takes none from the moment on at which one is about to be stored, until that is handled', async () => {
    jest.useFakeTimers();
    /** One looks ten times a second whether something is in the queue. */
    const twoLooks = () => jest.advanceTimersByTimeAsync(250);
    await open(async () => undefined);
    await twoLooks();
    expect(atHand.takes('planters')).toBe(true);
    const inserted = gate();
    const storing = atHand.whileStored(['planters', 'elsewhere'], () => inserted.opened);
    expect(atHand.takes('planters')).toBe(false);
    // It is not in the queue yet.
    await twoLooks();
    expect(atHand.takes('planters')).toBe(false);
    queue.set('planters', 1);
    inserted.open();
    await storing;
    await twoLooks();
    expect(atHand.takes('planters')).toBe(false);
    queue.set('planters', 0);
    await twoLooks();
    expect(atHand.takes('planters')).toBe(true);
  });

  test('of one key the next begins when the one before has ended, also when that failed; others go on beside it', async () => {
    const slow = gate();
    const steps: string[] = [];
    await open(async ({ data }) => {
      const { reason } = data as { reason: string };
      steps.push(reason);
      if (reason !== 'first') return;
      await slow.opened;
      throw new Error('it failed');
    });
    await taken();
    const key = anOrderId();
    const given = [someEvent(key, 'first'), someEvent(key, 'second'), someEvent(anOrderId(), 'other')].map(
      (event) => atHand.give('planters', event),
    );
    await given[2];
    expect(steps).toEqual(['first', 'other']);
    expect(atHand.inHand('planters')).toBe(2);
    slow.open();
    await expect(given[0]).rejects.toThrow('it failed');
    await given[1];
    expect(steps).toEqual(['first', 'other', 'second']);
    expect(atHand.inHand('planters')).toBe(0);
  });

  test('ten are handled at a time, and what is too much for memory is for the queue', async () => {
    const held = gate();
    let begun = 0;
    await open(async () => {
      begun++;
      await held.opened;
    });
    await taken();
    const given: Promise<void>[] = [];
    while (atHand.takes('planters')) given.push(atHand.give('planters', someEvent()));
    expect(given).toHaveLength(1_000);
    await waitFor(() => begun === 10);
    held.open();
    await Promise.all(given);
    expect(begun).toBe(1_000);
  });

  test('a group that can wait lets those of others be handled first, however many it was given before', async () => {
    const steps: string[] = [];
    const held = gate();
    await open(async () => {
      await held.opened;
      steps.push('planted');
    });
    queue.set('mailers', 0);
    await atHand.subscribe('mailers', { handle: async () => void steps.push('mailed'), canWait: true });
    await taken();
    await waitFor(() => atHand.takes('mailers'));
    const planted = atHand.give('planters', someEvent());
    const mailed = Array.from({ length: 20 }, () => atHand.give('mailers', someEvent()));
    const later = atHand.give('planters', someEvent());
    held.open();
    await Promise.all([planted, later]);
    expect(steps).toEqual(['planted', 'planted']);
    await Promise.all(mailed);
  });

  test('stopping waits for what is in hand; what takes longer is told to be not handled', async () => {
    const [ends, never] = [gate(), gate()];
    await open(async ({ key }) => (key === stuck ? never.opened : ends.opened));
    const stuck = anOrderId();
    await taken();
    const given = Promise.allSettled([
      atHand.give('planters', someEvent()),
      atHand.give('planters', someEvent(stuck)),
    ]);
    const stopping = atHand.stop(50);
    expect(atHand.takes('planters')).toBe(false);
    ends.open();
    await stopping;
    expect((await given).map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });
});

describe('at hand', () => {
  const due = new Set<string>();

  let limits: Limits;

  let courtesy: Courtesy;

  let atHand: JobsAtHand;

  afterEach(async () => {
    jest.useRealTimers();
    await atHand.stop(0);
    due.clear();
  });

  /** Mails of which so many are sent at once. */
  async function open(run: (errand: Errand) => Promise<void>, most = 1): Promise<void> {
    limits = openLimits();
    limits.set('mail', most);
    courtesy = openCourtesy();
    atHand = openJobsAtHand({
      limits,
      due: async () => new Set(due),
      courtesy,
      logger: pino({ level: 'silent' }),
    });
    atHand.add('mail', run);
  }

  const taken = () => waitFor(() => atHand.takes('mail'));

  const errand = (n: number, key?: string): Errand => ({
    payload: { n },
    attempt: 0,
    key,
    context: { correlationId: 'c' },
  });

  test('a kind is taken as soon as none of it waits in the queue, and not any more when one does', async () => {
    jest.useFakeTimers();
    due.add('mail');
    await open(async () => undefined);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(atHand.takes('mail')).toBe(false);
    due.clear();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(atHand.takes('mail')).toBe(true);
    expect(atHand.takes('of others')).toBe(false);
    due.add('mail');
    await atHand.give('mail', errand(1));
    await jest.advanceTimersByTimeAsync(10_000);
    expect(atHand.takes('mail')).toBe(false);
  });

  test('as many are run at once as hands are free, those of the queue counted; the others wait for theirs', async () => {
    const begun: unknown[] = [];
    const slow = gate();
    await open(async ({ payload }) => {
      begun.push(payload.n);
      await slow.opened;
    }, 2);
    await taken();
    expect(limits.take('mail')).toBe(true);
    const given = [1, 2, 3].map((n) => atHand.give('mail', errand(n)));
    await waitFor(() => begun.length === 1);
    limits.give('mail');
    await waitFor(() => begun.length === 2);
    slow.open();
    await Promise.all(given);
    expect(begun).toEqual([1, 2, 3]);
  });

  test('somebody who is waited for goes first', async () => {
    const steps: unknown[] = [];
    await open(async () => void steps.push('mail'));
    await taken();
    const end = courtesy.begin();
    const given = atHand.give('mail', errand(1));
    for (let turns = 0; turns < 5; turns++) await turn();
    steps.push('answer');
    end();
    await given;
    expect(steps).toEqual(['answer', 'mail']);
  });

  test('one whose key another has that waits takes its place, and both are done with it', async () => {
    const done: unknown[] = [];
    const slow = gate();
    await open(async ({ payload }) => {
      await slow.opened;
      done.push(payload.n);
    });
    await taken();
    const given = [errand(1, 'k'), errand(2, 'k'), errand(3, 'k'), errand(4, 'other')].map((one) =>
      atHand.give('mail', one),
    );
    slow.open();
    await Promise.all(given);
    expect(done).toEqual([1, 3, 4]);
  });

  test('one that could not be stored for another try has failed, and the next one goes on', async () => {
    await open(async ({ payload }) => {
      if (payload.n === 1) throw new Error('the database is away');
    });
    await taken();
    const [first, second] = [atHand.give('mail', errand(1)), atHand.give('mail', errand(2))];
    await expect(first).rejects.toThrow('the database is away');
    await second;
  });

  test('more than memory is for is for the queue', async () => {
    const slow = gate();
    await open(() => slow.opened);
    await taken();
    const given: Promise<void>[] = [];
    while (atHand.takes('mail')) given.push(atHand.give('mail', errand(given.length)));
    expect(given).toHaveLength(1_001);
    slow.open();
    await Promise.all(given);
  });

  test('what waits when it stops has failed at once, and what is begun when it takes too long', async () => {
    await open(() => new Promise(() => undefined));
    await taken();
    const given = [1, 2].map((n) => atHand.give('mail', errand(n)));
    const outcomes = Promise.allSettled(given);
    await atHand.stop(50);
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(atHand.takes('mail')).toBe(false);
  });
});
