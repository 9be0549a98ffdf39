import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, cleanup, renderHook } from '@testing-library/react';
import { useChanges } from './use-changes.ts';

type Key = 'GET /api/customers/orders/events';
type Change = { orderId: string };

/** A line that a test speaks into, cuts, or lets fail. */
function openLine() {
  const lines: { say: (change: Change) => void; cut: () => void; signal: AbortSignal }[] = [];
  let refuse = false;
  const open = (signal: AbortSignal) => {
    if (refuse) return Promise.reject(new Error('no answer'));
    const waiting: Change[] = [];
    let over = false;
    let wake = () => {};
    lines.push({
      say: (change) => (waiting.push(change), wake()),
      cut: () => ((over = true), wake()),
      signal,
    });
    signal.addEventListener('abort', () => ((over = true), wake()));
    async function* messages() {
      for (;;) {
        while (waiting.length > 0) yield { event: 'change', data: waiting.shift()! };
        if (over) return;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    }
    return Promise.resolve(messages());
  };
  return { lines, open, fail: (now: boolean) => (refuse = now) };
}

let visibility: DocumentVisibilityState = 'visible';
Object.defineProperty(document, 'visibilityState', { get: () => visibility });
function show(state: DocumentVisibilityState): void {
  visibility = state;
  document.dispatchEvent(new Event('visibilitychange'));
}

const settle = (ms = 0) => act(() => jest.advanceTimersByTimeAsync(ms));

async function listen(line: ReturnType<typeof openLine>, enabled = true) {
  const heard: string[] = [];
  const resumed = jest.fn();
  const hook = renderHook(
    ({ identity, on }) =>
      useChanges<Key>(identity, {
        open: line.open as never,
        onChange: (change) => heard.push(change.orderId),
        onResume: resumed,
        enabled: on,
      }),
    { initialProps: { identity: 'mine', on: enabled } },
  );
  await settle();
  return { ...hook, heard, resumed };
}

beforeEach(() => {
  jest.useFakeTimers();
  visibility = 'visible';
});
afterEach(() => {
  cleanup();
  jest.useRealTimers();
});

test('what is told arrives in its order, and nothing has to be read anew', async () => {
  const line = openLine();
  const { heard, resumed } = await listen(line);
  line.lines[0]!.say({ orderId: 'a' });
  line.lines[0]!.say({ orderId: 'b' });
  await settle();
  expect(heard).toEqual(['a', 'b']);
  expect(resumed).not.toHaveBeenCalled();
});

test('a line that breaks is opened again after a moment, and everything is read anew', async () => {
  const line = openLine();
  const { heard, resumed } = await listen(line);
  line.lines[0]!.cut();
  await settle(1_900);
  expect(line.lines).toHaveLength(1);
  await settle(200);
  expect(line.lines).toHaveLength(2);
  expect(resumed).toHaveBeenCalledTimes(1);
  line.lines[1]!.say({ orderId: 'c' });
  await settle();
  expect(heard).toEqual(['c']);
});

test('while nobody answers it tries less and less often, a minute apart at most', async () => {
  const line = openLine();
  line.fail(true);
  const open = jest.spyOn(line, 'open');
  await listen(line);
  await settle(2_000 + 4_000 + 8_000 + 16_000 + 32_000 + 60_000);
  const tries = open.mock.calls.length;
  expect(tries).toBe(7);
  await settle(59_000);
  expect(open.mock.calls).toHaveLength(tries);
  line.fail(false);
  await settle(1_500);
  expect(line.lines).toHaveLength(1);
});

test('a hidden page listens to nothing; seen again it listens at once and reads anew', async () => {
  const line = openLine();
  const { resumed } = await listen(line);
  show('hidden');
  await settle(120_000);
  expect(line.lines).toHaveLength(1);
  expect(line.lines[0]!.signal.aborted).toBe(true);
  show('visible');
  await settle();
  expect(line.lines).toHaveLength(2);
  expect(resumed).toHaveBeenCalledTimes(1);
});

test('it listens to nothing while there is nothing to listen to, and hangs up when the page goes', async () => {
  const line = openLine();
  const { rerender, unmount } = await listen(line, false);
  expect(line.lines).toHaveLength(0);
  rerender({ identity: 'mine', on: true });
  await settle();
  expect(line.lines).toHaveLength(1);
  rerender({ identity: 'other', on: true });
  await settle();
  expect([line.lines.length, line.lines[0]!.signal.aborted]).toEqual([2, true]);
  unmount();
  await settle(60_000);
  expect([line.lines.length, line.lines[1]!.signal.aborted]).toEqual([2, true]);
});
