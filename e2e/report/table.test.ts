import { type Table, tableLines, tableMarkdown } from './table.ts';

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

  test('keeps a bar of a cell out of the page’s columns', () => {
    const page = tableMarkdown({ title: 't', columns: ['what'], rows: [['a|b']] });
    expect(page).toContain('| a\\|b |');
  });

  test('shows as much of a number as one reads of it', () => {
    const page = tableMarkdown({ title: 't', columns: ['ratio'], rows: [[0.253], [87.456], [12345.6]] });
    expect(page).toContain('| 0.25 |\n| 87.5 |\n| 12,345.6 |');
  });
});
