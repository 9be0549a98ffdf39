import { expect, test } from '@jest/globals';
import { openClosers } from './closers.ts';

test('what was opened last is closed first, and once', async () => {
  const order: string[] = [];
  const { onClose, close } = openClosers();
  onClose(async () => void order.push('engine'));
  onClose(async () => void order.push('service'));
  await close();
  await close();
  expect(order).toEqual(['service', 'engine']);
});

test('one that fails keeps no other open', async () => {
  const order: string[] = [];
  const { onClose, close } = openClosers();
  onClose(async () => void order.push('engine'));
  onClose(() => Promise.reject(new Error('stuck')));
  await expect(close()).rejects.toThrow('stuck');
  expect(order).toEqual(['engine']);
});
