import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { VERSION } from '@arboleda/contracts/version.ts';
import { isAlive } from '@arboleda/postgres/process.ts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { get, type IncomingMessage } from 'node:http';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startInbox } from '../embedded/inbox.ts';
import { openDemoView } from './demo-view.ts';

const BOOTSTRAP = join(import.meta.dirname, '..', 'bootstrap.js');

/** Spans from the payment to the emails, those of engines among them. */
const WHOLE_LINE = [
  'POST /api/payments/stripe-webhook',
  'postgresql consume',
  'process payment.succeeded',
  'process order.created',
  'process order.assigned',
  'job send-mail',
  'send mail',
  'PUT /api/workers/assignments/{id}/status',
  'process order.planted',
  'POST /api/workers/assignments/{id}/photos',
  'objects put',
  'pictures jpeg',
  'process photo.uploaded',
];

describe('npm start', () => {
  const PATIENCE_MS = 150_000;

  const PASSWORD = 'semilla-de-prueba-77';

  let dir: string;

  let dataDir: string;

  const started: ChildProcess[] = [];

  // Each attempt has its own folder and processes.
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'arboleda-start-'));
    await chmod(dir, 0o755);
    dataDir = join(dir, 'data');
  });

  afterEach(async () => {
    for (const child of started.splice(0).filter(isRunning)) {
      child.kill('SIGINT');
      await once(child, 'exit');
    }
    await rm(dir, { recursive: true });
  }, PATIENCE_MS);

  const isRunning = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null;

  /**
   * Runs "npm start" until it answers.
   * @param options.detached in a process group of its own
   * @param options.makesDemo waits until it has made the demo, too
   */
  async function start({ detached = false, makesDemo = true } = {}) {
    const child = spawn(process.execPath, [BOOTSTRAP, 'start'], {
      detached,
      env: { ...process.env, NODE_OPTIONS: '', PORT: '0', DATA_DIR: dataDir, DEMO_PASSWORD: PASSWORD },
    });
    started.push(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    }
    const ended = once(child, 'exit');
    /** Waits for output; a failure shows the output so far. */
    const said = async (what: RegExp) => {
      await waitFor(() => what.test(output) || !isRunning(child), PATIENCE_MS).catch(() => undefined);
      expect(output).toMatch(what);
      return what.exec(output)!;
    };
    const [, url] = await said(/Site +(http:\S+)/);
    // On a busy machine the first answer may take a while.
    await waitFor(async () => (await fetch(`${url}/readyz`)).status === 200);
    expect(output).toMatch(/Inbox +http:/);
    if (makesDemo) {
      await said(/demo orders are there|demo data is not complete/);
      expect(output).toContain('demo orders are there');
    }
    return {
      url: url!,
      said,
      killGroup: () => process.kill(-child.pid!, 'SIGKILL'),
      stop: async () => {
        child.kill('SIGINT');
        return ended;
      },
    };
  }

  test(
    'npm start prints all addresses, creates the demo once, and loses nothing on Ctrl-C or a crash',
    async () => {
      const first = await start();
      const look = await openDemoView(first.url, PASSWORD);
      const world = await waitFor(async () => {
        const seen = await look();
        expect(seen.counts).toEqual({ all: 9, pending: 2, assigned: 3, planted: 2, completed: 2 });
        expect(seen.transfers.map(({ status }) => status).toSorted()).toEqual([
          'approved',
          'pending',
          'rejected',
        ]);
        expect(seen.transfers.flatMap(({ flags }) => flags)).toEqual([]);
        expect(seen.attended.flatMap(({ refunds }) => refunds)).toEqual([
          { amount: 740, reason: 'Eight guests are coming, not ten.' },
        ]);
        expect(seen.attended.flatMap(({ notes }) => notes)).toHaveLength(2);
        expect(
          seen.attended
            .flatMap(({ gift }) => gift ?? [])
            .map(({ claimed }) => claimed)
            .toSorted(),
        ).toEqual([false, true]);
        expect(seen.attended.flatMap(({ growth }) => growth)).toEqual(['three_year']);
        expect(seen.attended.map(({ photos }) => photos).toSorted()).toEqual([0, 0, 0, 0, 0, 1, 1, 2, 3]);
        expect(seen.attended.filter(({ isWithdrawing }) => isWithdrawing)).toHaveLength(1);
        expect(seen.visitsDue).toBe(1);
        return seen;
      });
      const completed = world.attended.find(({ certificate }) => certificate)!.id;
      const traces = await (await fetch(`${first.url}/dev/traces?order=${completed}`)).text();
      expect(WHOLE_LINE.filter((step) => !traces.includes(step))).toEqual([]);
      expect(await first.stop()).toEqual([0, null]);
      expect(openToOthers(dataDir)).toEqual([]);
      expect(existsSync(join(dataDir, 'postgres', 'PG_VERSION'))).toBe(true);
      expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
      const { stdout } = run('follow', { DATA_DIR: dataDir }, completed);
      expect(stdout).toMatch(
        /payment\.succeeded → orders [^]+order\.assigned → [^]+kind receipt[^]+photo\.uploaded → /,
      );

      // The state of one that stopped before it saved its completion.
      const state = join(dataDir, 'demo.json');
      const { ordersDone, ...before } = JSON.parse(await readFile(state, 'utf8')) as Record<string, unknown>;
      expect(ordersDone).toBe(true);
      await writeFile(state, JSON.stringify(before));
      const again = await start({ detached: true });
      const lookAgain = await openDemoView(again.url, PASSWORD);
      expect(await lookAgain()).toEqual(world);

      // The first process logged its last rows when it stopped.
      const verified = run('audit', { DATA_DIR: dataDir }, 'verify');
      expect(verified).toMatchObject({ status: 0, stdout: expect.stringMatching(/^orders .+ whole /m) });
      const forged = run('audit', { DATA_DIR: dataDir }, 'verify', '--expect', `orders:1:${'0'.repeat(64)}`);
      expect(forged.status).toBe(1);
      expect(forged.stdout).toContain('row 1 is not the one that a log or a backup names');

      const pid = Number.parseInt(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
      process.kill(pid, 'SIGKILL');
      await again.said(/PostgreSQL ended by itself[^]*PostgreSQL runs again/);
      await waitFor(async () => (await fetch(`${again.url}/readyz`)).status === 200);
      expect(await lookAgain()).toEqual(world);

      again.killGroup();
      const afterCrash = await start({ makesDemo: false });
      expect(await (await openDemoView(afterCrash.url, PASSWORD))()).toEqual(world);
      expect(await afterCrash.stop()).toEqual([0, null]);
    },
    4 * PATIENCE_MS,
  );
});

/** Files that other users of the machine can read. They pass through folders that they may not list. */
function openToOthers(folder: string): string[] {
  const isPassable = (statSync(folder).mode & 0o011) !== 0;
  if (!isPassable) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return openToOthers(path);
    return entry.isFile() && (statSync(path).mode & 0o044) !== 0 ? [path] : [];
  });
}

/** Runs a command as npm does. */
const run = (command: string, env: Record<string, string> = {}, ...args: string[]) =>
  spawnSync(process.execPath, [BOOTSTRAP, command, ...args], {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '', ...env },
  });

describe('a command that cannot start', () => {
  test('prints one sentence for an unknown command', () => {
    const { status, stderr } = run('plant');
    expect(status).toBe(1);
    expect(stderr).toMatch(/^There is no command "plant"\. There are: start, dev, test, [\w:, -]+\.\n$/);
  });

  test('prints one sentence when the port is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const dir = mkdtempSync(join(tmpdir(), 'arboleda-boot-'));
    const child = spawn(process.execPath, [BOOTSTRAP, 'start'], {
      env: { ...process.env, NODE_OPTIONS: '', PORT: String(port), DATA_DIR: join(dir, 'data') },
    });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk));
    const [code] = (await once(child, 'close')) as [number];
    server.close();
    expect(code).toBe(1);
    expect(stderr).toBe(
      `Port ${port} is in use. Stop what uses it, or choose another one: PORT=${port + 1} npm start\n`,
    );
    expect(existsSync(join(dir, 'data'))).toBe(false);
    rmSync(dir, { recursive: true });
  });

  test('prints one sentence when the data folder is not ours', () => {
    const dir = mkdtempSync(join(tmpdir(), 'arboleda-boot-'));
    writeFileSync(join(dir, 'thesis.txt'), 'years of work');
    const { status, stderr } = run('start', { PORT: '0', DATA_DIR: dir });
    expect(status).toBe(1);
    expect(stderr).toBe(`${dir} holds other files. Choose an empty folder: DATA_DIR=… npm start\n`);
    rmSync(dir, { recursive: true });
  });
});

describe('a data folder that this version may not open', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'arboleda-boot-'));
    await mkdir(join(dir, 'postgres'));
    await writeFile(join(dir, '.arboleda'), '');
    await writeFile(join(dir, 'postgres', 'PG_VERSION'), '18\n');
  });
  afterEach(() => rm(dir, { recursive: true }));

  /** Every path with its size, rights and time of the last change. */
  const listing = () =>
    readdirSync(dir, { recursive: true, encoding: 'utf8' })
      .concat('.')
      .sort()
      .map((path) => {
        const { size, mode, mtimeMs } = statSync(join(dir, path));
        return [path, size, mode, mtimeMs];
      });

  test.each([
    [
      'is from before 1.0',
      {},
      () =>
        `${dir} was written by a version before 1.0, which later versions cannot open. Go on with the version that wrote it, or start this one with an empty folder: DATA_DIR=… npm start\n`,
    ],
    [
      'is from a newer version',
      { 'version.json': '{"version":"99.10.0"}' },
      () =>
        `${dir} was written by version 99.10.0, and this is ${VERSION}. Start 99.10.0 or a later one, or restore the backup from before the upgrade: npm run restore\n`,
    ],
    [
      'holds files of another PostgreSQL',
      { 'version.json': `{"version":"${VERSION}"}`, 'postgres/PG_VERSION': '15\n' },
      () =>
        `The database in ${dir} is of PostgreSQL 15, and this version has PostgreSQL 18. Make a backup with the version that wrote it (${VERSION}), and restore it with this one: npm run backup, npm run restore\n`,
    ],
    [
      'has a damaged version',
      { 'version.json': '{"version":' },
      () =>
        `${dir}/version.json is damaged: write the version that ran last into it, such as {"version":"${VERSION}"}.\n`,
    ],
  ])('gives one sentence and is left as it is when it %s', async (_what, files, sentence) => {
    for (const [path, text] of Object.entries(files)) await writeFile(join(dir, path), text);
    const before = listing();
    const { status, stderr } = run('start', { PORT: '0', DATA_DIR: dir });
    expect([status, stderr]).toEqual([1, sentence()]);
    expect(listing()).toEqual(before);
  });
});

test('reset does nothing without a data folder', () => {
  const { status, stdout } = run('reset', { DATA_DIR: '/nonexistent/arboleda' });
  expect(status).toBe(0);
  expect(stdout).toBe('There is nothing at /nonexistent/arboleda.\n');
});

describe('the demo inbox', () => {
  let dir: string;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'arboleda-inbox-'));
  });

  afterEach(() => rm(dir, { recursive: true, force: true }));

  /** Sends SMTP commands one by one. */
  async function sendMail(smtpUrl: string, subject: string): Promise<void> {
    const socket = connect(Number(new URL(smtpUrl).port), '127.0.0.1');
    const say = async (line: string) => {
      socket.write(`${line}\r\n`);
      return String((await once(socket, 'data'))[0]);
    };
    await once(socket, 'data');
    await say('HELO test');
    await say('MAIL FROM:<a@arboleda.test>');
    await say('RCPT TO:<b@arboleda.test>');
    await say('DATA');
    expect(await say(`To: b@arboleda.test\r\nSubject: ${subject}\r\n\r\nHola\r\n.`)).toMatch(/^250/);
    socket.end();
  }

  const subjects = async (url: string) =>
    ((await (await fetch(`${url}/email`)).json()) as { subject: string }[]).map(({ subject }) => subject);

  test('shows emails, and keeps them over a restart', async () => {
    const first = await startInbox(join(dir, 'mail'));
    await sendMail(first.smtpUrl, 'Your trees');
    await waitFor(async () => (await subjects(first.url)).includes('Your trees'));
    await first.close();
    expect(isAlive(first.pid)).toBe(false);
    const second = await startInbox(join(dir, 'mail'));
    await waitFor(async () => (await subjects(second.url)).includes('Your trees'));
    await second.close();
  }, 60_000);

  test('answers only under its own name', async () => {
    const inbox = await startInbox(join(dir, 'mail'));
    const statusFor = async (host: string, origin?: string) => {
      const asked = get(`${inbox.url}/email`, { headers: { host, ...(origin && { origin }) } });
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      answer.resume();
      return answer.statusCode;
    };
    await waitFor(async () => (await statusFor(new URL(inbox.url).host)) === 200);
    expect(await statusFor('localhost:1080')).toBe(200);
    expect(await statusFor('localhost:1080', 'http://localhost:1080')).toBe(200);
    expect(await statusFor('localhost:1080', 'https://evil.example')).toBe(421);
    expect(await statusFor('localhost:1080', 'http://localhost:3000')).toBe(421);
    expect(await statusFor('evil.example')).toBe(421);
    expect(await statusFor('localhost.evil.example')).toBe(421);
    const upgrade = (origin: string) =>
      once(
        get(`${inbox.url}/socket.io/?EIO=4&transport=websocket`, {
          headers: {
            origin,
            connection: 'Upgrade',
            upgrade: 'websocket',
            'sec-websocket-version': '13',
            'sec-websocket-key': Buffer.alloc(16).toString('base64'),
          },
        }),
        'upgrade',
      ) as Promise<[IncomingMessage, Socket]>;
    await expect(upgrade('https://evil.example')).rejects.toThrow();
    const [, socket] = await upgrade(inbox.url);
    socket.destroy();
    await inbox.close();
  }, 60_000);

  test('keeps the newest of many emails', async () => {
    const inbox = await startInbox(join(dir, 'mail'), 3);
    for (const subject of ['1', '2', '3', '4', '5']) await sendMail(inbox.smtpUrl, subject);
    await waitFor(async () => (await subjects(inbox.url)).includes('5'));
    expect((await subjects(inbox.url)).toSorted()).toEqual(['3', '4', '5']);
    await inbox.close();
  }, 60_000);

  test('restarts with its emails at the same address after a crash', async () => {
    const inbox = await startInbox(join(dir, 'mail'));
    await sendMail(inbox.smtpUrl, 'Before');
    await waitFor(async () => (await subjects(inbox.url)).includes('Before'));
    const { pid } = inbox;
    process.kill(pid, 'SIGKILL');
    await waitFor(async () => (await subjects(inbox.url).catch((): string[] => [])).includes('Before'));
    expect(inbox.pid).not.toBe(pid);
    await sendMail(inbox.smtpUrl, 'After');
    await waitFor(async () => (await subjects(inbox.url)).includes('After'));
    await inbox.close();
    expect(isAlive(inbox.pid)).toBe(false);
  }, 60_000);
});
