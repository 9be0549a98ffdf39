import { expect, test } from '@jest/globals';
import { differing, openRows } from './rows.ts';

const read = (...lines: string[]) => {
  const rows = openRows();
  lines.forEach(rows.take);
  return rows.tables();
};
const header = 'COPY auth.accounts (id, name) FROM stdin;';

test('rows are the same in whatever order, and another when one letter is', () => {
  const first = read('SET x;', header, '1\ta', '2\tb', '\\.', 'COPY auth.workers (id) FROM stdin;', '\\.');
  const second = read(header, '2\tb', '1\ta', '\\.', 'COPY auth.workers (id) FROM stdin;', '\\.');
  expect(first.get('auth.accounts')!.rows).toBe(2);
  expect(first.get('auth.workers')!.rows).toBe(0);
  expect(differing(first, second)).toEqual([]);
  expect(differing(first, read(header, '2\tb', '1\tc', '\\.'))).toEqual(['auth.accounts', 'auth.workers']);
});

test('a row twice is not a row once, and one that is moved to another table is missed', () => {
  expect(differing(read(header, '1', '\\.'), read(header, '1', '1', '\\.'))).toEqual(['auth.accounts']);
  const elsewhere = read('COPY auth.workers (id) FROM stdin;', '1', '\\.');
  expect(differing(read(header, '1', '\\.'), elsewhere)).toEqual(['auth.accounts', 'auth.workers']);
});
