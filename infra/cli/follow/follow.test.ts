import { describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LogLine, readLogLine } from '../logs.ts';
import { findOrders, storyText } from './story.ts';

const ORDER = 'e6811def4d51ed8f2d5b28b7';
const OTHER = 'c582077907de823de9e666bc';

const line = (time: string, rest: Partial<LogLine>): LogLine => ({
  time: `2026-05-01T12:00:${time}Z`,
  level: 'info',
  msg: 'request',
  correlationId: 'paying',
  ...rest,
});
const handled = (time: string, type: string, group: string, rest: Partial<LogLine> = {}): LogLine =>
  line(time, {
    msg: 'an event was handled',
    orderId: ORDER,
    type,
    group,
    eventId: type,
    durationMs: 20,
    ...rest,
  });

const PAYING = [
  line('00.050', {
    service: 'gateway',
    route: 'POST /api/payments/stripe-webhook',
    status: 200,
    durationMs: 50,
  }),
  line('00.049', {
    service: 'payments',
    route: 'POST /api/payments/stripe-webhook',
    status: 200,
    durationMs: 45,
  }),
  handled('00.100', 'payment.succeeded', 'orders'),
  handled('00.150', 'order.created', 'assignments'),
  handled('00.152', 'order.created', 'notifications'),
  line('05.300', { service: 'notifications', msg: 'mail was sent', orderId: ORDER, kind: 'receipt' }),
];
const READING = [
  line('09.000', {
    correlationId: 'reading',
    service: 'orders',
    route: 'GET /api/track/{token}',
    status: 200,
    durationMs: 5,
    orderId: ORDER,
  }),
];

describe('the story of an order', () => {
  test('tells each request with the events and emails that it caused, in whatever order the lines come', () => {
    const story = `Order 5B28B7 (${ORDER})

2026-05-01 12:00:00.000  POST /api/payments/stripe-webhook 200, 50 ms
                + 80 ms  payment.succeeded → orders 20 ms
               + 130 ms  order.created → assignments 20 ms, notifications 20 ms
                + 5.3 s  notifications: mail was sent, kind receipt`;
    expect(storyText(PAYING, ORDER)).toBe(story);
    expect(storyText(PAYING.toReversed(), ORDER)).toContain('+ 80 ms  payment.succeeded → orders 20 ms');
  });

  test('leaves out requests that only read, unless they are asked for', () => {
    const lines = [...PAYING, ...READING];
    expect(storyText(lines, ORDER)).toMatch(
      /\n\nRequests that only read are left out \(1\): --reads shows them\.$/,
    );
    expect(storyText(lines, ORDER, { reads: true })).toMatch(
      /orders: GET \/api\/track\/\{token\} 200, 5 ms$/,
    );
  });

  test('marks what went wrong, with its reason', () => {
    const letter = line('01.000', {
      level: 'error',
      msg: 'an event became a dead letter',
      orderId: ORDER,
      group: 'notifications',
      eventId: 'x',
      err: { message: 'no template' },
    });
    expect(storyText([...PAYING, letter], ORDER)).toContain(
      '+ 1.0 s  ! product: an event became a dead letter, notifications, no template',
    );
  });

  test('says nothing of other orders of the same request', () => {
    const other = handled('00.200', 'order.updated', 'orders', { orderId: OTHER });
    expect(storyText([...PAYING, other], ORDER)).toBe(storyText(PAYING, ORDER));
  });

  test('an order is found by its short id, and every order that ends so is named', () => {
    const lines = [
      ...PAYING,
      handled('01.000', 'order.created', 'orders', { orderId: `00${ORDER.slice(2)}` }),
    ];
    expect(findOrders(PAYING, '5b28b7')).toEqual([ORDER]);
    expect(findOrders(PAYING, ORDER)).toEqual([ORDER]);
    expect(findOrders(PAYING, '5B28B8')).toEqual([]);
    expect(findOrders(lines, '5B28B7')).toHaveLength(2);
  });

  test.each(['', 'kafka | INFO started', '{"broken', '{"time":"yesterday","level":"info","msg":"x"}', '[1]'])(
    'a line that is not ours is passed over: %j',
    (text) => {
      expect(readLogLine(text)).toBeUndefined();
    },
  );
});

describe('npm run follow', () => {
  function follow(args: string[], input = '') {
    const dir = mkdtempSync(join(tmpdir(), 'arboleda-follow-'));
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(import.meta.dirname, 'main.ts'), ...args],
      { input, encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '', DATA_DIR: dir } },
    );
    rmSync(dir, { recursive: true });
    return { status, stdout, stderr };
  }
  const logs = ['kafka started', ...PAYING.map((each) => JSON.stringify(each))].join('\n');

  test('reads logs from standard input', () => {
    expect(follow(['5B28B7', '-'], logs)).toEqual({
      status: 0,
      stdout: `${storyText(PAYING, ORDER)}\n`,
      stderr: '',
    });
  });

  test('says so when the logs do not know the order', () => {
    expect(follow(['AAAAAA', '-'], logs)).toEqual({
      status: 1,
      stdout: '',
      stderr: 'Nothing is known of an order AAAAAA: the logs do not go back so far, or it is mistyped.\n',
    });
  });

  test.each([[[]], [['no-id']], [['5B28B7', 'x']], [['5B28B7', '--wrong']]])(
    'explains itself after %j',
    (args) => {
      expect(follow(args)).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('npm run follow -- <'),
      });
    },
  );
});
