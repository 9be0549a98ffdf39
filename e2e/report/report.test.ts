import { describe, expect, test } from '@jest/globals';
import { pageWith } from './reliability.ts';
import { type Table, tableLines, tableMarkdown, tablesMarkdown } from './table.ts';

/** The page after one part was run on a day. */
const reported = (page: string | undefined, part: string, date: string, violations: string[] = []): string =>
  pageWith(
    page,
    {
      part,
      work: 'Two checkouts.',
      tables: [{ title: 'Kills', columns: ['service', 'kills'], rows: [['orders', 12]] }],
      violations,
    },
    { date, machine: 'a machine', typed: 'npm run reliability -- all', minutes: 2 },
  );

describe('the report', () => {
  test('gets a section for each part, and a new run takes the place of that part’s alone', () => {
    const both = reported(reported(undefined, 'crash', '2026-01-02'), 'races', '2026-01-02');
    const again = reported(both, 'crash', '2026-03-04', ['an order is missing']);
    expect(again.match(/^## /gm)).toHaveLength(2);
    expect(again).toContain('- an order is missing');
    expect(again).toContain('2026-03-04');
    expect(again.slice(again.indexOf('## races'))).toContain('2026-01-02');
    expect(again.slice(again.indexOf('## races'))).toContain('No violation.');
  });

  test('keeps the sections of the two tiers of one part apart', () => {
    const embedded = reported(undefined, 'faults', '2026-01-02');
    const both = reported(embedded, 'faults --tier=distributed', '2026-01-02');
    expect(both.match(/^## faults/gm)).toHaveLength(2);
    expect(reported(both, 'faults', '2026-03-04').match(/2026-01-02/g)).toHaveLength(1);
  });
});

describe('a table', () => {
  const table: Table = {
    title: 'Kills',
    columns: ['service', 'kills'],
    rows: [
      ['orders', 12],
      ['media', 1234],
    ],
  };

  test('lines its columns up, numbers to the right', () => {
    expect(tableLines(table)).toEqual([
      'Kills',
      '  service  kills',
      '  ───────  ─────',
      '  orders      12',
      '  media    1,234',
    ]);
  });

  test('is drawn on a page where it says so, by the first figure of each cell', () => {
    const rows = [
      ['ours', '12.5 (11.0 – 14.2)'],
      ['theirs', 3],
    ];
    const [, , , drawn] = tablesMarkdown([
      { title: 't', columns: ['who', 'a second'], rows, plotted: 'a second' },
    ]);
    expect(drawn).toContain('x-axis ["ours", "theirs"]');
    expect(drawn).toContain('y-axis "a second" 0 --> 13');
    expect(drawn).toContain('bar [12.5, 3]');
  });

  test('keeps a bar of a cell out of the page’s columns', () => {
    const page = tableMarkdown({ title: 't', columns: ['what'], rows: [['a|b']] });
    expect(page).toContain('| a\\|b |');
  });

  test('shows as much of a number as one reads of it', () => {
    const page = tableMarkdown({ title: 't', columns: ['ratio'], rows: [[0.253], [87.456], [12345.6]] });
    expect(page).toContain('| 0.25 |\n| 87.5 |\n| 12,345.6 |');
  });
});
