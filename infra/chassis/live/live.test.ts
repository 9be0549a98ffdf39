import { describe, expect, test } from '@jest/globals';
import { openListener, openSentVersions } from './change-feed.ts';

describe('a listener', () => {
  interface Tree {
    id: string;
    height: number;
  }

  function open() {
    const leaving = new AbortController();
    const listener = openListener<Tree>(
      ({ id, height }) => (height > 0 ? { tree: id, height } : undefined),
      leaving.signal,
    );
    const messages = listener.messages()[Symbol.asyncIterator]();
    return { listener, messages, leave: () => leaving.abort() };
  }

  test('gets messages at once, and none that are for others', async () => {
    const { listener, messages } = open();
    const first = messages.next();
    listener.notify({ id: 'stump', height: 0 });
    listener.notify({ id: 'oak', height: 1 });
    expect((await first).value).toEqual({ data: { tree: 'oak', height: 1 } });
    listener.notify({ id: 'ash', height: 2 });
    expect((await messages.next()).value).toEqual({ data: { tree: 'ash', height: 2 } });
  });

  test('gets the last of several unread changes', async () => {
    const { listener, messages } = open();
    for (const height of [1, 2, 3]) listener.notify({ id: 'oak', height });
    listener.notify({ id: 'ash', height: 1 });
    expect((await messages.next()).value).toEqual({ data: { tree: 'oak', height: 3 } });
    expect((await messages.next()).value).toEqual({ data: { tree: 'ash', height: 1 } });
  });

  test('ends when it leaves while waiting', async () => {
    const { messages, leave } = open();
    const next = messages.next();
    leave();
    expect((await next).done).toBe(true);
  });

  test('gets nothing when it left before the first message', async () => {
    const { listener, messages, leave } = open();
    leave();
    listener.notify({ id: 'oak', height: 1 });
    expect((await messages.next()).done).toBe(true);
  });

  test('gets its unread messages and then the end when it is too slow', async () => {
    const { listener, messages } = open();
    for (let n = 0; n < 1_500; n++) listener.notify({ id: `tree-${n}`, height: 1 });
    let received = 0;
    while (!(await messages.next()).done) received++;
    expect(received).toBe(1_000);
  });
});

describe('the sent versions', () => {
  const at = (second: number) => new Date(Date.UTC(2026, 10, 22, 12, 0, second)).toISOString();

  const state = (id: string, second: number, revision = 0) => ({ id, updatedAt: at(second), revision });

  const open = () =>
    openSentVersions<ReturnType<typeof state>>(({ updatedAt, revision }) => `${updatedAt} ${revision}`);

  test('accept a version once, and another version of the same document again', () => {
    const seen = open();
    expect(seen.add(state('a', 1))).toBe(true);
    expect(seen.add(state('a', 1))).toBe(false);
    expect(seen.add(state('a', 1, 1))).toBe(true);
    expect(seen.add(state('a', 2, 1))).toBe(true);
    expect(seen.add(state('b', 1))).toBe(true);
  });

  test('accept a change by a clock that is behind', () => {
    const seen = open();
    seen.add(state('a', 5));
    expect(seen.add(state('a', 4, 1))).toBe(true);
  });

  test('forget what is no longer queried, and keep the rest', () => {
    const seen = open();
    seen.add(state('old', 1));
    seen.add(state('young', 2));
    seen.forgetBefore(at(2));
    expect(seen.add(state('young', 2))).toBe(false);
    expect(seen.add(state('old', 1))).toBe(true);
  });
});
