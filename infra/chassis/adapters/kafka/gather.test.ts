import { expect, test } from '@jest/globals';
import { gate } from '../../testing/gate.ts';
import { gather } from './gather.ts';
import type { Outgoing } from './messages.ts';

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
  expect(sent.map((values) => values.map((value) => value[0]))).toEqual([['a'], ['x'], ['x'], ['y'], ['z']]);
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
