import { expect, test } from '@jest/globals';
import { gate } from './testing/gate.ts';
import { openTurns } from './turns.ts';

test('what has one key takes turns, in order, also after a failure; other keys do not wait', async () => {
  const inTurn = openTurns();
  const first = gate();
  const done: string[] = [];
  const failing = inTurn('a', async () => {
    await first.opened;
    done.push('a1');
    throw new Error('a1 failed');
  });
  const next = inTurn('a', async () => done.push('a2'));
  const last = inTurn('a', async () => done.push('a3'));
  await inTurn('b', async () => done.push('b1'));
  first.open();
  await expect(failing).rejects.toThrow('a1 failed');
  await Promise.all([next, last]);
  expect(done).toEqual(['b1', 'a1', 'a2', 'a3']);
});
