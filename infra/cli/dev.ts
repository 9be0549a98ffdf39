/** "npm run dev": like "npm start", with hot reloading of the web app and restarting services. */
import { freePorts } from '@arboleda/postgres/free-ports.ts';
import { spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeDemo } from './demo/demo.ts';
import { prepareEmbedded } from './embedded/embedded.ts';
import { chooseAddress } from './embedded/ports.ts';
import { Fault, live, loadSettings } from './terminal/command.ts';
import { overview, terminalProgress } from './terminal/progress.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const START_WITHIN_MS = 60_000;

loadSettings();

await live(async (fail) => {
  terminalProgress.say('\nArboleda starts for development …');
  await using closing = new AsyncDisposableStack();

  /** Starts a process and waits until it answers. One that ends by itself later ends the command. */
  const startChild = async (name: string, url: string, args: readonly string[], options: SpawnOptions) => {
    const child = spawn(process.execPath, args, options);
    const ended = once(child, 'exit');
    let isClosed = false;
    closing.defer(async () => {
      isClosed = true;
      child.kill();
      await ended;
    });
    const endedItself = new Fault(`${name} ended by itself: what it printed above says why.`);
    const until = Date.now() + START_WITHIN_MS;
    while (!(await fetch(url).catch(() => undefined))?.ok) {
      if (child.exitCode !== null) throw endedItself;
      if (Date.now() > until) throw new Fault(`${name} did not start within ${START_WITHIN_MS / 1000} s.`);
      await sleep(50);
    }
    void ended.then(() => isClosed || fail(endedItself));
  };

  const address = await chooseAddress(process.env);
  const [port] = await freePorts(1);
  const devUrl = `http://127.0.0.1:${port}`;
  const vite = [join(ROOT, 'node_modules/vite/bin/vite.js'), '--host', '127.0.0.1', '--port', String(port)];
  await terminalProgress.step('Web app (Vite)', () =>
    startChild('Vite', devUrl, [...vite, '--strictPort'], {
      cwd: join(ROOT, 'web'),
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  );
  const prepared = await prepareEmbedded(process.env, address, terminalProgress, { devUrl, fail });
  closing.defer(() => prepared.close());
  const watch = ['--watch', '--watch-preserve-output', join(ROOT, 'infra/cli/embedded/product-process.ts')];
  await terminalProgress.step('Services and gateway', () =>
    startChild('The process of the services', `${prepared.gatewayUrl}/readyz`, watch, {
      env: prepared.env,
      stdio: 'inherit',
    }),
  );
  terminalProgress.say(overview(prepared, 'Arboleda is running for development: changes show at once'));
  const demo = makeDemo(prepared, terminalProgress);
  closing.defer(async () => {
    demo.cancel();
    await demo.done;
  });
  const kept = closing.move();
  return { close: () => kept.disposeAsync() };
});
