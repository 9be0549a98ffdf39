import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { currentContext, withContext } from '../context.ts';
import { Hopeless, type Jobs } from '../ports/jobs.ts';
import { gate } from '../testing/gate.ts';
import { waitFor } from '../testing/wait.ts';

/** An engine, on which a test opens any number of processes. */
export interface JobsEngine {
  connect(): Promise<(service: string) => Jobs>;
  /** Closes the connections, too. */
  close(): Promise<void>;
}

const inMs = (delayMs: number) => new Date(Date.now() + delayMs).toISOString();

/** The contract of every Jobs. */
export function jobsConformance(open: () => Promise<JobsEngine>): void {
  describe('jobs', () => {
    let engine: JobsEngine;
    let here: (service: string) => Jobs;
    let there: (service: string) => Jobs;
    beforeAll(async () => {
      engine = await open();
      here = await engine.connect();
      there = await engine.connect();
    });
    afterAll(() => engine.close());

    const aService = () => `service-${randomUUID()}`;
    /** Records payloads. */
    const record = async (jobs: Jobs, name = 'work') => {
      const done: unknown[] = [];
      await jobs.handle(name, async (payload) => void done.push(payload));
      return done;
    };

    test('run with their payload, in the context of their cause', async () => {
      const jobs = here(aService());
      const seen: unknown[] = [];
      await jobs.handle('work', async (payload) => void seen.push({ payload, ...currentContext() }));
      await withContext({ correlationId: 'c-1', causationId: 'e-1' }, () =>
        jobs.enqueue([{ name: 'work', payload: { tree: 'ceiba' } }]),
      );
      await waitFor(() => seen.length === 1);
      expect(seen).toEqual([{ payload: { tree: 'ceiba' }, correlationId: 'c-1', causationId: 'e-1' }]);
    });

    test('run in their own context, where they have one', async () => {
      const jobs = here(aService());
      const seen: unknown[] = [];
      await jobs.handle('work', async ({ n }) => void seen.push([n, currentContext()]));
      const job = (n: number) => ({ name: 'work', payload: { n } });
      await withContext({ correlationId: 'caller' }, () =>
        jobs.enqueue([{ ...job(1), context: { correlationId: 'own', causationId: 'e-2' } }, job(2)]),
      );
      await waitFor(() => seen.length === 2);
      expect(seen).toEqual(
        expect.arrayContaining([
          [1, { correlationId: 'own', causationId: 'e-2' }],
          [2, { correlationId: 'caller' }],
        ]),
      );
    });

    test('wait for a handler', async () => {
      const jobs = here(aService());
      await jobs.enqueue([{ name: 'work', payload: { n: 1 } }]);
      const done = await record(jobs);
      await waitFor(() => done.length === 1);
    });

    test('of two services are separate although they share a name', async () => {
      const [one, other] = [here(aService()), here(aService())];
      const [ofOne, ofOther] = [await record(one), await record(other)];
      await one.enqueue([{ name: 'work', payload: { for: 'one' } }]);
      await other.enqueue([{ name: 'work', payload: { for: 'other' } }]);
      await waitFor(() => ofOne.length + ofOther.length === 2);
      expect([ofOne, ofOther]).toEqual([[{ for: 'one' }], [{ for: 'other' }]]);
    });

    test('do not start before their time', async () => {
      const jobs = here(aService());
      const begun: number[] = [];
      await jobs.handle('work', async () => void begun.push(Date.now()));
      const runAt = inMs(400);
      await jobs.enqueue([{ name: 'work', payload: {}, runAt }]);
      await waitFor(() => begun.length === 1);
      expect(begun[0]).toBeGreaterThanOrEqual(Date.parse(runAt));
    });

    test('with the same key are merged while they wait, and a new time does not move them', async () => {
      const jobs = here(aService());
      const done = await record(jobs);
      await jobs.enqueue([{ name: 'work', key: 'k', payload: { n: 1 }, runAt: inMs(200) }]);
      await jobs.enqueue([
        { name: 'work', key: 'k', payload: { n: 1 }, runAt: inMs(3_600_000) },
        { name: 'work', key: 'k', payload: { n: 1 }, runAt: inMs(3_600_000) },
        { name: 'work', key: 'other', payload: { n: 2 }, runAt: inMs(900) },
      ]);
      await waitFor(() => done.length === 2);
      expect(done).toEqual([{ n: 1 }, { n: 2 }]);
    });

    test('without a time do not wait for a later one of their key', async () => {
      const jobs = here(aService());
      const done = await record(jobs);
      await jobs.enqueue([{ name: 'work', key: 'k', payload: { n: 1 }, runAt: inMs(3_600_000) }]);
      await jobs.enqueue([{ name: 'work', key: 'k', payload: { n: 2 } }]);
      await waitFor(() => done.length === 1);
      expect(done).toEqual([{ n: 2 }]);
    });

    test('with the key of a running one run after it', async () => {
      const jobs = here(aService());
      const working = gate();
      let begun = 0;
      let finished = 0;
      await jobs.handle('work', async () => {
        begun++;
        await working.opened;
        finished++;
      });
      await jobs.enqueue([{ name: 'work', key: 'k', payload: {} }]);
      await waitFor(() => begun === 1);
      await jobs.enqueue([{ name: 'work', key: 'k', payload: {} }]);
      working.open();
      await waitFor(() => finished === 2);
    });

    test('run concurrently up to the limit of their handler', async () => {
      const jobs = here(aService());
      const most = { pairs: 0, single: 0 };
      const running = { pairs: 0, single: 0 };
      let done = 0;
      const work = (name: 'pairs' | 'single') => async () => {
        running[name]++;
        most[name] = Math.max(most[name], running[name]);
        // Longer than a busy machine takes to fetch the next job.
        await new Promise((resolve) => setTimeout(resolve, 100));
        running[name]--;
        done++;
      };
      await jobs.enqueue(Array.from({ length: 8 }, () => ({ name: 'pairs', payload: {} })));
      await jobs.enqueue(Array.from({ length: 4 }, () => ({ name: 'single', payload: {} })));
      await jobs.handle('pairs', work('pairs'), { concurrency: 2 });
      await jobs.handle('single', work('single'));
      await waitFor(() => done === 12);
      expect(most).toEqual({ pairs: 2, single: 1 });
    });

    test('of a slow kind do not block another kind', async () => {
      const jobs = here(aService());
      const slow = gate();
      let slowDone = 0;
      await jobs.handle('slow', async () => {
        await slow.opened;
        slowDone++;
      });
      const quick = await record(jobs, 'quick');
      await jobs.enqueue(Array.from({ length: 30 }, () => ({ name: 'slow', payload: {} })));
      await jobs.enqueue([{ name: 'quick', payload: {} }]);
      await waitFor(() => quick.length === 1);
      expect(slowDone).toBe(0);
      slow.open();
      await waitFor(() => slowDone === 30);
    });

    test('are retried on failure, and given up after the last attempt', async () => {
      const jobs = here(aService());
      const attempts: string[] = [];
      await jobs.handle(
        'work',
        async ({ kind }) => {
          attempts.push(String(kind));
          if (kind === 'hopeless' || attempts.filter((one) => one === kind).length < 2) throw new Error('no');
        },
        { maxAttempts: 3 },
      );
      await jobs.enqueue([
        { name: 'work', payload: { kind: 'hopeless' } },
        { name: 'work', payload: { kind: 'lame' } },
      ]);
      await waitFor(() => attempts.length === 5);
      const last = await record(jobs, 'last');
      await jobs.enqueue([{ name: 'last', payload: {}, runAt: inMs(1_000) }]);
      await waitFor(() => last.length === 1);
      expect(attempts.sort()).toEqual(['hopeless', 'hopeless', 'hopeless', 'lame', 'lame']);
    });

    test('without hope are given up at once, and their handler is notified', async () => {
      const jobs = here(aService());
      const attempts: unknown[] = [];
      const dead: unknown[] = [];
      await jobs.handle(
        'work',
        async (payload) => {
          attempts.push(payload);
          throw new Hopeless('not an image');
        },
        { onDead: async (payload) => void dead.push(payload) },
      );
      await jobs.enqueue([{ name: 'work', payload: { photoId: 'p1' } }]);
      const [letter] = await waitFor(async () => {
        const all = await jobs.deadJobs();
        return all.length > 0 && all;
      });
      expect(letter).toMatchObject({ payload: { photoId: 'p1' }, error: 'Hopeless: not an image' });
      expect([attempts, dead]).toEqual([[{ photoId: 'p1' }], [{ photoId: 'p1' }]]);
    });

    test('that were given up are listed as dead, and can be replayed', async () => {
      const service = aService();
      const jobs = here(service);
      let cured = false;
      const done: unknown[] = [];
      await jobs.handle(
        'variants',
        async (payload) => {
          if (!cured) throw new Error('not an image');
          done.push(payload);
        },
        { maxAttempts: 1 },
      );
      await jobs.enqueue([{ name: 'variants', payload: { photoId: 'p1' }, key: 'p1' }]);
      const [dead] = await waitFor(async () => {
        const all = await there(service).deadJobs();
        return all.length > 0 && all;
      });
      expect(dead).toMatchObject({
        service,
        name: 'variants',
        payload: { photoId: 'p1' },
        error: expect.stringContaining('not an image'),
      });
      expect(Date.parse(dead!.failedAt)).not.toBeNaN();
      expect(await here(aService()).deadJobs()).toEqual([]);

      cured = true;
      expect(await jobs.replay(dead!.id)).toBe(true);
      await waitFor(() => done.length === 1);
      expect(done).toEqual([{ photoId: 'p1' }]);
      expect(await jobs.deadJobs()).toEqual([]);
      expect(await jobs.replay(dead!.id)).toBe(false);
      expect(await jobs.replay('no such job')).toBe(false);

      cured = false;
      await jobs.enqueue([{ name: 'variants', payload: { photoId: 'p2' } }]);
      const [hopeless] = await waitFor(async () => {
        const all = await jobs.deadJobs();
        return all.length > 0 && all;
      });
      expect(await jobs.discard('no such job')).toBe(false);
      expect(await jobs.discard(hopeless!.id)).toBe(true);
      expect(await jobs.deadJobs()).toEqual([]);
      expect([await jobs.discard(hopeless!.id), await jobs.replay(hopeless!.id)]).toEqual([false, false]);
      expect(done).toHaveLength(1);
    });

    test('count as waiting when they are due, except periodic ones', async () => {
      const jobs = here(aService());
      expect(await jobs.waiting()).toBe(0);
      await jobs.enqueue([
        { name: 'work', payload: {} },
        { name: 'work', payload: {} },
        { name: 'work', payload: {}, runAt: inMs(3_600_000) },
      ]);
      expect(await jobs.waiting()).toBe(2);
      await record(jobs);
      await waitFor(async () => (await jobs.waiting()) === 0);
    });

    test('are shared among the replicas of a service', async () => {
      const service = aService();
      const [one, other] = [await record(here(service)), await record(there(service))];
      await here(service).enqueue(Array.from({ length: 30 }, (_, n) => ({ name: 'work', payload: { n } })));
      const all = () => [...one, ...other] as { n: number }[];
      await waitFor(() => all().length >= 30);
      expect(
        all()
          .map(({ n }) => n)
          .sort((a, b) => a - b),
      ).toEqual(Array.from({ length: 30 }, (_, n) => n));
    });

    test('that are periodic run once over all replicas, never concurrently, and go on after a failure', async () => {
      const service = aService();
      const turns: number[] = [];
      let running = 0;
      let most = 0;
      const turn = async () => {
        most = Math.max(most, ++running);
        turns.push(Date.now());
        await new Promise((resolve) => setTimeout(resolve, 20));
        running--;
        if (turns.length === 2) throw new Error('this once');
      };
      await here(service).every('sweep', 100, turn);
      await there(service).every('sweep', 100, turn);
      await waitFor(() => turns.length >= 4);
      await here(service).close();
      await there(service).close();
      const pauses = turns.slice(1).map((at, n) => at - turns[n]!);
      expect(Math.min(...pauses)).toBeGreaterThanOrEqual(99);
      expect(most).toBe(1);
    });

    test('report that they are healthy', async () => {
      await expect(here(aService()).check()).resolves.toBeUndefined();
    });
  });
}
