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

test('of many mails the newest are kept', async () => {
  const inbox = await startInbox(join(dir, 'mail'), 3);
  for (const subject of ['1', '2', '3', '4', '5']) await sendMail(inbox.smtpUrl, subject);
  await waitFor(async () => (await subjects(inbox.url)).includes('5'));
  expect((await subjects(inbox.url)).toSorted()).toEqual(['3', '4', '5']);
  await inbox.close();
}, 60_000);

test('an inbox that died is there again, with its mails, at the same address', async () => {
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
