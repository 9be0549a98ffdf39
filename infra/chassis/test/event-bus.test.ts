import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { eventBusConformance } from '../conformance/event-bus.ts';
import type { RetryPolicy } from '../retry.ts';
import { anOrderId, someEvent } from '../testing/events.ts';
import { gate } from '../testing/gate.ts';
import { openTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { waitFor } from '../testing/wait.ts';

const eventRetries: RetryPolicy = { maxAttempts: 3, delaysMs: [20, 100], maxDelayMs: 200 };

/** What dies in these tests had its workers for long. */
const janitor = { everyMs: 100, youngMs: 300 };

const openEngine = (isAlone: boolean) => async () => {
  const first = await openTestPlatform({ onPostgres: true, eventRetries, janitor });
  const others: TestPlatform[] = [];
  return {
    attempts: 3,
    environment: { DATABASE_URL: first.databaseUrl },
    async connect() {
      const platform = await openTestPlatform({
        databaseUrl: first.databaseUrl,
        onPostgres: true,
        eventRetries,
        isAlone,
      });
      others.push(platform);
      return platform.bus;
    },
    async close() {
      for (const platform of others) await platform.close();
      await first.close();
    },
  };
};

describe.each([
  ['to any process', false],
  ['to groups of its own process without a queue', true],
])('which gives events %s:', (_, isAlone) => eventBusConformance(openEngine(isAlone)));

describe('the event bus on PostgreSQL', () => {
  let platform: TestPlatform;
  let database: pg.Client;
  beforeAll(async () => {
    platform = await openTestPlatform({ onPostgres: true, eventRetries });
    database = new pg.Client({ connectionString: platform.databaseUrl });
    await database.connect();
  });
  afterAll(async () => {
    await database.end();
    await platform.close();
  });

  test('does not double an event that is still waiting', async () => {
    const busy = gate();
    const heard: string[] = [];
    await platform.bus.subscribe('doubled', {
      'payment.failed': async (event) => {
        if (event.data.reason === 'first') await busy.opened;
        heard.push(event.data.reason);
      },
    });
    const key = anOrderId();
    const second = someEvent(key, 'second');
    await platform.bus.publish([someEvent(key, 'first')]);
    for (let times = 0; times < 3; times++) await platform.bus.publish([second]);
    busy.open();
    await platform.bus.publish([someEvent(key, 'third')]);
    await waitFor(() => heard.includes('third'));
    expect(heard).toEqual(['first', 'second', 'third']);
  });

  test('puts what cannot be read aside at once, without asking the handler', async () => {
    let asked = 0;
    await platform.bus.subscribe('reader', { 'payment.failed': async () => void asked++ });
    await database.query(
      `select graphile_worker.add_job('event:reader:payment.failed',
         '{"event": {"type": "payment.failed", "of": "another age"}, "attempt": 0, "key": "k", "queue": "event:reader:0"}')`,
    );
    const [letter] = await waitFor(async () => {
      const letters = await platform.bus.deadLetters('reader');
      return letters.length > 0 && letters;
    });
    expect(letter!.event).toMatchObject({ of: 'another age' });
    expect(asked).toBe(0);
  });

  test('leaves to others the events of groups this process does not serve', async () => {
    await database.query(
      `insert into chassis.subscriptions (consumer, type) values ('elsewhere', 'payment.failed')`,
    );
    const event = someEvent();
    await platform.bus.publish([event]);
    await platform.bus.publish([someEvent(event.key)]);
    const { rows } = await database.query(
      `select attempts from graphile_worker.jobs where task_identifier = 'event:elsewhere:payment.failed'`,
    );
    expect(rows).toEqual([{ attempts: 0 }, { attempts: 0 }]);
  });
});
