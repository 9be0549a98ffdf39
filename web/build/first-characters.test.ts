import { expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FIRST_HEADLINE, FIRST_TEXT } from './first-characters.ts';

const SRC = join(import.meta.dirname, '..', 'src');

test('browsers are told the ranges that the typefaces were cut by', async () => {
  const css = (await readFile(join(SRC, 'design/fonts.css'), 'utf8')).replace(/\s+/g, ' ');
  const told = [...css.matchAll(/unicode-range: ([^;]+);/g)].map(([, range]) => range);
  const { range, otherRange } = FIRST_HEADLINE;
  expect(told).toEqual([range, otherRange, range, otherRange, FIRST_TEXT.range, FIRST_TEXT.otherRange]);
});

test.each(['en', 'es'])('every character that a first screen writes in %s is there', async (language) => {
  for (const name of ['common', 'landing', 'checkout']) {
    const texts = await readFile(join(SRC, `i18n/locales/${language}/${name}.json`), 'utf8');
    expect([...new Set(texts)].filter((character) => !FIRST_TEXT.characters.includes(character))).toEqual([]);
  }
});

test.each([FIRST_TEXT, FIRST_HEADLINE])('no character is in both parts of a typeface', (part) => {
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
