import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BENCHES, type Figures, readArguments } from './bench.ts';
import budgets from './budgets.json' with { type: 'json' };
import { backendMessages, frontendMessages } from './cost/relay.ts';
import { median, percentile, pointOf, spread, withSpread } from './figures.ts';
import { plotSvg, writeFigures } from './report.ts';

const figures = (bench: string, ratio: number): Figures => ({
  bench,
  work: 'A hundred pictures.',
  tables: [{ title: 'Pictures', columns: ['by', 'ratio'], rows: [['Arboleda', ratio]] }],
  plot: {
    kind: 'bars',
    unit: 'pictures a second',
    series: [
      { name: 'Arboleda', points: [{ x: '1 replica', y: 3, low: 2.5, high: 3.5 }] },
      { name: 'sharp', points: [{ x: '1 replica', y: 4 }] },
    ],
  },
});
const run = { date: '2026-01-02', machine: 'a machine', typed: 'npm run bench -- all --report' };

describe('the bench command', () => {
  const known = ['serve', 'photos'];

  test('runs what is named, and everything by one word or none', () => {
    expect(readArguments(['serve', '--quick'], known)).toMatchObject({ benches: ['serve'], quick: true });
    expect(readArguments(['all', '--report'], known)).toMatchObject({ benches: known, report: true });
    expect(readArguments([], known)).toMatchObject({ benches: known, report: false, json: undefined });
    expect(readArguments(['photos', '--json=a=b'], known).json).toBe('a=b');
  });

  test('says what there is when it does not know a name', () => {
    expect(() => readArguments(['serf'], known)).toThrow(
      'There is no bench "serf". There are: serve, photos, all.',
    );
  });
});

describe('the report', () => {
  let folder: string;
  let page: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'arboleda-report-'));
    page = join(folder, 'performance.md');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('gets a section and a plot for each bench, and a new run takes the place of that bench’s alone', async () => {
    await writeFigures(page, figures('serve', 0.25), run);
    await writeFigures(page, figures('photos', 0.95), run);
    await writeFigures(page, figures('serve', 0.5), { ...run, date: '2026-03-04' });
    const text = readFileSync(page, 'utf8');
    expect(text.match(/^## \w+/gm)).toEqual(['## serve', '## photos']);
    expect(text).toContain('![serve: pictures a second](images/performance/serve.svg)');
    expect(text).toContain('| Arboleda | 0.5 |');
    expect(text).not.toContain('| Arboleda | 0.25 |');
    expect(text).toContain('| a photo served | nginx on the same files | at least 0.25 × |');
    expect(text.slice(0, text.indexOf('## photos'))).toContain('2026-03-04');
    expect(text.slice(text.indexOf('## photos'))).toContain('2026-01-02');
    expect(readFileSync(join(folder, 'images/performance/photos.svg'), 'utf8')).toContain(
      'pictures a second',
    );
  });
});

test('every budget is of a bench that exists', () => {
  expect(Object.keys(budgets).filter((name) => !(name in BENCHES))).toEqual([]);
});

describe('a plot', () => {
  test('is a picture by itself with its names, and the same one each time', async () => {
    const svg = await plotSvg(figures('serve', 1).plot!);
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    for (const text of ['Arboleda', 'sharp', '1 replica', 'pictures a second']) expect(svg).toContain(text);
    expect(await plotSvg(figures('serve', 1).plot!)).toBe(svg);
  });

  test('draws what grows on an axis that grows', async () => {
    const series = [{ name: 'list', points: [1e3, 1e5, 1e6].map((x) => ({ x, y: 3, low: 2, high: 4 })) }];
    const svg = await plotSvg({ kind: 'lines', unit: 'ms', x: 'orders', series });
    expect(svg).toContain('100,000');
    expect(svg).not.toContain('NaN');
  });
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

test('the spread names the least and the most', () => expect(spread([2, 10.26, 4])).toBe('2.0 – 10.3'));

test('rounds are told and drawn by their median and what was seen', () => {
  expect(withSpread([2, 10.26, 4])).toBe('4.0 (2.0 – 10.3)');
  expect(withSpread([2, 10.26, 4], 0)).toBe('4 (2 – 10)');
  expect(pointOf('GET', [2, 10, 4])).toEqual({ x: 'GET', y: 4, low: 2, high: 10 });
});

describe('messages', () => {
  const message = (type: string, body: string): Buffer => {
    const bytes = Buffer.from(body);
    const length = Buffer.alloc(4);
    length.writeInt32BE(bytes.length + 4);
    return Buffer.concat([Buffer.from(type), length, bytes]);
  };

  test('reports each statement by its text, however the bytes arrive', () => {
    const ran: string[] = [];
    const take = frontendMessages((text) => ran.push(text));
    const session = Buffer.concat([
      message('', 'user\0'),
      message('Q', 'begin\0'),
      message('P', 'named\0select $1\0\0\0'),
      message('B', '\0named\0'),
      message('E', '\0\0\0\0\0'),
      message('S', ''),
      message('B', '\0named\0'),
      message('E', '\0\0\0\0\0'),
    ]);
    for (const byte of session) take(Buffer.from([byte]));
    expect(ran).toEqual(['begin', 'select $1', 'select $1']);
  });

  test('PostgreSQL has answered when it is ready for the next question', () => {
    let answers = 0;
    const take = backendMessages(() => answers++);
    take(
      Buffer.concat([message('D', 'a row'), message('Z', 'I'), message('C', 'done\0'), message('Z', 'I')]),
    );
    expect(answers).toBe(2);
  });
});
