import { expect, test } from '@jest/globals';
import { durations, processorTimes, type Profile, whyTables } from './why.ts';

const at = (path: string) => new URL(`../../../${path}`, import.meta.url).href;
const STACK = `Error
    at stackHere (${at('e2e/bench/cost/recorder.ts')}:40:9)
    at Object.prepared (${at('infra/chassis/adapters/postgres/sql/sql.ts')}:120:30)
    at Object.change (${at('infra/chassis/records.ts')}:190:20)
    at async settle (${at('services/payments/cards/settle.ts')}:60:5)`;
const LOG = [
  '2026-12-01 03:00:00.101 UTC [1] LOG:  duration: 0.250 ms  parse abc: select 1',
  '2026-12-01 03:00:00.102 UTC [1] LOG:  duration: 0.250 ms  bind abc: select 1',
  '2026-12-01 03:00:00.103 UTC [1] LOG:  duration: 1.500 ms  execute abc: select',
  '\t  1',
  '2026-12-01 03:00:00.103 UTC [1] DETAIL:  Parameters: $1 = 7',
  "2026-12-01 03:00:00.104 UTC [1] LOG:  duration: 4.000 ms  statement: begin; insert into a values ('0b4c8a52-0000-4000-8000-1')",
].join('\n');

const node = (id: number, functionName: string, url: string, children: number[] = []) => ({
  id,
  callFrame: { functionName, url, scriptId: '0', lineNumber: 0, columnNumber: 0 },
  children,
});
const profile: Profile = {
  startTime: 0,
  endTime: 10_000,
  nodes: [
    node(1, '(root)', '', [2, 3, 5]),
    node(2, '(idle)', ''),
    node(3, 'settle', at('services/payments/cards/settle.ts'), [4]),
    node(4, 'parse', at('node_modules/pg/lib/client.js')),
    node(5, 'writev', ''),
  ],
  samples: [2, 3, 4, 5],
  timeDeltas: [5_000, 1_000, 2_000, 4_000],
};

test('the time of all steps of a statement is that of its text, whatever its line breaks and ids', () => {
  const spent = durations(LOG);
  expect(spent.get('select 1')).toBe(2);
  expect([...spent.keys()]).toEqual(['select 1', 'begin; insert into a values (…)']);
});

test('a statement is named with the function that asks, not with how it asks', () => {
  const statements = [{ text: 'select\n 1', stack: STACK, times: 20 }];
  const [dearest] = whyTables({ statements, log: LOG, profile }, 10);
  expect(dearest!.rows).toEqual([['select 1', 'services/payments/cards/settle.ts settle', 2, 0.2]]);
});

test('the processor’s time counts for the product’s own function, without idleness', () => {
  const { byFunction, byPlace } = processorTimes(profile);
  expect(Object.fromEntries(byFunction)).toEqual({
    'services/payments/cards/settle.ts settle': 3,
    '(below no function of the product)': 4,
  });
  expect(Object.fromEntries(byPlace)).toEqual({
    'services/payments/cards/settle.ts': 1,
    pg: 2,
    writev: 4,
  });
});
