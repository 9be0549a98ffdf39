import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '../terminal/fault.ts';
import { freePorts } from './ports.ts';

/** Takes every mail, sends none, and shows them in the browser. */
export interface Inbox {
  smtpUrl: string;
  url: string;
  pid: number;
  close(): Promise<void>;
}

export interface InboxOrder {
  smtpPort: number;
  webPort: number;
  mailDir: string;
}

/** @param mailDir keeps the mails over restarts. */
export async function startInbox(mailDir: string): Promise<Inbox> {
  await mkdir(mailDir, { recursive: true });
  const [smtpPort = 0, webPort = 0] = await freePorts(2);
  const order: InboxOrder = { smtpPort, webPort, mailDir };
  const child = fork(join(import.meta.dirname, 'inbox-process.ts'), [JSON.stringify(order)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: ['--disable-warning=DEP0040', '--max-old-space-size=128'],
  });
  let complaint = '';
  child.stderr?.on('data', (chunk: Buffer) => (complaint = (complaint + chunk).slice(-2000)));
  const ended = once(child, 'exit');
  const first = await Promise.race([once(child, 'message'), ended.then(() => undefined)]);
  if (!first) throw new Fault(`The inbox did not start: ${complaint.trim().split('\n').at(-1)}`);
  return {
    smtpUrl: `smtp://127.0.0.1:${smtpPort}`,
    url: `http://127.0.0.1:${webPort}`,
    pid: child.pid!,
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await ended;
    },
  };
}
