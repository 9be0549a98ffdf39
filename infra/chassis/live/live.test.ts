import { describe, expect, test } from '@jest/globals';
import { openListener } from './listener.ts';
import { openSeen } from './seen.ts';

describe('somebody who listens', () => {
  interface Tree {
    _id: string;
    height: number;
  }

  function open() {
    const leaving = new AbortController();
    const listener = openListener<Tree>(
      ({ _id, height }) => (height > 0 ? { tree: _id, height } : undefined),
      leaving.signal,
    );
    const messages = listener.messages()[Symbol.asyncIterator]();
    return { listener, messages, leave: () => leaving.abort() };
  }

  test('messages come as they happen, what is not for the listener does not', async () => {
    const { listener, messages } = open();
    const first = messages.next();
    listener.hear({ _id: 'stump', height: 0 });
    listener.hear({ _id: 'oak', height: 1 });
    expect((await first).value).toEqual({ data: { tree: 'oak', height: 1 } });
    listener.hear({ _id: 'ash', height: 2 });
    expect((await messages.next()).value).toEqual({ data: { tree: 'ash', height: 2 } });
  });

  test('of several changes that were not read yet the last is told', async () => {
    const { listener, messages } = open();
    for (const height of [1, 2, 3]) listener.hear({ _id: 'oak', height });
    listener.hear({ _id: 'ash', height: 1 });
    expect((await messages.next()).value).toEqual({ data: { tree: 'oak', height: 3 } });
    expect((await messages.next()).value).toEqual({ data: { tree: 'ash', height: 1 } });
  });

  test('who leaves while waiting hears the end', async () => {
    const { messages, leave } = open();
    const next = messages.next();
    leave();
    expect((await next).done).toBe(true);
  });

  test('who left before the first message hears nothing', async () => {
    const { listener, messages, leave } = open();
    leave();
    listener.hear({ _id: 'oak', height: 1 });
    expect((await messages.next()).done).toBe(true);
  });

  test('who does not read for too long is told what is kept, then the end', async () => {
    const { listener, messages } = open();
    for (let n = 0; n < 1_500; n++) listener.hear({ _id: `tree-${n}`, height: 1 });
    let heard = 0;
    while (!(await messages.next()).done) heard++;
    expect(heard).toBe(1_000);
  });
});

describe('what was seen', () => {
  const at = (second: number) => new Date(Date.UTC(2026, 10, 22, 12, 0, second)).toISOString();

  const state = (_id: string, second: number, revision = 0) => ({ _id, updatedAt: at(second), revision });

  const open = () =>
    openSeen<ReturnType<typeof state>>(({ updatedAt, revision }) => `${updatedAt} ${revision}`);

  test('the same state is new once, another state of the same document is new again', () => {
    const seen = open();
    expect(seen.note(state('a', 1))).toBe(true);
    expect(seen.note(state('a', 1))).toBe(false);
    expect(seen.note(state('a', 1, 1))).toBe(true);
    expect(seen.note(state('a', 2, 1))).toBe(true);
    expect(seen.note(state('b', 1))).toBe(true);
  });

  test('a change by a clock that is behind is a change', () => {
    const seen = open();
    seen.note(state('a', 5));
    expect(seen.note(state('a', 4, 1))).toBe(true);
  });

  test('what is not asked for any more is forgotten, the rest is not', () => {
    const seen = open();
    seen.note(state('old', 1));
    seen.note(state('young', 2));
    seen.forgetBefore(at(2));
    expect(seen.note(state('young', 2))).toBe(false);
    expect(seen.note(state('old', 1))).toBe(true);
  });
});
