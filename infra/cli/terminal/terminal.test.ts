import { ConfigError } from '@arboleda/chassis/config.ts';
import { expect, test } from '@jest/globals';
import { Fault, sentenceOf } from './command.ts';
import { demoPeople, overview, table } from './progress.ts';

const systemError = (code: string, parts: object = {}) => Object.assign(new Error(code), { code, ...parts });

test.each([
  [new Fault('Do this.'), 'Do this.'],
  [new ConfigError(['PORT: must be a number']), 'PORT: must be a number'],
  [
    systemError('EADDRINUSE', { port: 8080 }),
    'Port 8080 is in use. Stop what uses it, or choose another one: PORT=8081 npm start',
  ],
  [systemError('ENOSPC', { path: '/data/x' }), 'The disk is full: /data/x could not be written.'],
  [systemError('ENOSPC'), 'The disk is full.'],
  [
    systemError('EROFS', { path: '/data' }),
    '/data may not be written by this user. Choose another folder: DATA_DIR=… npm start',
  ],
])('%s is one clear sentence', (error, sentence) => {
  expect(sentenceOf(error)).toBe(sentence);
});

test('an unknown error keeps its stack', () => {
  expect(sentenceOf(new TypeError('x is not a function'))).toBeUndefined();
  expect(sentenceOf(undefined)).toBeUndefined();
});

test('a table aligns its values', () => {
  const lines = table('Title', [
    ['Site', 'http://localhost'],
    ['Password', 'x'],
  ]).split('\n');
  expect(lines[4]).toBe('  Site       http://localhost');
  expect(lines[5]).toBe('  Password   x');
});

test('the overview shows addresses and log-ins', () => {
  const text = overview(
    {
      url: 'http://localhost:8080',
      inboxUrl: 'http://127.0.0.1:1080',
      sandboxUrl: 'http://127.0.0.1:4242',
      dataDir: '/data',
      isDemo: true,
      demoPassword: 'ceiba-roble-1234-rio',
    },
    'Running',
  );
  for (const part of [
    'http://127.0.0.1:1080',
    '/api/docs',
    'admin@',
    'customer@',
    'worker@',
    'ceiba-roble-1234-rio',
    '4242 4242',
  ]) {
    expect(text).toContain(part);
  }
});

test('the login pages stand below each other', () => {
  const people = demoPeople({ url: 'http://localhost:8080', demoPassword: 'x' });
  const places = people.map(([, value]) => value.indexOf('http')).filter((at) => at >= 0);
  expect(places.length).toBeGreaterThan(5);
  expect(new Set(places).size).toBe(1);
});

test('in production the overview shows no card, account or password', () => {
  const own = { url: 'x', inboxUrl: undefined, sandboxUrl: undefined, dataDir: '/d', isDemo: false };
  const text = overview({ ...own, demoPassword: 'p-4711' }, 'Running');
  for (const part of ['4242', 'admin@', 'p-4711']) expect(text).not.toContain(part);
});
