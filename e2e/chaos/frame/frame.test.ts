import type { Table } from '../../report/table.ts';
import { readArguments } from './arguments.ts';
import type { PartResult } from './part.ts';
import { withSection } from './report.ts';

const table: Table = {
  title: 'Kills',
  columns: ['service', 'kills'],
  rows: [
    ['orders', 12],
    ['media', 1234],
  ],
};
const result = (part: string, violations: string[] = []): PartResult => ({
  part,
  work: 'Two checkouts.',
  tables: [table],
  violations,
});
const run = { date: '2026-01-02', machine: 'a machine', command: 'npm run chaos -- all', minutes: 2 };

describe('the chaos command', () => {
  const known = ['crash', 'races'];

  test('runs what is named, and all parts by one word', () => {
    expect(readArguments(['crash', '--short'], known)).toMatchObject({ parts: ['crash'], short: true });
    expect(readArguments(['all'], known).parts).toEqual(known);
  });

  test('writes a report of a long run of everything, or when asked to', () => {
    expect(readArguments(['all'], known).report).toBe(true);
    expect(readArguments(['all', '--short'], known).report).toBe(false);
    expect(readArguments(['crash'], known).report).toBe(false);
    expect(readArguments(['crash', '--report'], known).report).toBe(true);
  });

  test('hands a part its settings', () => {
    expect(readArguments(['crash', '--kills=7', '--only=a=b'], known).settings).toEqual({
      kills: '7',
      only: 'a=b',
    });
  });

  test('says what there is when it does not know a name', () => {
    expect(() => readArguments(['crush'], known)).toThrow(
      'There is no part "crush". There are: crash, races, all.',
    );
    expect(() => readArguments(['--short'], known)).toThrow('Say what to run');
  });
});

describe('the report', () => {
  test('gets a section for each part, and a new run takes the place of that part’s alone', () => {
    const both = withSection(withSection(undefined, result('crash'), run), result('races'), run);
    const again = withSection(both, result('crash', ['an order is missing']), { ...run, date: '2026-03-04' });
    expect(again.match(/^## /gm)).toHaveLength(2);
    expect(again).toContain('- an order is missing');
    expect(again).toContain('2026-03-04');
    expect(again.slice(again.indexOf('## races'))).toContain('2026-01-02');
    expect(again.slice(again.indexOf('## races'))).toContain('No violation.');
  });
});
