import { ordersEndpoints } from '@arboleda/contracts/endpoints/orders.ts';
import { SERVICES } from '@arboleda/contracts/services.ts';
import { VERSION } from '@arboleda/contracts/version.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import pg from 'pg';
import { pino } from 'pino';
import { type Logger, openLogger } from '../log.ts';
import type { Platform } from '../ports/platform.ts';
import { openService } from '../service.ts';
import { testServiceConfig } from '../testing/config.ts';
import { anOrderId, someEvent, someNewEvent } from '../testing/events.ts';
import { freePort } from '../testing/free-port.ts';
import { gate } from '../testing/gate.ts';
import { openTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { request } from '../testing/request.ts';
import { waitFor } from '../testing/wait.ts';

/** A folder without migrations. */
const noMigrations = new URL('./', import.meta.url);

describe('a service', () => {
  let platform: TestPlatform;

  beforeAll(async () => {
    platform = await openTestPlatform();
  });

  afterAll(() => platform.close());

  const endpoints = { 'GET /api/stats': ordersEndpoints['GET /api/stats'] };

  const stats = { treesPlanted: 50_000, planted: 0, funded: 0, photographed: 0, hectares: 503 };

  const handlers = { 'GET /api/stats': async () => stats };

  const config = () =>
    testServiceConfig({ databaseUrl: platform.databaseUrl, jwksUrl: 'http://127.0.0.1:1/internal/jwks' });

  const open = (overrides: { platform?: Platform; logger?: Logger } = {}) =>
    openService('orders', config(), { platform, ...overrides });

  test('its log says which version listens', async () => {
    const lines: string[] = [];
    const logger = openLogger(undefined, 'info', { write: (line) => void lines.push(line) });
    const running = await (await open({ logger })).listen(endpoints, handlers);
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({
      msg: 'listening',
      service: 'orders',
      version: VERSION,
    });
    await running.close();
  });

  /** A port that refuses connections until it gets a target. */
  async function startRefusingPort() {
    let target: number | undefined;
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      if (target === undefined) return void socket.resetAndDestroy();
      const onward = connect(target, '127.0.0.1');
      for (const one of [socket, onward]) {
        sockets.add(one);
        one.on('error', () => undefined);
      }
      socket.pipe(onward).pipe(socket);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return {
      port: (server.address() as AddressInfo).port,
      forwardTo: (port: number) => void (target = port),
      async close() {
        sockets.forEach((socket) => socket.destroy());
        await new Promise((resolve) => server.close(resolve));
      },
    };
  }

  describe('a service', () => {
    test('answers its endpoints on a free port, twice in one process', async () => {
      const one = await (await open()).listen(endpoints, handlers);
      const other = await (await open()).listen(endpoints, handlers);
      expect(one.url).not.toBe(other.url);
      for (const { url, close } of [one, other]) {
        expect((await request(url, 'GET /api/stats')).body).toEqual(stats);
        await close();
        await expect(request(url, 'GET /api/stats')).rejects.toThrow();
      }
    });

    test('opens and closes the engines of its configuration unless it is given a platform', async () => {
      const service = await openService('orders', config());
      const running = await service.listen(endpoints, handlers);
      await expect(service.platform.bus.check()).resolves.toBeUndefined();
      await running.close();
      await expect(service.platform.bus.check()).rejects.toThrow();
    });

    test('is ready while all its dependencies answer, and names those that do not', async () => {
      let fault: Error | undefined;
      const check = async () => {
        if (fault) throw fault;
      };
      const jobs = (name: string) => ({ ...platform.jobs(name), check });
      const service = await open({ platform: { ...platform, jobs } });
      service.platform.jobs('orders');
      const running = await service.listen(endpoints, handlers);
      const ready = async () => {
        const response = await fetch(new URL('/readyz', running.url));
        const body = (await response.json()) as { waitingFor?: string[] };
        return [response.status, body.waitingFor];
      };
      expect(await ready()).toEqual([200, undefined]);
      fault = new Error('gone');
      await waitFor(async () => {
        expect(await ready()).toEqual([503, ['postgres']]);
        return true;
      });
      fault = undefined;
      await waitFor(async () => {
        expect(await ready()).toEqual([200, undefined]);
        return true;
      });
      await running.close();
    });

    test('is live but not ready while it starts, and asks callers to retry', async () => {
      const port = await freePort();
      const { call: _call, ...service } = await openService('orders', { ...config(), port }, { platform });
      const at = (path: string) => fetch(new URL(path, `http://127.0.0.1:${port}`));
      expect((await at('/livez')).status).toBe(200);
      const waiting = await at('/readyz');
      expect([waiting.status, await waiting.json()]).toEqual([
        503,
        { status: 'waiting', waitingFor: ['start'] },
      ]);
      const early = await at('/api/stats');
      expect([early.status, early.headers.get('retry-after')]).toEqual([503, '2']);
      const running = await service.listen(endpoints, handlers);
      expect((await at('/api/stats')).status).toBe(200);
      await running.close();
    });

    test('waits for a database that is unavailable at the start, and says so', async () => {
      const database = new URL(platform.databaseUrl);
      const away = await startRefusingPort();
      const port = await freePort();
      const elsewhere = new URL(platform.databaseUrl);
      elsewhere.port = String(away.port);
      const { platform: engines, ...rest } = config();
      const opening = openService('orders', {
        ...rest,
        port,
        platform: { ...engines, databaseUrl: elsewhere.href },
      });
      const ready = async (): Promise<unknown> => (await fetch(`http://127.0.0.1:${port}/readyz`)).json();
      await waitFor(async () => {
        expect(await ready()).toEqual({ status: 'waiting', waitingFor: ['postgres'] });
        return true;
      });
      away.forwardTo(Number(database.port));
      const running = await (await opening).listen(endpoints, handlers);
      await waitFor(async () => {
        expect(await ready()).toEqual({ status: 'ok' });
        return true;
      });
      await running.close();
      await away.close();
    });

    test('waits for a database that refuses its password, and says so, until the password is right', async () => {
      const database = new pg.Client({ connectionString: platform.databaseUrl });
      await database.connect();
      const role = `role_${randomUUID().slice(0, 8)}`;
      await database.query(`create role ${role} login superuser password 'of-the-database'`);
      const refused = new URL(platform.databaseUrl);
      refused.username = role;
      refused.password = 'of-the-service';
      const port = await freePort();
      const { platform: engines, ...rest } = config();
      const opening = openService('orders', {
        ...rest,
        port,
        platform: { ...engines, databaseUrl: refused.href },
      });
      const ready = async () => {
        const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
        return [answer.status, await answer.json()];
      };
      const reason = 'orders cannot use postgres, because it refuses the password in DATABASE_URL.';
      await waitFor(async () => {
        expect(await ready()).toEqual([503, { status: 'waiting', waitingFor: ['postgres'], reason }]);
        return true;
      });
      await database.query(`alter role ${role} password 'of-the-service'`);
      const running = await (await opening).listen(endpoints, handlers);
      await waitFor(async () => {
        expect(await ready()).toEqual([200, { status: 'ok' }]);
        return true;
      });
      await running.close();
      await database.query(`drop role ${role}`);
      await database.end();
    });

    test('stays up when its data may not be opened, and says in one sentence what to do', async () => {
      const other = await openTestPlatform({ onPostgres: true });
      const database = new pg.Client({ connectionString: other.databaseUrl });
      await database.connect();
      const { rows } = await database.query<{ checksum: string }>(
        `update chassis._migrations set checksum = 'of another file' where name like '001%' returning
           (select checksum from chassis._migrations where name like '001%') as checksum`,
      );
      const lines: unknown[] = [];
      const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
      const port = await freePort();
      const { platform: engines, ...rest } = config();
      const opening = openService(
        'orders',
        { ...rest, port, platform: { ...engines, databaseUrl: other.databaseUrl } },
        { logger },
      );
      const at = (path: string) => fetch(new URL(path, `http://127.0.0.1:${port}`));
      const reason =
        'The data of chassis was written by a version before 1.0, which later versions cannot open (001_chassis.sql differs). ' +
        'Go on with the version that wrote it, or start this one with an empty database.';
      await waitFor(async () => {
        const answer = await at('/readyz');
        expect([answer.status, await answer.json()]).toEqual([
          503,
          { status: 'waiting', waitingFor: ['migration'], reason },
        ]);
        return true;
      });
      expect((await at('/livez')).status).toBe(200);
      expect((await at('/api/stats')).status).toBe(503);
      await database.query(`update chassis._migrations set checksum = $1 where name like '001%'`, [
        rows[0]!.checksum,
      ]);
      const running = await (await opening).listen(endpoints, handlers);
      await waitFor(async () => {
        expect(await (await at('/readyz')).json()).toEqual({ status: 'ok' });
        return true;
      });
      expect(lines.filter((line) => (line as { msg: string }).msg === reason)).toHaveLength(1);
      await running.close();
      await database.end();
      await other.close();
    });

    test('drains: it answers for a while, but is not ready', async () => {
      const service = await openService('orders', { ...config(), drainMs: 300 }, { platform });
      const running = await service.listen(endpoints, handlers);
      const closing = running.close();
      const waiting = await fetch(new URL('/readyz', running.url));
      expect([waiting.status, await waiting.json()]).toEqual([
        503,
        { status: 'waiting', waitingFor: ['stop'] },
      ]);
      expect((await request(running.url, 'GET /api/stats')).status).toBe(200);
      await closing;
      await expect(request(running.url, 'GET /api/stats')).rejects.toThrow();
    });

    test('exposes waiting and dead work, and the age of its outbox', async () => {
      const service = await open();
      await service.platform.sql('orders', noMigrations);
      await service.platform.jobs('orders').enqueue([{ name: 'nobody-does-it', payload: {} }]);
      await service.subscribe({ 'worker.updated': async () => undefined });
      const running = await service.listen(endpoints, handlers);
      const text = await (await fetch(new URL('/metrics', running.url))).text();
      expect(text).toContain('events_waiting{group="orders",service="orders"} 0');
      expect(text).toContain('events_dead_letters{group="orders",service="orders"} 0');
      expect(text).toContain('jobs_waiting{service="orders"} 1');
      expect(text).toContain('jobs_dead{service="orders"} 0');
      expect(text).toContain('outbox_age_seconds{service="orders"} 0');
      await running.close();
    });

    test('exposes the age of the last backup, and of the database before the first', async () => {
      const service = await open();
      const sql = await service.platform.sql('orders', noMigrations);
      const running = await service.listen(endpoints, handlers);
      const age = async () => {
        const text = await (await fetch(new URL('/metrics', running.url))).text();
        return Number(/^backup_age_seconds\{service="orders"\} (\S+)$/m.exec(text)![1]);
      };
      await sql.query(`update chassis._migrations set applied_at = now() - interval '3 days'`);
      expect(Math.round((await age()) / 3600)).toBe(72);
      await sql.query(`insert into chassis.backups (made_at) values (now() - interval '5 hours')`);
      expect(Math.round((await age()) / 3600)).toBe(5);
      await running.close();
    });

    test('with subscriptions is ready only while its bus is', async () => {
      let answers = true;
      const check = async () => {
        if (!answers) throw new Error('gone');
      };
      const service = await open({ platform: { ...platform, bus: { ...platform.bus, check } } });
      await service.subscribe({});
      const running = await service.listen(endpoints, handlers);
      answers = false;
      expect((await fetch(new URL('/readyz', running.url))).status).toBe(503);
      await running.close();
    });

    test('counts handled and failed events', async () => {
      let failures = 1;
      const service = await open();
      await service.subscribe({
        'payment.failed': async () => {
          if (failures-- > 0) throw new Error('not yet');
        },
      });
      const running = await service.listen(endpoints, handlers);
      const payments = await platform.sql('payments', noMigrations);
      await payments.transaction((tx) => tx.publish([someNewEvent(anOrderId())]));
      await payments.close();
      const counted = async (outcome: string) => {
        const text = await (await fetch(new URL('/metrics', running.url))).text();
        const line = text.split('\n').find((each) => each.includes(`outcome="${outcome}"`));
        return Number(line?.split(' ').at(-1) ?? 0);
      };
      await waitFor(async () => (await counted('done')) === 1 && (await counted('failed')) === 1);
      await running.close();
    });

    test('closes everything in reverse order, also when a step fails', async () => {
      const closed: string[] = [];
      const service = await open();
      service.onClose(async () => void closed.push('first'));
      service.onClose(async () => {
        closed.push('second');
        throw new Error('stuck');
      });
      const running = await service.listen(endpoints, handlers);
      await expect(running.close()).rejects.toThrow('orders did not close cleanly');
      expect(closed).toEqual(['second', 'first']);
      await expect(running.close()).resolves.toBeUndefined();
    });
  });
});

describe('an engine that is unavailable', () => {
  let platform: TestPlatform;

  let database: pg.Client;

  beforeEach(async () => {
    platform = await openTestPlatform({ stopWithinMs: 300 });
    database = new pg.Client({ connectionString: platform.databaseUrl });
    await database.connect();
  });

  afterEach(async () => {
    await database.end();
    await platform.close();
  });

  const connections = async () =>
    Number(
      (
        await database.query(
          `select count(*) as n from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
        )
      ).rows[0].n,
    );

  test('delivers events and jobs again after every connection was cut', async () => {
    const events: string[] = [];
    let jobs = 0;
    await platform.bus.subscribe('survivor', {
      'payment.failed': async (event) => void events.push(event.id),
    });
    await platform.jobs('survivor').handle('work', async () => void jobs++);
    const before = someEvent();
    const later = someEvent();
    await platform.bus.publish([before]);
    await waitFor(() => events.includes(before.id));

    await database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
    );
    const after = someEvent();
    await waitFor(() => platform.bus.publish([after]).then(() => true));
    await waitFor(() =>
      platform
        .jobs('survivor')
        .enqueue([{ name: 'work', payload: {} }])
        .then(() => true),
    );
    await waitFor(() => events.includes(after.id) && jobs > 0, 15_000);
    // No job stays locked by workers that have lost it.
    await platform.bus.publish([later]);
    await waitFor(async () => (await platform.bus.waiting('survivor')) === 0, 15_000);
    await platform.bus.check();
    // The presence lock is held again, so that no other process takes its work.
    await waitFor(async () => {
      const { rows } = await database.query(
        `select count(*) as n from pg_locks where locktype = 'advisory' and granted
       and database = (select oid from pg_database where datname = current_database())`,
      );
      return Number(rows[0].n) >= 1;
    });
  }, 40_000);

  test('runs a job again whose fetch was lost', async () => {
    const jobs = platform.jobs('survivor');
    const working = gate();
    let begun = 0;
    await jobs.handle('work', async () => {
      begun++;
      await working.opened;
    });
    await jobs.enqueue([{ name: 'work', payload: {} }]);
    await waitFor(() => begun === 1);
    await jobs.enqueue([{ name: 'lost', payload: {} }]);
    // The result of the fetch is lost with its connection.
    await database.query(
      `update graphile_worker._private_jobs set locked_at = now() - interval '1 minute',
       locked_by = (select locked_by from graphile_worker.jobs where locked_by is not null)
     where locked_by is null`,
    );
    let found = 0;
    await jobs.handle('lost', async () => void found++);
    await database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'arboleda:jobs'`,
    );
    working.open();
    await waitFor(() => found === 1, 15_000);
  }, 30_000);

  test('times out on closing, and releases the work', async () => {
    let taken = 0;
    await platform.bus.subscribe('stuck', {
      'payment.failed': async () => {
        taken++;
        await new Promise(() => undefined);
      },
    });
    await platform.bus.publish([someEvent()]);
    await waitFor(() => taken === 1);
    await platform.bus.close();
    const { rows } = await database.query('select taken_by from chassis.deliveries');
    expect(rows).toEqual([{ taken_by: null }]);
  });

  test('needs at most sixty connections for all services of a process, and returns them all', async () => {
    const own = await openTestPlatform({ databaseUrl: platform.databaseUrl });
    const before = await connections();
    const stores = await Promise.all(
      SERVICES.map(async (service) => {
        const sql = await own.sql(service, noMigrations);
        await own.bus.subscribe(service, { 'payment.failed': async () => undefined });
        await own.jobs(service).every('sweep', 50, async () => undefined);
        return sql;
      }),
    );
    await Promise.all(
      stores.flatMap((sql) => Array.from({ length: 50 }, () => sql.query('select pg_sleep(0.02)'))),
    );
    expect((await connections()) - before).toBeLessThanOrEqual(60);
    await own.close();
    await waitFor(async () => (await connections()) <= before);
  }, 30_000);

  test('dead-letters a job that kills its process each time', async () => {
    await platform.jobs('deadly').enqueue([{ name: 'explode', payload: { tree: 'manchineel' } }]);
    await database.query('update graphile_worker._private_jobs set attempts = max_attempts');
    const letter = await waitFor(async () => {
      const { rows } = await database.query('select owner, task, payload, error from chassis.dead_letters');
      return rows[0];
    });
    expect(letter).toMatchObject({
      owner: 'deadly',
      task: 'job:deadly:explode',
      payload: { payload: { tree: 'manchineel' } },
      error: expect.stringContaining('died'),
    });
    expect((await database.query('select from graphile_worker.jobs')).rowCount).toBe(0);
  });
});
