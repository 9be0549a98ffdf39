import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { currentRates } from './current-rates.ts';
import { COMMITTED_RATES, type RateTable } from './rates.ts';

const table = (COP: number): RateTable => ({
  asOf: '2026-11-20',
  source: 'rates.test',
  rates: { ...COMMITTED_RATES.rates, COP },
});

/** A store that says what it is told to say, and a clock that stands still. */
function open() {
  const state = { nowMs: 0, asked: 0, answer: async (): Promise<RateTable | undefined> => table(4000) };
  const store = {
    latest() {
      state.asked++;
      return state.answer();
    },
  };
  const rates = currentRates(store, {
    forMs: 1000,
    clock: () => new Date(state.nowMs),
    logger: pino({ level: 'silent' }),
    patienceMs: 20,
  });
  return { state, rates };
}

test('many who ask at once cost one question', async () => {
  const { state, rates } = open();
  await Promise.all([rates(), rates(), rates()]);
  state.nowMs = 999;
  await rates();
  expect(state.asked).toBe(1);
});

test('a new table is seen once the old answer has aged', async () => {
  const { state, rates } = open();
  await rates();
  state.answer = async () => table(4100);
  expect((await rates()).rates.COP).toBe(4000);
  state.nowMs = 1000;
  expect((await rates()).rates.COP).toBe(4100);
});

test('prices stay as they were while the store is away, and follow it when it is back', async () => {
  const { state, rates } = open();
  await rates();
  state.nowMs = 1000;
  state.answer = async () => Promise.reject(new Error('away'));
  expect((await rates()).rates.COP).toBe(4000);
  state.answer = async () => table(4200);
  expect((await rates()).rates.COP).toBe(4200);
});

test('nobody waits for a store that says nothing, and it is asked once', async () => {
  const { state, rates } = open();
  await rates();
  state.nowMs = 1000;
  const silence = Promise.withResolvers<RateTable>();
  state.answer = () => silence.promise;
  expect((await rates()).rates.COP).toBe(4000);
  state.nowMs = 5000;
  expect((await rates()).rates.COP).toBe(4000);
  expect(state.asked).toBe(2);
  silence.resolve(table(4300));
  expect((await rates()).rates.COP).toBe(4300);
});

test('a store that never answered leaves nothing to price with, and is asked again at once', async () => {
  const { state, rates } = open();
  state.answer = async () => Promise.reject(new Error('away'));
  await expect(rates()).rejects.toThrow('away');
  state.answer = async () => undefined;
  expect(await rates()).toBe(COMMITTED_RATES);
});
