import { readFileSync } from 'node:fs';

export type Language = 'en' | 'es';
type Texts = { [key: string]: string | Texts };

const read = (language: Language, namespace: string): Texts =>
  JSON.parse(
    readFileSync(
      new URL(`../../web/src/i18n/locales/${language}/${namespace}.json`, import.meta.url),
      'utf8',
    ),
  ) as Texts;

/**
 * Texts of the web app, so that a test finds a button by the words a person reads.
 * `textsOf('es')('worker:assignment.plant', { count: 5 })`
 */
export const textsOf =
  (language: Language) =>
  (address: string, values: Record<string, string | number> = {}): string => {
    const [namespace, path] = address.includes(':')
      ? (address.split(':') as [string, string])
      : ['common', address];
    const texts = read(language, namespace);
    const plural =
      typeof values.count === 'number' ? `_${new Intl.PluralRules(language).select(values.count)}` : '';
    const found = at(texts, `${path}${plural}`) ?? at(texts, path);
    if (typeof found !== 'string') throw new Error(`no text ${address} in ${language}`);
    return found.replace(/\{\{(\w+)\}\}/g, (_all, name: string) => shown(name, values[name], language));
  };

/** Counts are written as numbers, as web/src/i18n/setup.ts does. */
const shown = (name: string, value: string | number | undefined, language: Language): string =>
  name === 'count' && typeof value === 'number'
    ? new Intl.NumberFormat(language === 'es' ? 'es-CO' : 'en-001').format(value)
    : String(value ?? '');

const at = (texts: Texts, path: string): string | Texts | undefined =>
  path
    .split('.')
    .reduce<string | Texts | undefined>(
      (place, key) => (typeof place === 'object' ? place[key] : undefined),
      texts,
    );

export type Say = ReturnType<typeof textsOf>;
