import { readArguments } from './arguments.ts';
import type { PartResult, Table } from './part.ts';
import { withSection } from './report.ts';
import { tableLines, tableMarkdown } from './table.ts';

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

describe('a table', () => {
  test('lines its columns up, numbers to the right', () => {
    expect(tableLines(table)).toEqual([
      'Kills',
      '  service  kills',
      '  ───────  ─────',
      '  orders      12',
      '  media    1,234',
    ]);
  });

  test('keeps a bar of a cell out of the page’s columns', () => {
    const page = tableMarkdown({ title: 't', columns: ['what'], rows: [['a|b']] });
    expect(page).toContain('| a\\|b |');
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
