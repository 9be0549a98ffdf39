import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { withContext } from '../context.ts';
import type { Sql } from '../ports/sql.ts';
import { anOrderId, someNewEvent } from '../testing/events.ts';
import { gate } from '../testing/gate.ts';
import { waitFor } from '../testing/wait.ts';
import { accounts, brokenBus, openSqlHarness, recordingBus, type SqlHarness } from './sql-harness.ts';

describe('sql transactions', () => {
  let harness: SqlHarness;

  beforeAll(async () => {
    harness = await openSqlHarness();
  });

  afterAll(() => harness.close());

  const aFolder: SqlHarness['aFolder'] = (files) => harness.aFolder(files);

  const open: SqlHarness['open'] = (...asked) => harness.open(...asked);

  describe('a transaction', () => {
    let sql: Sql;
    const { events, bus } = recordingBus();
    beforeAll(async () => {
      sql = await open('bank', await aFolder(accounts), bus);
      await sql.query(`insert into accounts values ('a', 100), ('b', 0)`);
    });
    const balance = async (name: string) =>
      (await sql.query<{ balance: number }>('select balance from accounts where name = $1', [name])).rows[0]
        ?.balance;

    test('publishes its events after the commit, in order, with their causes', async () => {
      const keys = Array.from({ length: 3 }, anOrderId);
      const held = gate();
      const running = withContext({ correlationId: 'corr-1', causationId: 'cause-1' }, () =>
        sql.transaction(async (tx) => {
          await tx.publish([someNewEvent(keys[0]!), someNewEvent(keys[1]!)], 7);
          await tx.publish([someNewEvent(keys[2]!)]);
          await tx.enqueue([{ name: 'receipt', payload: { of: keys[0] }, key: keys[0]! }]);
          await held.opened;
          return 'done';
        }),
      );
      expect(events).toEqual([]);
      held.open();
      expect(await running).toBe('done');
      await waitFor(() => events.length === 3);
      expect(events).toMatchObject([
        { key: keys[0], sequence: 7, correlationId: 'corr-1', causationId: 'cause-1' },
        { key: keys[1], sequence: 7 },
        { key: keys[2], sequence: 0 },
      ]);
      const context = { correlationId: 'corr-1', causationId: 'cause-1' };
      expect(await harness.jobs('job:bank:receipt')).toMatchObject([{ payload: { of: keys[0] }, context }]);
      await waitFor(async () => (await sql.query('select from _outbox')).rowCount === 0);
    });

    test('calls the listener of a signal once, after the commit, and not when it fails', async () => {
      const seen: (number | undefined)[] = [];
      sql.onSignal('raised', () => seen.push(seen.length));
      const held = gate();
      const running = sql.transaction(async (tx) => {
        tx.signal('raised');
        tx.signal('raised');
        tx.signal('nobody listens');
        await held.opened;
      });
      const failing = sql.transaction(async (tx) => {
        tx.signal('raised');
        throw new Error('changed its mind');
      });
      await expect(failing).rejects.toThrow('changed its mind');
      expect(seen).toEqual([]);
      held.open();
      await running;
      expect(seen).toEqual([0]);
    });

    test('that fails changes and publishes nothing', async () => {
      const key = anOrderId();
      const failing = sql.transaction(async (tx) => {
        await tx.query(`update accounts set balance = 0 where name = 'a'`);
        await tx.publish([someNewEvent(key)]);
        await tx.enqueue([{ name: 'regret', payload: {} }]);
        throw new Error('changed my mind');
      });
      await expect(failing).rejects.toThrow('changed my mind');
      expect(await balance('a')).toBe(100);
      expect(await harness.jobs('job:bank:regret')).toEqual([]);
      await expect(sql.transaction((tx) => tx.publish([someNewEvent('not an order')]))).rejects.toThrow();
      const later = anOrderId();
      await sql.transaction((tx) => tx.publish([someNewEvent(later)]));
      await waitFor(() => events.some((event) => event.key === later));
      expect(events.some((event) => event.key === key)).toBe(false);
    });

    test('whose last statement fails while the commit is sent commits and publishes nothing', async () => {
      const former = await open('broken', await aFolder(accounts), bus);
      await former.query(`alter table _outbox add constraint full_up check (false) not valid`);
      const key = anOrderId();
      const failing = former.transaction(async (tx) => {
        await tx.query(`insert into accounts values ('c', 1)`);
        await tx.publish([someNewEvent(key)]);
      });
      await expect(failing).rejects.toThrow('full_up');
      expect((await former.query('select from accounts')).rowCount).toBe(0);
      await former.query('alter table _outbox drop constraint full_up');
      await former.transaction((tx) => tx.publish([someNewEvent(anOrderId())]));
      expect(events.some((event) => event.key === key)).toBe(false);
    });

    test('with a failed statement does not count as committed, even if nobody checked', async () => {
      const careless = sql.transaction((tx) =>
        tx.query(`insert into accounts values ('a', 0)`).then(undefined, () => undefined),
      );
      await expect(careless).rejects.toThrow('nothing was committed');
    });

    test('is repeated after a deadlock', async () => {
      const bothHoldOne = [gate(), gate()];
      const tries = [0, 0];
      const pay = (at: 0 | 1) =>
        sql.transaction(async (tx) => {
          tries[at]!++;
          const [first, second] = at === 0 ? ['a', 'b'] : ['b', 'a'];
          await tx.query('update accounts set balance = balance + 1 where name = $1', [first]);
          bothHoldOne[at]!.open();
          await bothHoldOne[1 - at]!.opened;
          await tx.query('update accounts set balance = balance + 1 where name = $1', [second]);
        });
      const before = (await balance('a'))!;
      await Promise.all([pay(0), pay(1)]);
      expect(await balance('a')).toBe(before + 2);
      // The one that is repeated may meet the other again.
      expect(tries[0]! + tries[1]!).toBeGreaterThan(2);
    });

    test('that crashed before publishing is published by another process', async () => {
      const doomed = await open('bank', await aFolder(accounts), brokenBus);
      const key = anOrderId();
      await doomed.transaction(async (tx) => {
        await tx.publish([someNewEvent(key)]);
      });
      await waitFor(() => events.some((event) => event.key === key), 15_000);
    }, 40_000);

    test('consumes an event once, also when it comes five times concurrently', async () => {
      const take = () =>
        sql.consume('event-1', async (tx) => {
          await tx.query(`update accounts set balance = balance + 10 where name = 'b'`);
        });
      const before = (await balance('b'))!;
      const taken = await Promise.all([take(), take(), take(), take(), take()]);
      expect(taken.filter(Boolean)).toHaveLength(1);
      expect(await take()).toBe(false);
      expect(await balance('b')).toBe(before + 10);
    });

    test('consumes events with any id', async () => {
      const ids = ["it's", '"; drop table accounts; --', 'back\\slash', "'; rollback; --"];
      for (const id of ids) expect(await sql.consume(id, async () => undefined)).toBe(true);
      for (const id of ids) expect(await sql.consume(id, async () => undefined)).toBe(false);
    });

    test('consumes an event later when consuming failed', async () => {
      const failing = sql.consume('event-2', async () => {
        throw new Error('an earlier one is missing');
      });
      await expect(failing).rejects.toThrow('missing');
      expect(await sql.consume('event-2', async () => undefined)).toBe(true);
    });

    test('remembers consumed events for a limited time', async () => {
      await sql.consume('recent', async () => undefined);
      await sql.query(`insert into _inbox values ('ancient', now() - interval '91 days')`);
      await open('bank', await aFolder(accounts));
      const known = async () =>
        (await sql.query(`select event_id from _inbox where event_id in ('recent', 'ancient')`)).rows;
      await waitFor(async () => (await known()).length === 1);
      expect(await known()).toEqual([{ event_id: 'recent' }]);
    });

    test('cannot see the tables of another service', async () => {
      const other = await open('stranger', await aFolder({}));
      await expect(other.query('select from accounts')).rejects.toThrow('accounts');
      await expect(other.check()).resolves.toBeUndefined();
    });

    test('ends before closing does, and so does its publishing', async () => {
      const recorder = recordingBus();
      const leaving = await open('leaving', await aFolder({}), recorder.bus);
      await leaving.transaction((tx) => tx.publish([someNewEvent(anOrderId())]));
      await leaving.close();
      expect(recorder.events).toHaveLength(1);
    });
  });
});
