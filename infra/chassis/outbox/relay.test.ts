import { describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import type { Job } from '../ports/jobs.ts';
import { anOrderId, someEvent } from '../testing/events.ts';
import { gate } from '../testing/gate.ts';
import type { OutboxEntry } from './entry.ts';
import { waitFor } from '../testing/wait.ts';
import { jobsOf } from '../conformance/documents-kit.ts';
import { handOver, openRelay, store } from './relay.ts';

const logger = pino({ level: 'silent' });
const aRow = (seq: string) => ({ seq, entry: { event: someEvent(anOrderId(), seq) } });
type Row = ReturnType<typeof aRow>;
const reasons = (entries: readonly OutboxEntry[]) =>
  entries.map((entry) => ('event' in entry ? (entry.event.data as { reason: string }).reason : 'job'));

/** What becomes of entries that their bus has stored. */
const stored = (entries: readonly OutboxEntry[]) => entries.map(() => Promise.resolve());

describe('the relay', () => {
  test('hands over at once, and gathers what comes meanwhile into the next batch, in order', async () => {
    const first = gate();
    const batches: string[][] = [];
    const settled: string[] = [];
    const relay = openRelay({
      async handOver(entries) {
        batches.push(reasons(entries));
        if (batches.length === 1) await first.opened;
        return stored(entries);
      },
      settle: async (rows: readonly Row[]) => void settled.push(...rows.map((row) => row.seq)),
      logger,
    });
    relay.push([aRow('1')]);
    relay.push([aRow('2'), aRow('3')]);
    relay.push([aRow('4')]);
    expect(settled).toEqual([]);
    first.open();
    await relay.flush();
    expect(batches).toEqual([['1'], ['2', '3', '4']]);
    expect(settled).toEqual(['1', '2', '3', '4']);
  });

  test('leaves to the sweeper what it could not hand over, and goes on', async () => {
    const settled: string[] = [];
    const relay = openRelay({
      async handOver(entries) {
        if (reasons(entries).includes('1')) throw new Error('the bus is away');
        return stored(entries);
      },
      settle: async (rows: readonly Row[]) => void settled.push(...rows.map((row) => row.seq)),
      logger,
    });
    relay.push([aRow('1')]);
    await relay.flush();
    relay.push([aRow('2')]);
    await relay.flush();
    expect(settled).toEqual(['2']);
  });

  test('waits for nothing that is still being handled, tells what that is, and keeps it in the outbox', async () => {
    const slow = gate();
    const settled: string[] = [];
    const relay = openRelay({
      handOver: async (entries) =>
        entries.map((entry) => (reasons([entry])[0] === 'slow' ? slow.opened : Promise.resolve())),
      settle: async (rows: readonly Row[]) => void settled.push(...rows.map((row) => row.seq)),
      logger,
    });
    relay.push([aRow('slow'), aRow('1')]);
    relay.push([aRow('2')]);
    await waitFor(() => settled.length === 2);
    expect(settled).toEqual(['1', '2']);
    expect(relay.inHand().map((row) => row.seq)).toEqual(['slow']);
    slow.open();
    await relay.flush();
    expect(settled).toEqual(['1', '2', 'slow']);
    expect(relay.inHand()).toEqual([]);
  });

  test('leaves to the sweeper what could not be handled or stored, and that alone', async () => {
    const settled: string[] = [];
    const relay = openRelay({
      handOver: async (entries) =>
        entries.map(async (entry) => {
          if (reasons([entry])[0] === 'bad') throw new Error('the database is away');
        }),
      settle: async (rows: readonly Row[]) => void settled.push(...rows.map((row) => row.seq)),
      logger,
    });
    relay.push([aRow('1'), aRow('bad'), aRow('2')]);
    await relay.flush();
    expect(settled).toEqual(['1', '2']);
    expect(relay.inHand()).toEqual([]);
  });

  test('settles by itself, and a flush waits for that too', async () => {
    const [begun, ended] = [gate(), gate()];
    const steps: string[] = [];
    const relay = openRelay({
      handOver: async (entries) => stored(entries),
      async settle() {
        begun.open();
        await ended.opened;
        steps.push('settled');
      },
      logger,
    });
    relay.push([aRow('1')]);
    await begun.opened;
    const flushed = relay.flush().then(() => steps.push('flushed'));
    // All that is ready to go on has gone on.
    await new Promise(setImmediate);
    ended.open();
    await flushed;
    expect(steps).toEqual(['settled', 'flushed']);
  });

  test('has nothing to flush when nothing was pushed', async () => {
    const relay = openRelay({ handOver: fail, settle: fail, logger });
    relay.push([]);
    await expect(relay.flush()).resolves.toBeUndefined();
  });
});

const fail = async () => {
  throw new Error('was not to be called');
};

describe('handing over', () => {
  const job = { name: 'mail', payload: {} };
  const entries: OutboxEntry[] = [
    { event: someEvent() },
    { job, context: { correlationId: 'one' } },
    { event: someEvent() },
    { job, context: { correlationId: 'two' } },
  ];

  test('gives all events in one call, and all jobs in another, each for the context it was decided in', async () => {
    const given: number[] = [];
    const jobs: (readonly Job[])[] = [];
    const kept = await handOver(entries, {
      bus: {
        publish: fail,
        async handOver(events) {
          given.push(events.length);
          return events.map(() => Promise.resolve());
        },
      },
      jobs: jobsOf(async (some) => void jobs.push(some)),
    });
    expect(given).toEqual([2]);
    expect(jobs).toEqual([
      [
        { ...job, context: { correlationId: 'one' } },
        { ...job, context: { correlationId: 'two' } },
      ],
    ]);
    await expect(Promise.all(kept)).resolves.toHaveLength(4);
  });

  test('says of each entry what became of it: jobs that are not stored spoil no event', async () => {
    const unhandled = new Error('the last of them');
    const kept = await handOver(entries, {
      bus: {
        publish: fail,
        handOver: async () => [Promise.resolve(), Promise.reject(unhandled)],
      },
      jobs: jobsOf(fail),
    });
    const outcomes = await Promise.allSettled(kept);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected']);
    expect(outcomes[2]).toMatchObject({ reason: unhandled });
  });

  test('of jobs alone does not touch the bus', async () => {
    let enqueued = 0;
    await handOver([{ job, context: { correlationId: 'c' } }], {
      bus: { publish: fail, handOver: fail },
      jobs: jobsOf(async () => void enqueued++),
    });
    expect(enqueued).toBe(1);
  });

  test('by a sweeper stores what it is given', async () => {
    const stored: string[] = [];
    const to = {
      bus: { publish: async () => void stored.push('event'), handOver: fail },
      jobs: jobsOf(async () => void stored.push('job')),
    };
    for (const entry of entries) await store(entry, to);
    expect(stored).toEqual(['event', 'job', 'event', 'job']);
  });
});
