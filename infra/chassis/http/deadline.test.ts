import { expect, test } from '@jest/globals';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { CallerLeft, withDeadline } from './deadline.ts';

const newResponse = () => new EventEmitter() as ServerResponse;
const never = () => new Promise<never>(() => {});

test('work that is done in time is handed on, and nothing is left listening', async () => {
  const response = newResponse();
  expect(await withDeadline(response, 1_000, async () => 'done')).toBe('done');
  expect(response.listenerCount('close')).toBe(0);
});

test('work that fails, fails', async () => {
  const response = newResponse();
  const failing = withDeadline(response, 1_000, () => Promise.reject(new Error('broken')));
  await expect(failing).rejects.toThrow('broken');
  expect(response.listenerCount('close')).toBe(0);
});

test('work that takes too long is told so by its signal, and the caller by a timeout', async () => {
  let heard: AbortSignal | undefined;
  const slow = withDeadline(newResponse(), 5, (signal) => {
    heard = signal;
    return never();
  });
  await expect(slow).rejects.toMatchObject({ type: 'timeout' });
  expect(heard?.aborted).toBe(true);
});

test('work for somebody who left is told so', async () => {
  const response = newResponse();
  let heard: AbortSignal | undefined;
  const work = withDeadline(response, 60_000, (signal) => {
    heard = signal;
    return never();
  });
  response.emit('close');
  await expect(work).rejects.toBeInstanceOf(CallerLeft);
  expect(heard?.aborted).toBe(true);
});
