import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { openPostgresBus, QUICK_RETRIES } from '../conformance/event-bus-harness.ts';
import { eventBusConformance } from '../conformance/event-bus.ts';
import { anOrderId, someEvent } from '../testing/events.ts';
import { gate } from '../testing/gate.ts';
import { openTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { waitFor } from '../testing/wait.ts';

describe('on PostgreSQL', () => eventBusConformance(openPostgresBus));

describe('the event bus on PostgreSQL', () => {
  let platform: TestPlatform;
  let database: pg.Client;
  beforeAll(async () => {
    platform = await openTestPlatform({ onPostgres: true, eventRetries: QUICK_RETRIES });
    database = new pg.Client({ connectionString: platform.databaseUrl });
    await database.connect();
  });
  afterAll(async () => {
    await database.end();
    await platform.close();
  });
  const wantedBy = (group: string) =>
    database.query(`insert into chassis.subscriptions (group_name, type) values ($1, 'payment.failed')`, [
      group,
    ]);

  test('does not store an event twice while it waits', async () => {
    const busy = gate();
    const received: string[] = [];
    await platform.bus.subscribe('doubled', {
      'payment.failed': async (event) => {
        if (event.data.reason === 'first') await busy.opened;
        received.push(event.data.reason);
      },
    });
    const key = anOrderId();
    const second = someEvent(key, 'second');
    await platform.bus.publish([someEvent(key, 'first')]);
    for (let times = 0; times < 3; times++) await platform.bus.publish([second]);
    busy.open();
    await platform.bus.publish([someEvent(key, 'third')]);
    await waitFor(() => received.includes('third'));
    expect(received).toEqual(['first', 'second', 'third']);
  });

  test('keeps the order of a key when part of it waits in the table', async () => {
    await wantedBy('backlog');
    const keys = Array.from({ length: 3 }, anOrderId);
    const some = (from: number) =>
      keys.flatMap((key) => Array.from({ length: 300 }, (_, n) => someEvent(key, 'late', from + n)));
    await platform.bus.publish(some(0));
    const received = new Map(keys.map((key): [string, number[]] => [key, []]));
    await platform.bus.subscribe('backlog', {
      'payment.failed': async ({ key, sequence }) => void received.get(key)!.push(sequence),
    });
    await platform.bus.publish(some(300));
    await waitFor(() => keys.every((key) => received.get(key)!.length === 600), 20_000);
    for (const key of keys) expect(received.get(key)).toEqual(Array.from({ length: 600 }, (_, n) => n));
    await waitFor(async () => (await platform.bus.waiting('backlog')) === 0);
  });

  test('dead-letters an unreadable event at once, without calling the handler', async () => {
    let asked = 0;
    await platform.bus.subscribe('reader', { 'payment.failed': async () => void asked++ });
    await database.query(
      `insert into chassis.deliveries (group_name, event_id, key, event)
       values ('reader', 'e', 'k', '{"type": "payment.failed", "of": "another age"}')`,
    );
    const [letter] = await waitFor(async () => {
      const letters = await platform.bus.deadLetters('reader');
      return letters.length > 0 && letters;
    });
    expect(letter!.event).toMatchObject({ of: 'another age' });
    expect(asked).toBe(0);
  });

  test('leaves events of groups that it does not serve to others', async () => {
    await wantedBy('elsewhere');
    const event = someEvent();
    await platform.bus.publish([event]);
    await platform.bus.publish([someEvent(event.key)]);
    const { rows } = await database.query(
      `select taken from chassis.deliveries where group_name = 'elsewhere' order by seq`,
    );
    expect(rows).toEqual([{ taken: 0 }, { taken: 0 }]);
  });

  test("takes over a dead process's events at once when it is alone", async () => {
    const group = 'orphaned';
    await wantedBy(group);
    const event = someEvent();
    await platform.bus.publish([event]);
    await database.query(
      `update chassis.deliveries set taken_by = 'the dead', taken_until = now() + interval '1 hour', taken = 1 where group_name = $1`,
      [group],
    );
    const next = await openTestPlatform({
      databaseUrl: platform.databaseUrl,
      onPostgres: true,
      eventRetries: QUICK_RETRIES,
      isAlone: true,
    });
    const received: string[] = [];
    await next.bus.subscribe(group, { 'payment.failed': async ({ id }) => void received.push(id) });
    await waitFor(() => received.length > 0);
    expect(received).toEqual([event.id]);
    await next.close();
  });
});
