import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '@arboleda/postgres/free-ports.ts';
import { Fault } from '../terminal/command.ts';

/** Receives all emails, sends none, and shows them in the browser. */
export interface Inbox {
  smtpUrl: string;
  url: string;
  /** Process id, which changes after a crash. */
  readonly pid: number;
  close(): Promise<void>;
}

export interface InboxOrder {
  smtpPort: number;
  webPort: number;
  mailDir: string;
  keptMails: number;
}

/** They are kept in memory, and all are sent to the browser: 1,000 take about 50 MB. */
const KEPT_MAILS = 1_000;
const MEMORY_MB = 256;
const AGAIN_AFTER_MS = 1_000;
const TRIES = 3;

/**
 * An inbox that restarts at its address when its process dies.
 * @param mailDir keeps the newest `keptMails` emails over restarts
 */
export async function startInbox(mailDir: string, keptMails = KEPT_MAILS): Promise<Inbox> {
  // Emails are private.
  await mkdir(mailDir, { recursive: true, mode: 0o700 });
  const { order, ...started } = await startSomewhere({ mailDir, keptMails });
  const { smtpPort, webPort } = order;
  let { child } = started;
  let isClosed = false;
  const watching = (async () => {
    for (;;) {
      await ended(child);
      if (isClosed) return;
      await sleep(AGAIN_AFTER_MS);
      // One that fails to start also exits, and is replaced.
      child = isClosed ? child : forkProcess(order);
    }
  })();
  return {
    smtpUrl: `smtp://127.0.0.1:${smtpPort}`,
    url: `http://127.0.0.1:${webPort}`,
    get pid() {
      return child.pid!;
    },
    async close() {
      isClosed = true;
      child.kill('SIGKILL');
      await watching;
    },
  };
}

function forkProcess(order: InboxOrder): ChildProcess {
  const child = fork(join(import.meta.dirname, 'inbox-process.ts'), [JSON.stringify(order)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: ['--disable-warning=DEP0040', `--max-old-space-size=${MEMORY_MB}`, '--max-semi-space-size=2'],
  });
  // A full pipe would block the process.
  child.stderr!.resume();
  return child;
}

/** Retries, because another process may take a free port first. @throws Fault */
async function startSomewhere(mails: Pick<InboxOrder, 'mailDir' | 'keptMails'>) {
  for (let tries = 1; ; tries++) {
    const [smtpPort = 0, webPort = 0] = await freePorts(2);
    const order: InboxOrder = { smtpPort, webPort, ...mails };
    try {
      return { order, child: await startProcess(order) };
    } catch (error) {
      if (tries === TRIES) throw error;
    }
  }
}

/** @throws Fault with its error output when it does not start */
async function startProcess(order: InboxOrder): Promise<ChildProcess> {
  const child = forkProcess(order);
  let complaint = '';
  child.stderr!.on('data', (chunk: Buffer) => (complaint = (complaint + chunk).slice(-2000)));
  const first = await Promise.race([once(child, 'message'), ended(child)]);
  if (!first) throw new Fault(`The inbox did not start: ${whatFailed(complaint)}`);
  return child;
}

/** The error's first line, without stack and Node's version. */
const whatFailed = (complaint: string): string =>
  /^\w*Error\b.*$/m.exec(complaint)?.[0] ?? complaint.trim().split('\n').at(-1)!;

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}
