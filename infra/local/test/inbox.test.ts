import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '@arboleda/postgres/process.ts';
import { startInbox } from '../engines/inbox.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'arboleda-inbox-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** Says what a mail client says, waiting for each answer. */
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

test('mails are shown, and kept over a restart', async () => {
  const first = await startInbox(join(dir, 'mail'));
  await sendMail(first.smtpUrl, 'Your trees');
  await waitFor(async () => (await subjects(first.url)).includes('Your trees'));
  await first.close();
  expect(isAlive(first.pid)).toBe(false);
  const second = await startInbox(join(dir, 'mail'));
  await waitFor(async () => (await subjects(second.url)).includes('Your trees'));
  await second.close();
}, 60_000);
