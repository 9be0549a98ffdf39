import { becomeQuiet } from './quiet.ts';

const PATIENCE = { withoutProgressMs: 60, pauseMs: 5 };

/** Counts one look after another; the last one stays. */
const counting = (counts: number[]) => {
  let looks = 0;
  return {
    leftovers: async () => [{ count: 0 }, { count: counts[Math.min(looks++, counts.length - 1)]! }],
    looks: () => looks,
  };
};

test('waits for as long as there is less and less to do', async () => {
  const slow = counting(Array.from({ length: 40 }, (_, n) => 39 - n));
  await becomeQuiet(slow.leftovers, PATIENCE);
  expect(slow.looks()).toBe(40);
});

test('gives up when what is left stays, though it may come and go', async () => {
  const stuck = counting([5, 2, ...Array.from({ length: 500 }, (_, n) => 2 + (n % 2))]);
  await becomeQuiet(stuck.leftovers, PATIENCE);
  expect(stuck.looks()).toBeLessThan(40);
});
