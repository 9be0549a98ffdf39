import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDemoWorld } from './demo-world.ts';

const BOOTSTRAP = join(import.meta.dirname, '..', 'bootstrap.js');
const PATIENCE_MS = 150_000;
const PASSWORD = 'semilla-de-prueba-77';

let dir: string;
let dataDir: string;
const started: ChildProcess[] = [];

// A second try begins with a folder of its own, and nothing of the first one goes on.
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

/** "npm start", until its demo is complete. */
async function start() {
  const child = spawn(process.execPath, [BOOTSTRAP, 'start'], {
    env: { ...process.env, NODE_OPTIONS: '', PORT: '0', DATA_DIR: dataDir, DEMO_PASSWORD: PASSWORD },
  });
  started.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const ended = once(child, 'exit');
  /** Waits until it has said so, has ended or takes too long: what it has said instead is in the failure. */
  const said = async (what: RegExp) => {
    await waitFor(() => what.test(output) || !isRunning(child), PATIENCE_MS).catch(() => undefined);
    expect(output).toMatch(what);
    return what.exec(output)!;
  };
  const [, url] = await said(/Site +(http:\S+)/);
  // On a busy machine a service may take its time with the first answer.
  await waitFor(async () => (await fetch(`${url}/readyz`)).status === 200);
  expect(output).toMatch(/Inbox +http:/);
  await said(/demo orders are there|demo data is not complete/);
  expect(output).toContain('demo orders are there');
  return {
    url: url!,
    stop: async () => {
      child.kill('SIGINT');
      return ended;
    },
  };
}

test(
  'npm start tells where everything is, fills the demo once, and stops on Ctrl-C with its data kept',
  async () => {
    const first = await start();
    const look = await openDemoWorld(first.url, PASSWORD);
    const world = await waitFor(async () => {
      const seen = await look();
      expect(seen.counts).toEqual({ all: 8, pending: 1, assigned: 3, planted: 2, completed: 2 });
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
      expect(seen.attended.flatMap(({ growth }) => growth)).toEqual(['three_year']);
      expect(seen.attended.map(({ photos }) => photos).toSorted()).toEqual([0, 0, 0, 0, 1, 1, 2, 3]);
      expect(seen.visitsDue).toBe(1);
      return seen;
    });
    expect(await first.stop()).toEqual([0, null]);
    expect(existsSync(join(dataDir, 'postgres', 'PG_VERSION'))).toBe(true);
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);

    // As if it had been stopped before it could note that it was done.
    const state = join(dataDir, 'demo.json');
    const { ordersDone, ...before } = JSON.parse(await readFile(state, 'utf8')) as Record<string, unknown>;
    expect(ordersDone).toBe(true);
    await writeFile(state, JSON.stringify(before));
    const again = await start();
    const lookAgain = await openDemoWorld(again.url, PASSWORD);
    expect(await lookAgain()).toEqual(world);
    expect(await again.stop()).toEqual([0, null]);
  },
  4 * PATIENCE_MS,
);
