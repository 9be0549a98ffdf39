import { expect, test } from '@jest/globals';
import { gate } from '../../testing/gate.ts';
import { openLanes } from './lanes.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

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
