import { describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LANGUAGES } from './languages.ts';
import { hardCodedTexts, keysUsed, sourceFiles } from '../testing/texts-in-code.ts';

const HERE = import.meta.dirname;
const SOURCE = join(HERE, '..');
/** The product spec's own sentences, which stay as they are written there. */
const SPOKEN_LOUD = [
  'Payment received! Your order will be verified within 24-48 hours. Check your email for updates.',
  'Order updated successfully!',
  'Payment verified successfully!',
];
const PLURAL = /_(zero|one|two|few|many|other)$/;

type Texts = { [key: string]: string | Texts };

const namespaces = readdirSync(join(HERE, 'locales/en')).map((file) => file.replace('.json', ''));
const read = (language: string, namespace: string): Map<string, string> =>
  flat(JSON.parse(readFileSync(join(HERE, 'locales', language, `${namespace}.json`), 'utf8')) as Texts);

function flat(texts: Texts, prefix = ''): Map<string, string> {
  const entries = Object.entries(texts).flatMap(([key, text]): [string, string][] =>
    typeof text === 'string' ? [[prefix + key, text]] : [...flat(text, `${prefix}${key}.`)],
  );
  return new Map(entries);
}

/** A text without its plural form: the languages have different ones. */
const withoutForm = (keys: Iterable<string>) =>
  [...new Set([...keys].map((key) => key.replace(PLURAL, '')))].sort();

const placeholders = (text: string) => [...text.matchAll(/\{\{\s*(\w+)/g)].map(([, name]) => name!).sort();

describe.each(namespaces)('the texts of %s', (namespace) => {
  const english = read('en', namespace);
  const spanish = read('es', namespace);

  test('exist in both languages', () => {
    expect(withoutForm(spanish.keys())).toEqual(withoutForm(english.keys()));
    for (const text of [...english.values(), ...spanish.values()]) expect(text.trim()).not.toBe('');
  });

  test('have every plural form of their language', () => {
    for (const [language, texts] of [['en', english], ['es', spanish]] as const) {
      const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
      const counted = withoutForm([...texts.keys()].filter((key) => PLURAL.test(key)));
      for (const key of counted) for (const form of forms) expect(texts.has(`${key}_${form}`)).toBe(true);
    } // prettier-ignore
  });

  test('fill in the same values', () => {
    for (const [key, text] of english) {
      const other = spanish.get(key) ?? spanish.get(key.replace(PLURAL, '_other'))!;
      expect([key, placeholders(other)]).toEqual([key, placeholders(text)]);
    }
  });

  test('are all used', () => {
    const used = keysUsed(SOURCE, namespace);
    const unused = withoutForm(english.keys()).filter((key) => !used.some((pattern) => pattern.test(key)));
    expect(unused).toEqual([]);
  });

  test('make no noise', () => {
    for (const text of [...english.values(), ...spanish.values()]) {
      if (!SPOKEN_LOUD.includes(text)) expect(text).not.toMatch(/[!¡]/);
    }
  });
});

test('every language has every namespace', () => {
  for (const language of LANGUAGES) {
    expect(readdirSync(join(HERE, 'locales', language)).map((file) => file.replace('.json', ''))).toEqual(
      namespaces,
    );
  }
});

test.each(sourceFiles(SOURCE, '.tsx'))('%s says nothing in one language only', (file) => {
  expect(hardCodedTexts(file)).toEqual([]);
});
