import { describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import type { Job } from '../ports/jobs.ts';
import { anOrderId, someEvent } from '../testing/events.ts';
import { gate } from '../testing/gate.ts';
import type { OutboxEntry } from './entry.ts';
import { handOver, openRelay } from './relay.ts';

const logger = pino({ level: 'silent' });
const aRow = (seq: string) => ({ seq, entry: { event: someEvent(anOrderId(), seq) } });
type Row = ReturnType<typeof aRow>;
const reasons = (entries: readonly OutboxEntry[]) =>
  entries.map((entry) => ('event' in entry ? (entry.event.data as { reason: string }).reason : 'job'));

describe('the relay', () => {
  test('hands over at once, and gathers what comes meanwhile into the next batch, in order', async () => {
    const first = gate();
    const batches: string[][] = [];
    const settled: string[] = [];
    const relay = openRelay({
      async handOver(entries) {
        batches.push(reasons(entries));
        if (batches.length === 1) await first.opened;
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

  test('settles by itself, and a flush waits for that too', async () => {
    const [begun, ended] = [gate(), gate()];
    const steps: string[] = [];
    const relay = openRelay({
      handOver: async () => undefined,
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
  test('publishes all events in one call, and enqueues all jobs in another, each for the context it was decided in', async () => {
    const published: number[] = [];
    const jobs: (readonly Job[])[] = [];
    const job = { name: 'mail', payload: {} };
    await handOver(
      [
        { event: someEvent() },
        { job, context: { correlationId: 'one' } },
        { event: someEvent() },
        { job, context: { correlationId: 'two' } },
      ],
      {
        bus: { publish: async (events) => void published.push(events.length) },
        jobs: { enqueue: async (some) => void jobs.push(some) },
      },
    );
    expect(published).toEqual([2]);
    expect(jobs).toEqual([
      [
        { ...job, context: { correlationId: 'one' } },
        { ...job, context: { correlationId: 'two' } },
      ],
    ]);
  });

  test('of jobs alone does not touch the bus', async () => {
    let enqueued = 0;
    await handOver([{ job: { name: 'mail', payload: {} }, context: { correlationId: 'c' } }], {
      bus: { publish: fail },
      jobs: { enqueue: async () => void enqueued++ },
    });
    expect(enqueued).toBe(1);
  });
});
