import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePorts } from '../free-ports.ts';
import { clusterDir } from '../cluster-dir.ts';
import { clearPostgres, startPostgres } from '../postgres.ts';
import { isAlive, waitForEnd } from '../process.ts';

describe('the embedded PostgreSQL', () => {
  let dir: string;

  const options = () => ({
    dir: join(dir, 'postgres'),
    logFile: join(dir, 'postgres.log'),
    password: 'only for this test',
  });

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'arboleda-local-pg-'));
    await chmod(dir, 0o755);
  });

  afterEach(() => rm(dir, { recursive: true, force: true }));

  async function query(url: string, text: string): Promise<unknown[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query(text);
    await client.end();
    return rows;
  }

  test('keeps its data over a restart', async () => {
    const first = await startPostgres(options());
    await query(first.url, "CREATE TABLE kept AS SELECT 'tree' AS what");
    expect((await stat(options().logFile)).mode & 0o777).toBe(0o600);
    await first.close();
    expect(isAlive(first.pid)).toBe(false);
    const second = await startPostgres(options());
    expect(await query(second.url, 'SELECT what FROM kept')).toEqual([{ what: 'tree' }]);
    await second.close();
  }, 60_000);

  /** Records events in `said`; `received` waits for the next one of a kind. */
  function aWatcher() {
    const said: string[] = [];
    const news = new EventEmitter();
    const tell = (kind: string, word = kind) => {
      said.push(word);
      news.emit(kind);
    };
    const watcher = {
      died: () => tell('died'),
      revived: () => tell('revived'),
      waits: () => tell('waits'),
      gaveUp: (fault: Error) => tell('gave up', fault.message),
    };
    return { said, watcher, received: (kind: string) => once(news, kind) };
  }

  test('restarts at the same address with its data after a crash, and closes normally', async () => {
    const { said, watcher, received } = aWatcher();
    const server = await startPostgres({ ...options(), watcher });
    await query(server.url, "CREATE TABLE kept AS SELECT 'tree' AS what");
    for (let round = 1; round <= 2; round++) {
      const { pid } = server;
      const revived = received('revived');
      process.kill(pid, 'SIGKILL');
      await revived;
      expect(server.pid).not.toBe(pid);
      expect(await query(server.socketUrl, 'SELECT what FROM kept')).toEqual([{ what: 'tree' }]);
    }
    await server.close();
    expect(isAlive(server.pid)).toBe(false);
    expect(said).toEqual(['died', 'revived', 'died', 'revived']);
  }, 60_000);

  test('waits for room while the disk is full, however often it fills, and goes on then', async () => {
    const { said, watcher, received } = aWatcher();
    let isFull = false;
    const server = await startPostgres({ ...options(), watcher, hasRoom: async () => !isFull });
    for (let round = 1; round <= 6; round++) {
      isFull = true;
      const [waits, revived] = [received('waits'), received('revived')];
      process.kill(server.pid, 'SIGKILL');
      await waits;
      isFull = false;
      await revived;
    }
    expect(await query(server.socketUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await server.close();
    expect(said).toEqual(Array.from({ length: 6 }, () => ['died', 'waits', 'revived']).flat());
  }, 90_000);

  test('gives up with the reason when it cannot restart', async () => {
    const { said, watcher, received } = aWatcher();
    const server = await startPostgres({ ...options(), watcher });
    await rename(join(dir, 'postgres', 'global'), join(dir, 'global-away'));
    const gaveUp = received('gave up');
    process.kill(server.pid, 'SIGKILL');
    await gaveUp;
    expect(said).toEqual(['died', expect.stringMatching(/^PostgreSQL did not start: .*global/)]);
    await server.close();
  }, 60_000);

  test('stays closed when it is closed during a restart', async () => {
    const { watcher, received } = aWatcher();
    const server = await startPostgres({ ...options(), watcher });
    const died = received('died');
    process.kill(server.pid, 'SIGKILL');
    await died;
    await server.close();
    expect(isAlive(server.pid)).toBe(false);
  }, 60_000);

  test('answers by its socket too, or by TCP only where sockets are unavailable', async () => {
    const cluster = await startPostgres(options());
    expect(await query(cluster.socketUrl, 'SELECT inet_server_addr() AS at')).toEqual([{ at: null }]);
    expect(await query(cluster.url, 'SELECT inet_server_addr() AS at')).toEqual([{ at: '127.0.0.1' }]);
    await cluster.close();
    for (const name of ['x'.repeat(90), 'a, b']) {
      const other = await startPostgres({ ...options(), dir: join(dir, name) });
      expect(await query(other.socketUrl, 'SELECT inet_server_addr() AS at')).toEqual([{ at: '127.0.0.1' }]);
      await other.close();
    }
  }, 90_000);

  test('stops a server that a killed parent left, without losing data', async () => {
    const parts = options();
    const program = `
    import { startPostgres } from ${JSON.stringify(join(import.meta.dirname, '../postgres.ts'))};
    const { url, pid } = await startPostgres(${JSON.stringify(parts)});
    console.log(JSON.stringify({ url, pid }));
    setInterval(() => undefined, 1000);`;
    const file = join(dir, 'parent.ts');
    await writeFile(file, program);
    const parent = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const { url, pid } = JSON.parse(String(line)) as { url: string; pid: number };
    await query(url, "CREATE TABLE kept AS SELECT 'tree' AS what");
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    expect(isAlive(pid)).toBe(true);

    const next = await startPostgres(options());
    expect(await waitForEnd(pid, 1000)).toBe(true);
    expect(await query(next.url, 'SELECT what FROM kept')).toEqual([{ what: 'tree' }]);
    await next.close();
  }, 60_000);

  test('leaves a process alone that got the number of a server that is gone', async () => {
    const first = await startPostgres(options());
    await first.close();
    const cluster = join(dir, 'postgres');
    // It has to do with the folder, and is not its server.
    const other = spawn('sleep', ['60'], { argv0: `sleep ${cluster}`, stdio: 'ignore' });
    await writeFile(join(cluster, 'postmaster.pid'), `${other.pid}\n${cluster}\n`);
    const second = await startPostgres(options());
    expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await second.close();
    expect(isAlive(other.pid!)).toBe(true);
    other.kill();
  }, 60_000);

  test('starts over after an interrupted first start', async () => {
    await mkdir(join(dir, 'postgres', 'base'), { recursive: true });
    const server = await startPostgres(options());
    expect(await query(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await server.close();
  }, 60_000);

  const asRoot = process.getuid?.() === 0 ? test : undefined;

  asRoot?.(
    'root may keep everything in a folder that is closed to others: server and files stand elsewhere',
    async () => {
      await chmod(dir, 0o700);
      const first = await startPostgres(options());
      await query(first.url, "CREATE TABLE kept AS SELECT 'tree' AS what");
      await first.close();
      const second = await startPostgres(options());
      expect(await query(second.url, 'SELECT what FROM kept')).toEqual([{ what: 'tree' }]);
      await second.close();
      const elsewhere = clusterDir(options().dir);
      expect(elsewhere).not.toContain(dir);
      await clearPostgres(options().dir);
      expect(existsSync(elsewhere)).toBe(false);
    },
    60_000,
  );

  asRoot?.(
    'a folder that was deleted leaves nothing that another at its path would meet',
    async () => {
      await chmod(dir, 0o700);
      await (await startPostgres(options())).close();
      const former = clusterDir(options().dir);
      await rm(options().dir, { recursive: true });
      const server = await startPostgres({ ...options(), password: 'of-another-installation' });
      expect(await query(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      await server.close();
      await clearPostgres(options().dir);
      await rm(former, { recursive: true });
    },
    60_000,
  );
});

test('ports are distinct, free, given once, and outside the ephemeral range', async () => {
  const ports = [...(await freePorts(5)), ...(await freePorts(5))];
  expect(new Set(ports).size).toBe(10);
  for (const port of ports) {
    expect(port).toBeLessThan(32_768);
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
  }
});

test('a port that is taken on any address is skipped', async () => {
  const [port] = await freePorts(1);
  const taken = createServer().listen(port! + 1, '127.0.0.1');
  await once(taken, 'listening');
  expect(await freePorts(3)).not.toContain(port! + 1);
  taken.close();
  await once(taken, 'close');
});
