import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BENCHES, chosenBenches, writeFigures } from './bench.ts';
import type { Figures } from './figures.ts';
import budgets from './budgets.json' with { type: 'json' };
import { median, percentile, ratio, withSpread } from './figures.ts';

const figures = (bench: string, share: number): Figures => ({
  bench,
  work: 'A hundred pictures.',
  tables: [{ title: 'Pictures', columns: ['by', 'ratio'], rows: [['Arboleda', share]] }],
});
const run = { date: '2026-01-02', machine: 'a machine', typed: 'npm run bench -- all --report' };

describe('the bench command', () => {
  const known = ['serve', 'photos'];

  test('runs what is named, and everything by one word or none', () => {
    expect(chosenBenches(['serve'], known)).toEqual(['serve']);
    expect(chosenBenches(['all'], known)).toEqual(known);
    expect(chosenBenches([], known)).toEqual(known);
  });

  test('says what there is when it does not know a name', () => {
    expect(() => chosenBenches(['serf'], known)).toThrow(
      'There is no bench "serf". There are: serve, photos, all.',
    );
  });
});

describe('the report', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'arboleda-report-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('gets a section for each bench, and a new run takes the place of that bench’s alone', () => {
    const page = join(folder, 'performance.md');
    writeFigures(page, figures('serve', 0.25), run);
    writeFigures(page, figures('photos', 0.95), run);
    writeFigures(page, figures('serve', 0.5), { ...run, date: '2026-03-04' });
    const text = readFileSync(page, 'utf8');
    expect(text.match(/^## \w+/gm)).toEqual(['## serve', '## photos']);
    expect(text).toContain('| Arboleda | 0.5 |');
    expect(text).not.toContain('| Arboleda | 0.25 |');
    expect(text).toContain('| a photo served | nginx on the same files | at least 0.25 × |');
    expect(text.slice(0, text.indexOf('## photos'))).toContain('2026-03-04');
    expect(text.slice(text.indexOf('## photos'))).toContain('2026-01-02');
  });
});

test('every budget is of a bench that exists', () => {
  expect(Object.keys(budgets).filter((name) => !(name in BENCHES))).toEqual([]);
});

describe('percentile', () => {
  const hundred = Array.from({ length: 100 }, (_, at) => 100 - at);
  test.each([
    [0.5, 50],
    [0.99, 99],
    [1, 100],
  ])('%d of 1…100 is %d', (share, expected) => expect(percentile(hundred, share)).toBe(expected));

  test('one value is every percentile of itself', () => expect(percentile([7], 0.99)).toBe(7));
  test('nothing measured is not a number', () => expect(percentile([], 0.5)).toBeNaN());
  test('leaves the measurements as they were', () => {
    const values = [3, 1, 2];
    median(values);
    expect(values).toEqual([3, 1, 2]);
  });
});

test('rounds are shown by their median and what was seen', () => {
  expect(withSpread([2, 10.26, 4])).toBe('4.0 (2.0 – 10.3)');
  expect(withSpread([2, 10.26, 4], 0)).toBe('4 (2 – 10)');
});

test('the ratio is that of the medians', () => expect(ratio([2, 5, 9], [1, 2, 3])).toBe('2.50 ×'));
