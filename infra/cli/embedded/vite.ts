import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '../terminal/fault.ts';
import type { Fail } from '../terminal/life.ts';
import { freePorts } from './ports.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const START_WITHIN_MS = 30_000;
const HOST = '127.0.0.1';

/**
 * Vite's development server, behind the gateway, also for its web socket.
 * @param fail called when it stops by itself
 */
export async function startVite(fail: Fail): Promise<{ url: string; close(): Promise<void> }> {
  const [port = 0] = await freePorts(1);
  const child = spawn(
    process.execPath,
    [join(ROOT, 'node_modules/vite/bin/vite.js'), '--host', HOST, '--port', String(port), '--strictPort'],
    { cwd: join(ROOT, 'web'), stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const ended = once(child, 'exit');
  let isClosed = false;
  const close = async () => {
    isClosed = true;
    child.kill();
    await ended;
  };
  const url = `http://${HOST}:${port}`;
  const until = Date.now() + START_WITHIN_MS;
  while (!(await answers(url))) {
    if (child.exitCode !== null || Date.now() > until) {
      await close();
      throw new Fault('Vite did not start: what it printed above says why.');
    }
    await sleep(50);
  }
  void ended.then(() => {
    if (!isClosed) fail(new Fault('Vite ended by itself: what it printed above says why.'));
  });
  return { url, close };
}

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    (response) => response.ok,
    () => false,
  );
