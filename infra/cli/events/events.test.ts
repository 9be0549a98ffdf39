import { expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { eventText } from './events.ts';

const HANDLED = {
  time: '2026-05-01T12:00:00.100Z',
  level: 'info',
  msg: 'an event was handled',
  group: 'orders',
  type: 'payment.succeeded',
  eventId: 'e-1',
  orderId: 'e6811def4d51ed8f2d5b28b7',
  durationMs: 20,
};

test('a handled event is one line', () => {
  expect(eventText(HANDLED)).toBe(
    '12:00:00.100  payment.succeeded           order 5B28B7  e-1  → orders 20 ms',
  );
});

test('a dead letter says why', () => {
  const dead = {
    ...HANDLED,
    level: 'error',
    msg: 'an event became a dead letter',
    err: { message: 'no order' },
  };
  expect(eventText(dead)).toMatch(/→ ! orders: an event became a dead letter, no order$/);
  const { type: _type, ...unreadable } = dead;
  expect(eventText(unreadable)).toMatch(/unreadable/);
});

test('other lines and other types are left out', () => {
  expect(eventText(HANDLED, ['photo.uploaded'])).toBeUndefined();
  expect(eventText(HANDLED, ['photo.uploaded', 'payment.succeeded'])).toBeDefined();
  expect(eventText({ ...HANDLED, type: undefined })).toBeUndefined();
  expect(eventText({ ...HANDLED, group: undefined })).toBeUndefined();
});

test('events of a running product appear, also after its log was replaced', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'arboleda-tail-'));
  const log = join(dir, 'logs', 'arboleda.log');
  const line = (eventId: string) => `${JSON.stringify({ ...HANDLED, eventId })}\n`;
  mkdirSync(join(dir, 'logs'));
  writeFileSync(log, line('before'));
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), 'tail', 'payment.succeeded'], {
    env: { ...process.env, DATA_DIR: dir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  try {
    expect((await lines.next()).value).toMatch(/^Events from now on/);
    appendFileSync(log, line('first').slice(0, 40));
    appendFileSync(log, line('first').slice(40));
    expect((await lines.next()).value).toContain('first');
    renameSync(log, `${log}.1`);
    writeFileSync(log, line('second'));
    expect((await lines.next()).value).toContain('second');
  } finally {
    child.kill('SIGINT');
    await once(child, 'exit');
    rmSync(dir, { recursive: true });
  }
}, 60_000);

test('an unknown type is refused', async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), 'tail', 'payment.suceeded'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk));
  expect((await once(child, 'close'))[0]).toBe(1);
  expect(said).toMatch(/^There is no event payment\.suceeded\. There are: .*payment\.succeeded/);
}, 60_000);
