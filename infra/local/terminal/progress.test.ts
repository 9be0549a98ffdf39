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

test('no card is offered where real money moves', () => {
  const real = { url: 'x', inboxUrl: undefined, sandboxUrl: undefined, dataDir: '/d', demoPassword: 'p' };
  expect(overview(real, 'Running')).not.toContain('4242');
});
