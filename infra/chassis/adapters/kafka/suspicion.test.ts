import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { MAX_DEATHS_ALONE, openCaution, SUSPECT_AFTER_DEATHS } from '../../caution.ts';
import type { Commit, Incoming, Place } from './messages.ts';
import { openSuspicion } from './suspicion.ts';

const place: Place = { topic: 'order.created', partition: 0 };
const message = (offset: number): Incoming => ({
  ...place,
  offset,
  key: `k${offset}`,
  value: '',
  headers: {},
});
const held = (reached: number) => ({ reached: () => reached, lost: () => false });

/** What a broker keeps, whichever process wrote it. */
function aBroker() {
  let committed: Commit = { ...place, offset: 5 };
  const buried: number[] = [];
  const handled: number[] = [];
  /** A process; `dies` on the message of which it says so: what it then does never ends. */
  const start = (dies: (offset: number) => boolean = () => false) => {
    const suspicion = openSuspicion({
      caution: openCaution(60_000),
      logger: pino({ level: 'silent' }),
      read: async () => [committed],
      write: async (commit) => void (committed = commit),
      handle: ({ offset }) => {
        if (dies(offset)) return new Promise(() => undefined);
        handled.push(offset);
        return Promise.resolve();
      },
      bury: async ({ offset }) => void buried.push(offset),
    });
    const commit = (offset: number) => (committed = { ...place, offset, ...suspicion.noteOf(place) });
    return { ...suspicion, commit };
  };
  return { start, buried, handled, committed: () => committed };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

async function dieAt(broker: ReturnType<typeof aBroker>, poison: number, offsets: number[]) {
  const process = broker.start((offset) => offset === poison);
  for (const offset of offsets) void process.handle(message(offset), held(5));
  await settled();
}

test('what was in hand at some deaths is handled alone, and only what kills alone is counted', async () => {
  const broker = aBroker();
  for (let deaths = 0; deaths < SUSPECT_AFTER_DEATHS; deaths++) await dieAt(broker, 6, [6, 5]);
  expect(JSON.parse(broker.committed().note!)).toEqual({ starts: SUSPECT_AFTER_DEATHS, begun: [] });
  for (let deaths = 1; deaths <= MAX_DEATHS_ALONE; deaths++) {
    await dieAt(broker, 6, [6, 5]);
    expect(JSON.parse(broker.committed().note!).begun).toEqual([[6, deaths]]);
  }
  broker.handled.length = 0;
  const last = broker.start((offset) => offset === 6);
  await Promise.all([last.handle(message(6), held(5)), last.handle(message(5), held(5))]);
  expect(broker.buried).toEqual([6]);
  expect(broker.handled).toEqual([5]);
  expect(last.commit(7).note).toBeUndefined();
});

test('progress ends the suspicion of all but what was begun alone', async () => {
  const broker = aBroker();
  for (let deaths = 0; deaths <= SUSPECT_AFTER_DEATHS; deaths++) await dieAt(broker, 6, [5, 6]);
  const process = broker.start();
  await process.handle(message(5), held(5));
  expect(JSON.parse(process.commit(6).note!)).toEqual({ starts: 0, begun: [[6, 1]] });
  await process.handle(message(6), held(6));
  expect(process.commit(7)).toEqual({ ...place, offset: 7 });
});

test('a broker that keeps no notes holds nothing up', async () => {
  const handled: number[] = [];
  const suspicion = openSuspicion({
    caution: openCaution(),
    logger: pino({ level: 'silent' }),
    read: () => Promise.reject(new Error('away')),
    write: () => Promise.reject(new Error('away')),
    handle: async ({ offset }) => void handled.push(offset),
    bury: async () => undefined,
  });
  await suspicion.handle(message(5), held(5));
  expect(handled).toEqual([5]);
});
