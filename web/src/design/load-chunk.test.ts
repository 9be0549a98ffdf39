import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { CHUNK_TIMEOUT_MS, ChunkLoadError, isChunkLoss, loadChunk, reloadOnce } from './load-chunk.ts';

beforeEach(() => {
  sessionStorage.clear();
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

test('returns a loaded chunk', async () => {
  await expect(loadChunk(() => Promise.resolve('part'))).resolves.toBe('part');
  expect(jest.getTimerCount()).toBe(0);
});

test('fails a chunk after 120 seconds without an answer, not before', async () => {
  expect(CHUNK_TIMEOUT_MS).toBe(120_000);
  let lost: unknown;
  void loadChunk(() => new Promise(() => undefined)).catch((error: unknown) => (lost = error));
  await jest.advanceTimersByTimeAsync(119_999);
  expect(lost).toBeUndefined();
  await jest.advanceTimersByTimeAsync(1);
  expect(lost).toBeInstanceOf(ChunkLoadError);
});

test.each([
  'Failed to fetch dynamically imported module: http://localhost/assets/Page-1a2b.js',
  'error loading dynamically imported module: http://localhost/assets/Page-1a2b.js',
  'Importing a module script failed.',
  'Unable to preload CSS for /assets/Page-1a2b.css',
])('what browsers say of a missing part is understood: %s', async (message) => {
  await expect(loadChunk(() => Promise.reject(new TypeError(message)))).rejects.toBeInstanceOf(
    ChunkLoadError,
  );
  expect(isChunkLoss(new TypeError(message))).toBe(true);
});

test('an error inside a chunk is no load failure', async () => {
  const fault = new TypeError('x is undefined');
  await expect(loadChunk(() => Promise.reject(fault))).rejects.toBe(fault);
  expect(isChunkLoss(fault)).toBe(false);
});

test('reloads the page once, and again only after a while', () => {
  let reloads = 0;
  const reload = () => void reloads++;
  expect([reloadOnce(reload), reloadOnce(reload)]).toEqual([true, false]);
  jest.advanceTimersByTime(61_000);
  expect(reloadOnce(reload)).toBe(true);
  expect(reloads).toBe(2);
});

test('never reloads in a loop without storage', () => {
  const { getItem } = Storage.prototype;
  Storage.prototype.getItem = () => {
    throw new DOMException('denied', 'SecurityError');
  };
  try {
    expect(reloadOnce(() => expect(true).toBe(false))).toBe(false);
  } finally {
    Storage.prototype.getItem = getItem;
  }
});
