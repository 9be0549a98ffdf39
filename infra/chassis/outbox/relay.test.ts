import { describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { gate } from '../testing/gate.ts';
import { openRelay } from './outbox.ts';

const logger = pino({ level: 'silent' });

describe('the relay', () => {
  test('publishes one batch at a time, in order, and deletes it from the outbox', async () => {
    const first = gate();
    const batches: string[][] = [];
    const settled: string[] = [];
    const relay = openRelay<string>({
      async publish(rows) {
        batches.push([...rows]);
        if (batches.length === 1) await first.opened;
      },
      settle: async (rows) => void settled.push(...rows),
      logger,
    });
    relay.push(['1']);
    relay.push(['2', '3']);
    relay.push(['4']);
    expect(settled).toEqual([]);
    expect(relay.inProgress()).toEqual(['1', '2', '3', '4']);
    first.open();
    await relay.flush();
    expect(batches).toEqual([['1'], ['2', '3', '4']]);
    expect(settled).toEqual(['1', '2', '3', '4']);
    expect(relay.inProgress()).toEqual([]);
  });

  test('leaves failed rows to the sweeper and goes on', async () => {
    const settled: string[] = [];
    const relay = openRelay<string>({
      async publish(rows) {
        if (rows.includes('1')) throw new Error('the bus is away');
      },
      settle: async (rows) => void settled.push(...rows),
      logger,
    });
    relay.push(['1']);
    await relay.flush();
    expect(relay.inProgress()).toEqual([]);
    relay.push(['2']);
    await relay.flush();
    expect(settled).toEqual(['2']);
  });

  test('waits in flush for rows that are being deleted', async () => {
    const [begun, ended] = [gate(), gate()];
    const steps: string[] = [];
    const relay = openRelay<string>({
      publish: async () => undefined,
      async settle() {
        begun.open();
        await ended.opened;
        steps.push('settled');
      },
      logger,
    });
    relay.push(['1']);
    await begun.opened;
    const flushed = relay.flush().then(() => steps.push('flushed'));
    // Lets all pending callbacks run.
    await new Promise(setImmediate);
    ended.open();
    await flushed;
    expect(steps).toEqual(['settled', 'flushed']);
  });

  test('does nothing without rows', async () => {
    const fail = async () => {
      throw new Error('was not to be called');
    };
    const relay = openRelay<string>({ publish: fail, settle: fail, logger });
    relay.push([]);
    await expect(relay.flush()).resolves.toBeUndefined();
  });
});
