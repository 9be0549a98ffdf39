import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Budget, excesses, filesOf, laterFiles, measure, precached, type Sizes } from './budget.ts';
import { FIRST_HEADLINE, FIRST_TEXT } from './first-characters.ts';
import { putInPlace } from './put-in-place.ts';

const budget: Budget = {
  pages: { index: { scriptKb: 90, styleKb: 20 } },
  chunkKb: 60,
  precacheKb: 500,
};

const sizes: Sizes = {
  pages: { index: { scriptKb: 89.9, styleKb: 20 } },
  chunks: { 'src/worker/WorkerPortal.tsx': 59 },
  precacheKb: 480,
};

describe('a build', () => {
  test('reports nothing within budget', () => {
    expect(excesses(sizes, budget)).toEqual([]);
  });

  test('reports what is over budget and by how much', () => {
    const large: Sizes = {
      pages: { index: { scriptKb: 93.14, styleKb: 21 } },
      chunks: { 'src/worker/WorkerPortal.tsx': 61 },
      precacheKb: 501,
    };
    expect(excesses(large, budget)).toEqual([
      'The script of index before anybody touches the page is 93.1 kB compressed, and web/budget.json allows 90 kB.',
      'The style of index is 21.0 kB compressed, and web/budget.json allows 20 kB.',
      'What src/worker/WorkerPortal.tsx adds to the app is 61.0 kB compressed, and web/budget.json allows 60 kB.',
      'What the service worker keeps is 501.0 kB compressed, and web/budget.json allows 500 kB.',
    ]);
  });

  test('reports a page missing from the budget', () => {
    expect(excesses({ ...sizes, pages: {} }, budget)).toEqual([
      'web/budget.json speaks of the page index, which is not built.',
    ]);
  });
});

test('lists the scripts and styles of a document once each', () => {
  const html = `
    <link rel="preload" href="/assets/font.woff2" as="font">
    <link rel="stylesheet" crossorigin href="/assets/a.css">
    <style>p > b { margin: 0 } @media (width<40em) {}</style>
    <link rel="modulepreload" crossorigin href="/assets/b.js">
    <script type="module" crossorigin src="/assets/main.js"></script>
    <script type="module" crossorigin src="/assets/b.js"></script>`;
  expect(filesOf(html)).toEqual({
    scripts: ['assets/b.js', 'assets/main.js'],
    styles: ['assets/a.css'],
    inlineStyle: 'p > b { margin: 0 } @media (width<40em) {}',
  });
});

test('measures lazy parts without files the app already loaded', () => {
  const manifest = {
    'index.html': { file: 'main.js', imports: ['_react.js'], dynamicImports: ['src/Portal.tsx'] },
    '_react.js': { file: 'react.js' },
    '_table.js': { file: 'table.js', imports: ['_react.js'] },
    'src/Portal.tsx': {
      file: 'portal.js',
      isDynamicEntry: true,
      imports: ['index.html', '_table.js'],
      dynamicImports: ['src/Panel.tsx'],
    },
    'src/Panel.tsx': { file: 'panel.js', isDynamicEntry: true, imports: ['_table.js', '_chart.js'] },
    '_chart.js': { file: 'chart.js' },
    'src/texts/en.json': { file: 'en.js', isDynamicEntry: true },
  };
  expect(laterFiles(manifest, ['index.html'])).toEqual(
    new Map([
      ['src/Portal.tsx', ['portal.js', 'table.js']],
      ['src/Panel.tsx', ['panel.js', 'chart.js']],
    ]),
  );
});

test('reads the precache list of a service worker in any notation', () => {
  expect(precached('p([{"revision":null,"url":"/assets/a.js"},{url:"assets/b.css",revision:"1"}])')).toEqual([
    'assets/a.js',
    'assets/b.css',
  ]);
});

describe('a folder', () => {
  let client: string;
  beforeAll(async () => {
    client = await mkdtemp(join(tmpdir(), 'arboleda-budget-'));
    await mkdir(join(client, 'assets'));
    const page = '<script type="module" src="/assets/a.js"></script>';
    await writeFile(join(client, 'index.en.html'), page);
    await writeFile(join(client, 'index.es.html'), `${page}<link rel="modulepreload" href="/assets/b.js">`);
    await writeFile(join(client, 'sw.js'), '[{url:"/assets/font.woff2"},{url:"/worker-portal"}]');
    // Random bytes do not compress.
    for (const file of ['a.js', 'b.js', 'font.woff2'])
      await writeFile(join(client, 'assets', file), randomBytes(10_000));
  });
  afterAll(() => rm(client, { recursive: true }));

  test('counts the largest language, and the precached files', async () => {
    const measured = await measure(client, {}, ['index']);
    expect(measured.pages.index!.scriptKb).toBeCloseTo(20, 0);
    expect(measured.precacheKb).toBe(10);
  });
});

test('the budget holds the promised figures', async () => {
  const { pages, chunkKb } = JSON.parse(
    await readFile(join(import.meta.dirname, '..', 'budget.json'), 'utf8'),
  ) as Budget;
  expect(pages.index!.scriptKb).toBeLessThanOrEqual(90);
  expect(chunkKb).toBeLessThanOrEqual(60);
});

const SRC = join(import.meta.dirname, '..', 'src');

test('browsers receive the ranges that the typefaces were cut by', async () => {
  const css = (await readFile(join(SRC, 'design/fonts.css'), 'utf8')).replace(/\s+/g, ' ');
  const told = [...css.matchAll(/unicode-range: ([^;]+);/g)].map(([, range]) => range);
  const { range, otherRange } = FIRST_HEADLINE;
  expect(told).toEqual([range, otherRange, range, otherRange, FIRST_TEXT.range, FIRST_TEXT.otherRange]);
});

test.each(['en', 'es'])(
  'the first part contains every character of first screens in %s',
  async (language) => {
    for (const name of ['common', 'landing', 'checkout']) {
      const texts = await readFile(join(SRC, `i18n/locales/${language}/${name}.json`), 'utf8');
      expect([...new Set(texts)].filter((character) => !FIRST_TEXT.characters.includes(character))).toEqual(
        [],
      );
    }
  },
);

test.each([FIRST_TEXT, FIRST_HEADLINE])('the parts of a typeface do not overlap', (part) => {
  const points = (range: string) =>
    range.split(', ').map((part) => {
      const [from, to = from] = part
        .slice(2)
        .split('-')
        .map((hex) => Number.parseInt(hex, 16));
      return [from!, to!] as const;
    });
  const all = [...points(part.range), ...points(part.otherRange)].sort(([a], [b]) => a - b);
  expect(all.map(([from]) => from)).toEqual([0, ...all.slice(0, -1).map(([, to]) => to + 1)]);
});

describe('put in place', () => {
  const NOW = Date.UTC(2026, 10, 21);

  const DAY_MS = 24 * 3_600_000;

  let dir: string;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'arboleda-build-'));
  });

  afterEach(() => rm(dir, { recursive: true }));

  async function write(files: Record<string, string>, ageMs: number): Promise<void> {
    for (const [name, text] of Object.entries(files)) {
      const file = join(dir, name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
      await utimes(file, (NOW - ageMs) / 1000, (NOW - ageMs) / 1000);
    }
  }

  test('moves the first build into place', async () => {
    await write({ 'building/client/index.en.html': 'new', 'building/client/assets/a-1.js': '1' }, 0);
    await putInPlace(join(dir, 'building/client'), join(dir, 'client'), NOW);
    expect(await readFile(join(dir, 'client/index.en.html'), 'utf8')).toBe('new');
  });

  test('replaces a build atomically, and keeps its hashed files for a day for open pages', async () => {
    await write({ 'client/index.en.html': 'old', 'client/gone.txt': 'x', 'client/assets/a-1.js': 'same' }, 0);
    await write({ 'client/assets/b-1.js': 'an hour old' }, 3_600_000);
    await write({ 'client/assets/c-1.js': 'two days old' }, 2 * DAY_MS);
    await write({ 'building/client/index.en.html': 'new', 'building/client/assets/a-1.js': 'same' }, 0);
    await putInPlace(join(dir, 'building/client'), join(dir, 'client'), NOW);
    expect(await readFile(join(dir, 'client/index.en.html'), 'utf8')).toBe('new');
    expect((await readdir(join(dir, 'client'))).sort()).toEqual(['assets', 'index.en.html']);
    expect((await readdir(join(dir, 'client/assets'))).sort()).toEqual(['a-1.js', 'b-1.js']);
    expect(await readdir(dir)).not.toContain('client.former');
  });
});
