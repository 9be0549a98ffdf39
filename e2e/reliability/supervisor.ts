import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { waitFor } from '../harness/wait.ts';
import type { Order } from './die.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DIE = new URL('die.ts', import.meta.url).href;
const OWN_NODE = join(ROOT, 'node_modules/node/bin/node');
const ASK_EVERY_MS = 40;
const ASK_WITHIN_MS = 1_000;

export interface Program {
  name: string;
  /** From the root of the repository. */
  script: string;
  env: Record<string, string | undefined>;
  /** Answers 200 when it serves. */
  healthUrl: string;
}

/** A SIGKILL. Times in ms since 1970. */
export interface Kill {
  process: string;
  /** A crash point, or `random`. */
  how: string;
  at: number;
  /** Killed again before it had caught up. */
  isSuperseded?: boolean;
  /** The next answer. */
  servedAt?: number;
  /** All work from before the kill is done. */
  caughtUpAt?: number;
}

/** Kills processes, and restarts them as `restart: unless-stopped` of compose does. */
export interface Supervisor {
  readonly kills: readonly Kill[];
  /** Processes that ended without a kill. */
  readonly collapses: readonly string[];
  serves(name: string): boolean;
  isAlive(name: string): boolean;
  /** Lets it die at a crash point, after it has passed it `passes` times. */
  arm(name: string, point: string, passes: number): void;
  disarm(name: string): void;
  /** kill −9 now. */
  kill(name: string): void;
  stop(): Promise<void>;
}

interface Watched {
  program: Program;
  child: ChildProcess;
  order: Order;
  serves: boolean;
}

export async function supervise(programs: readonly Program[], logDir: string): Promise<Supervisor> {
  const kills: Kill[] = [];
  const collapses: string[] = [];
  const watched = new Map<string, Watched>();
  const logs = new Map<string, WriteStream>();
  let stopping = false;

  const start = (program: Program) => {
    const child = spawn(OWN_NODE, ['--import', DIE, program.script], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // Shares compiled code, because one machine starts hundreds of processes.
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: join(logDir, 'compiled'), ...program.env },
    });
    const log = logs.get(program.name)!;
    child.stdout!.pipe(log, { end: false });
    child.stderr!.pipe(log, { end: false });
    const one: Watched = { program, child, order: { point: undefined, passes: 0 }, serves: false };
    watched.set(program.name, one);
    child.once('exit', (code, signal) => {
      one.serves = false;
      if (stopping) return;
      if (signal === 'SIGKILL') {
        const before = kills.findLast((kill) => kill.process === program.name);
        if (before && before.caughtUpAt === undefined) before.isSuperseded = true;
        kills.push({ process: program.name, how: one.order.point ?? 'random', at: Date.now() });
      } else collapses.push(`${program.name} ended by itself (${signal ?? `code ${code}`})`);
      start(program);
    });
    void ask(one);
  };
  /** Polls until it serves or is gone. */
  const ask = async (one: Watched) => {
    while (!stopping && watched.get(one.program.name) === one && !one.serves) {
      const answer = await fetch(one.program.healthUrl, { signal: AbortSignal.timeout(ASK_WITHIN_MS) }).then(
        (response) => response.arrayBuffer().then(() => response.ok),
        () => false,
      );
      if (answer && isAlive(one)) {
        one.serves = true;
        const kill = kills.findLast((each) => each.process === one.program.name);
        if (kill) kill.servedAt ??= Date.now();
      } else await sleep(ASK_EVERY_MS);
    }
  };
  const isAlive = ({ child }: Watched) => child.exitCode === null && child.signalCode === null;
  const send = (name: string, order: Order) => {
    const one = watched.get(name)!;
    one.order = order;
    if (isAlive(one)) one.child.send(order, () => undefined);
  };

  for (const program of programs) {
    logs.set(program.name, createWriteStream(join(logDir, `${program.name}.log`), { flags: 'a' }));
    start(program);
  }
  await waitFor('every process', async () => [...watched.values()].every((one) => one.serves), 120_000);

  return {
    kills,
    collapses,
    serves: (name) => watched.get(name)!.serves,
    isAlive: (name) => isAlive(watched.get(name)!),
    arm: (name, point, passes) => send(name, { point, passes }),
    disarm: (name) => send(name, { point: undefined, passes: 0 }),
    kill(name) {
      const one = watched.get(name)!;
      one.order = { point: undefined, passes: 0 };
      one.child.kill('SIGKILL');
    },
    async stop() {
      stopping = true;
      await Promise.all(
        [...watched.values()].filter(isAlive).map(async ({ child }) => {
          const gone = once(child, 'exit');
          child.kill('SIGKILL');
          await gone;
        }),
      );
      for (const log of logs.values()) log.end();
    },
  };
}
