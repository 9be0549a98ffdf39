import { freePort } from './free-port.ts';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** An email as maildev parsed it. */
export interface ReceivedMail {
  id: string;
  subject: string;
  html: string;
  text: string;
  from: { address: string; name: string }[];
  to: { address: string; name: string }[];
  headers: Record<string, string>;
}

/** A real maildev in a separate process, which can be stopped and restarted at the same address. */
export interface TestInbox {
  smtpUrl: string;
  mails(): Promise<ReceivedMail[]>;
  /** Waits for an email, up to 15 s. */
  next(match: (mail: ReceivedMail) => boolean): Promise<ReceivedMail>;
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

const MAILDEV = join(dirname(createRequire(import.meta.url).resolve('maildev/package.json')), 'bin/maildev');

export async function openTestInbox(): Promise<TestInbox> {
  const directory = await mkdtemp(join(tmpdir(), 'inbox-'));
  const [smtpPort, webPort] = [await freePort(), await freePort()];
  let process_: ChildProcess | undefined;

  const mails = async () => {
    const response = await fetch(`http://127.0.0.1:${webPort}/email`);
    return (await response.json()) as ReceivedMail[];
  };
  const start = async () => {
    const ports = ['--smtp', String(smtpPort), '--web', String(webPort), '--ip', '127.0.0.1'];
    process_ = spawn(process.execPath, [MAILDEV, ...ports, '--mail-directory', directory, '--silent'], {
      stdio: 'ignore',
    });
    await until(async () => {
      await mails();
      return true;
    });
  };
  const stop = async () => {
    if (!process_ || process_.exitCode !== null || process_.signalCode !== null) return;
    const exited = once(process_, 'exit');
    process_.kill('SIGKILL');
    await exited;
  };

  await start();
  return {
    smtpUrl: `smtp://127.0.0.1:${smtpPort}`,
    mails,
    next: (match) => until(async () => (await mails()).find(match)),
    stop,
    start,
    async close() {
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function until<T>(ask: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + 15_000;
  for (;;) {
    const answer = await ask().catch(() => undefined);
    if (answer !== undefined) return answer;
    if (Date.now() > deadline) throw new Error('no such mail within 15 s');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
