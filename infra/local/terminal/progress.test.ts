import { expect, test } from '@jest/globals';
import { overview } from './overview.ts';
import { table } from './progress.ts';

test('a table lines its values up', () => {
  const lines = table('Title', [
    ['Site', 'http://localhost'],
    ['Password', 'x'],
  ]).split('\n');
  expect(lines[4]).toBe('  Site       http://localhost');
  expect(lines[5]).toBe('  Password   x');
});

test('the overview says where everything is and who can log in', () => {
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

test('in production no card, no account and no password is offered', () => {
  const own = { url: 'x', inboxUrl: undefined, sandboxUrl: undefined, dataDir: '/d', isDemo: false };
  const text = overview({ ...own, demoPassword: 'p-4711' }, 'Running');
  for (const part of ['4242', 'admin@', 'p-4711']) expect(text).not.toContain(part);
});
