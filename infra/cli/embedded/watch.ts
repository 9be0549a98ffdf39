import type { Environment } from '@arboleda/chassis/config.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fail } from '../terminal/life.ts';
import { Fault } from '../terminal/fault.ts';

const READY_WITHIN_MS = 60_000;

/**
 * Runs services and gateway in a process that restarts when a loaded file changes.
 * @param fail called when watching stops by itself
 */
export function watchProduct(
  env: Environment,
  fail: Fail,
): {
  ready(url: string): Promise<void>;
  close(): Promise<void>;
} {
  const child = spawn(
    process.execPath,
    ['--watch', '--watch-preserve-output', join(import.meta.dirname, 'product-process.ts')],
    { env, stdio: 'inherit' },
  );
  const ended = once(child, 'exit');
  let isClosed = false;
  void ended.then(() => {
    if (!isClosed) fail(new Fault('The services ended by themselves: what they printed above says why.'));
  });
  return {
    async ready(url) {
      const until = Date.now() + READY_WITHIN_MS;
      while (!(await isReady(url))) {
        if (child.exitCode !== null || Date.now() > until) throw new Fault('The services did not start.');
        await sleep(100);
      }
    },
    async close() {
      isClosed = true;
      child.kill();
      await ended;
    },
  };
}

const isReady = (url: string): Promise<boolean> =>
  fetch(new URL('/readyz', url)).then(
    (response) => response.ok,
    () => false,
  );
