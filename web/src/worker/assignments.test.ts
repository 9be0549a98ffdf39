import { workerMayMove } from '@arboleda/contracts/order.ts';
import { expect, test } from '@jest/globals';
import { assignment } from '../testing/assignments.ts';
import { arrange, nextStep } from './assignments.ts';

const first = assignment({ _id: 'first' });
const second = assignment({ _id: 'second', status: 'planted' });
const closed = assignment({ _id: 'closed', status: 'completed' });

test('each step is one that a worker may take, and the last has none', () => {
  for (const status of ['assigned', 'planted'] as const)
    expect(workerMayMove(status, nextStep({ status })!)).toBe(true);
  expect(nextStep({ status: 'completed' })).toBeUndefined();
  expect(nextStep({ status: 'pending' })).toBeUndefined();
});

test('the first open one is for now, what is completed comes last', () => {
  expect(arrange([first, second, closed])).toEqual({ now: first, later: [second], done: [closed] });
});

test('what the worker is at stays for now until it is completed', () => {
  expect(arrange([first, second, closed], 'second').now).toBe(second);
  expect(arrange([first, second, closed], 'closed').now).toBe(first);
});

test('when all is completed nothing is for now', () => {
  expect(arrange([closed])).toEqual({ now: undefined, later: [], done: [closed] });
});
