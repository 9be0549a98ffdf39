import { describe, expect, jest, test } from '@jest/globals';
import { gate } from '../../testing/gate.ts';
import { gather } from './gather.ts';
import { type IntakeOptions, openIntake } from './intake.ts';
import { openLanes } from './lanes.ts';
import type { Incoming, Outgoing, Place } from './messages.ts';
import { openProgress } from './progress.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('messages that are taken in', () => {
  const here: Place = { topic: 'order.created', partition: 0 };

  const there: Place = { topic: 'order.created', partition: 1 };

  const message = (offset: number, key = `key ${offset}`, place = here): Incoming => ({
    ...place,
    offset,
    key,
    value: '',
    headers: {},
  });

  function opened(options: Partial<IntakeOptions> = {}) {
    const handled: number[] = [];
    const said: string[] = [];
    const intake = openIntake({
      handle: async ({ offset }) => void handled.push(offset),
      dueAt: () => 0,
      atOnce: 8,
      mostHeld: 100,
      pause: ({ partition }) => void said.push(`pause ${partition}`),
      resume: ({ partition }) => void said.push(`resume ${partition}`),
      givenUp: ({ offset }) => void said.push(`gave up ${offset}`),
      progressed: () => undefined,
      forget: () => undefined,
      ...options,
    });
    intake.assign([here, there]);
    return { intake, handled, said };
  }

  test('commits up to the first that is not done', async () => {
    const slow = gate();
    const { intake } = opened({ handle: ({ offset }) => (offset === 6 ? slow.opened : Promise.resolve()) });
    intake.take(here, [message(5), message(6), message(7)]);
    await settled();
    expect(intake.uncommitted()).toEqual([{ ...here, offset: 6 }]);
    slow.open();
    await settled();
    expect(intake.uncommitted()).toEqual([{ ...here, offset: 8 }]);
    intake.committed([{ ...here, offset: 8 }]);
    expect(intake.uncommitted()).toEqual([]);
  });

  test('does not handle again what it reads again after the group gathered', async () => {
    const { intake, handled } = opened();
    intake.take(here, [message(5), message(6)]);
    intake.assign([here]);
    intake.take(here, [message(5), message(6), message(7)]);
    await settled();
    expect(handled).toEqual([5, 6, 7]);
  });

  test('leaves to others what it has lost: neither begins it nor says that it is done', async () => {
    const slow = gate();
    const { intake, handled } = opened({
      handle: async ({ offset }) => {
        await slow.opened;
        handled.push(offset);
      },
    });
    intake.take(here, [message(5, 'one key'), message(6, 'one key')]);
    intake.assign([there]);
    slow.open();
    await settled();
    expect(handled).toEqual([5]);
    expect(intake.uncommitted()).toEqual([]);
    intake.take(here, [message(7)]);
    await settled();
    expect(handled).toEqual([5]);
  });

  test('begins anew in a partition that was lost and came back', async () => {
    const { intake, handled } = opened();
    intake.take(here, [message(5)]);
    await settled();
    intake.assign([]);
    intake.assign([here]);
    intake.take(here, [message(5)]);
    await settled();
    expect(handled).toEqual([5, 5]);
  });

  test('begins anew in a topic that was made anew', async () => {
    const { intake, handled } = opened();
    intake.take(here, [message(50)]);
    await settled();
    intake.committed(intake.uncommitted());
    intake.take(here, [message(0)]);
    await settled();
    expect(handled).toEqual([50, 0]);
    expect(intake.uncommitted()).toEqual([{ ...here, offset: 1 }]);
  });

  test('reads no more of a partition than it can hold until half of that is done', async () => {
    const gates = Array.from({ length: 4 }, gate);
    const { intake, said } = opened({ mostHeld: 4, handle: ({ offset }) => gates[offset]!.opened });
    intake.take(here, [message(0), message(1), message(2), message(3)]);
    expect(said).toEqual(['pause 0']);
    gates[0]!.open();
    await settled();
    expect(said).toEqual(['pause 0']);
    gates[1]!.open();
    await settled();
    expect(said).toEqual(['pause 0', 'resume 0']);
  });

  test('a paused partition that is lost is not paused any more when it comes back', () => {
    const { intake, said } = opened({ mostHeld: 1, handle: () => new Promise(() => undefined) });
    intake.take(here, [message(0)]);
    intake.assign([]);
    expect(said).toEqual(['pause 0', 'resume 0']);
  });

  test('lets a message wait until it is due, and those behind it pass', async () => {
    jest.useFakeTimers();
    try {
      const due = Date.now() + 60;
      const { intake, handled } = opened({ dueAt: ({ offset }) => (offset === 0 ? due : 0) });
      intake.take(here, [message(0), message(1)]);
      await jest.advanceTimersByTimeAsync(59);
      expect(handled).toEqual([1]);
      await jest.advanceTimersByTimeAsync(1);
      expect(handled).toEqual([1, 0]);
      expect(intake.uncommitted()).toEqual([{ ...here, offset: 2 }]);
    } finally {
      jest.useRealTimers();
    }
  });

  test('what is given up holds back what is committed', async () => {
    const { intake, said } = opened({
      handle: ({ offset }) => (offset === 1 ? Promise.reject(new Error('stopping')) : Promise.resolve()),
    });
    intake.take(here, [message(0), message(1), message(2)]);
    await settled();
    expect(said).toEqual(['gave up 1']);
    expect(intake.uncommitted()).toEqual([{ ...here, offset: 1 }]);
  });

  test('stopped, it waits for what is in hand and takes nothing more', async () => {
    const slow = gate();
    const { intake } = opened({
      handle: () => slow.opened,
      dueAt: ({ offset }) => (offset === 2 ? Date.now() + 1e6 : 0),
    });
    intake.take(here, [message(0, 'one key'), message(1, 'one key'), message(2)]);
    let stopped = false;
    const stopping = intake.stop().then(() => (stopped = true));
    intake.take(there, [message(0, 'k', there)]);
    await settled();
    expect(stopped).toBe(false);
    slow.open();
    await stopping;
    expect(intake.uncommitted()).toEqual([{ ...here, offset: 1 }]);
  });
});

describe('messages that are gathered', () => {
  const message = (value: string): Outgoing => ({ topic: 't', key: 'k', value });

  /** Remembers what went together; each sending waits for its gate. */
  function slowSender(gates: { opened: Promise<void> }[] = []) {
    const sent: string[][] = [];
    const send = gather(async (messages) => {
      const waitFor = gates[sent.length];
      sent.push(messages.map(({ value }) => String(value)));
      await waitFor?.opened;
    });
    return { sent, send };
  }

  test('sends at once when nothing is on its way', async () => {
    const { sent, send } = slowSender();
    await send([message('a')]);
    expect(sent).toEqual([['a']]);
  });

  test('what is asked for while something is on its way goes together, in its order', async () => {
    const first = gate();
    const { sent, send } = slowSender([first]);
    const all = [send([message('a')]), send([message('b'), message('c')]), send([message('d')])];
    first.open();
    await Promise.all(all);
    expect(sent).toEqual([['a'], ['b', 'c', 'd']]);
  });

  test('does not put more together than a broker takes, and lets something big go alone', async () => {
    const first = gate();
    const { sent, send } = slowSender([first]);
    const big = 'x'.repeat(300_000);
    const huge = 'y'.repeat(500_000);
    const all = ['a', big, big, huge, 'z'].map((value) => send([message(value)]));
    first.open();
    await Promise.all(all);
    expect(sent.map((values) => values.map((value) => value[0]))).toEqual([
      ['a'],
      ['x'],
      ['x'],
      ['y'],
      ['z'],
    ]);
  });

  test('tells everyone that went along of a failure, and goes on with the next', async () => {
    let tries = 0;
    const send = gather(async () => {
      if (++tries === 2) throw new Error('away');
    });
    const results = await Promise.allSettled([
      send([message('a')]),
      send([message('b')]),
      send([message('c')]),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    await expect(send([message('d')])).resolves.toBeUndefined();
  });
});

test('work of one lane follows one another, that of another does not wait for it', async () => {
  const lanes = openLanes(8);
  const slow = gate();
  const said: string[] = [];
  lanes.add('a', async () => {
    await slow.opened;
    said.push('a1');
  });
  lanes.add('a', async () => void said.push('a2'));
  lanes.add('b', async () => void said.push('b1'));
  await settled();
  expect(said).toEqual(['b1']);
  slow.open();
  await settled();
  expect(said).toEqual(['b1', 'a1', 'a2']);
});

test('no more lanes move at once than there are hands, and each gets its turn', async () => {
  const lanes = openLanes(2);
  const gates = Array.from({ length: 5 }, gate);
  let moving = 0;
  let most = 0;
  const begun: number[] = [];
  gates.forEach((it, n) =>
    lanes.add(`lane ${n}`, async () => {
      begun.push(n);
      most = Math.max(most, ++moving);
      await it.opened;
      moving--;
    }),
  );
  await settled();
  expect(begun).toEqual([0, 1]);
  for (const it of gates) {
    it.open();
    await settled();
  }
  expect(begun).toEqual([0, 1, 2, 3, 4]);
  expect(most).toBe(2);
});

test('a busy lane lets the others have a turn in between', async () => {
  const lanes = openLanes(1);
  const said: string[] = [];
  for (const it of ['a1', 'a2', 'a3', 'b1']) lanes.add(it[0]!, async () => void said.push(it));
  await settled();
  expect(said).toEqual(['a1', 'b1', 'a2', 'a3']);
});

test('stopping waits for what has begun and drops the rest', async () => {
  const lanes = openLanes(1);
  const slow = gate();
  const said: string[] = [];
  lanes.add('a', async () => {
    await slow.opened;
    said.push('begun');
  });
  lanes.add('a', async () => void said.push('next in lane'));
  lanes.add('b', async () => void said.push('in another lane'));
  let stopped = false;
  const stopping = lanes.stop().then(() => (stopped = true));
  lanes.add('c', async () => void said.push('too late'));
  await settled();
  expect(stopped).toBe(false);
  slow.open();
  await stopping;
  await settled();
  expect(said).toEqual(['begun']);
});

test('stopping an idle one is done at once', async () => {
  await expect(openLanes(1).stop()).resolves.toBeUndefined();
});

test('nothing is to be committed before something is done', () => {
  const progress = openProgress(10);
  progress.take(10);
  progress.take(11);
  expect(progress.uncommitted()).toBeUndefined();
  expect(progress.pending()).toBe(2);
});

test('what is done out of turn is committed only when everything before it is done', () => {
  const progress = openProgress(10);
  for (const offset of [10, 11, 12]) progress.take(offset);
  progress.done(12);
  progress.done(11);
  expect(progress.uncommitted()).toBeUndefined();
  progress.done(10);
  expect(progress.uncommitted()).toBe(13);
});

test('offsets that a compacted topic has lost do not hold it up', () => {
  const progress = openProgress(10);
  for (const offset of [10, 14, 20]) progress.take(offset);
  progress.done(10);
  expect(progress.uncommitted()).toBe(14);
  progress.done(14);
  progress.done(20);
  expect(progress.uncommitted()).toBe(21);
});

test('what is committed is not committed again, and a late answer does not turn it back', () => {
  const progress = openProgress(0);
  progress.take(0);
  progress.done(0);
  progress.committed(1);
  expect(progress.uncommitted()).toBeUndefined();
  progress.take(1);
  progress.done(1);
  progress.committed(2);
  progress.committed(1);
  expect(progress.uncommitted()).toBeUndefined();
});

test('what is read again is not taken again', () => {
  const progress = openProgress(5);
  expect(progress.take(5)).toBe(true);
  expect(progress.take(6)).toBe(true);
  progress.done(6);
  expect(progress.take(5)).toBe(false);
  expect(progress.take(6)).toBe(false);
  expect(progress.take(7)).toBe(true);
});

test('offsets before what was committed are those of other messages', () => {
  const progress = openProgress(5);
  progress.take(5);
  progress.done(5);
  progress.committed(6);
  expect(progress.precedes(6)).toBe(false);
  expect(progress.precedes(0)).toBe(true);
});
