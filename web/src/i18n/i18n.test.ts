import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hardCodedTexts, keysUsed, sourceFiles } from '../test/texts-in-code.ts';
import { FIELD_PROBLEMS, PROBLEMS } from '@arboleda/contracts/problems.ts';
import { HELP } from '../content/pages/help.ts';
import { PRIVACY } from '../content/pages/privacy.ts';
import { TERMS } from '../content/pages/terms.ts';
import { formatsOf } from './format.ts';
import { detectLanguage, LANGUAGES, localeOf, saveLanguage, visitorsLanguage } from './languages.ts';
import { hasTexts, startI18n } from './setup.ts';
import { readTexts, TEXTS } from './texts.ts';

const en = formatsOf('en');

const es = formatsOf('es');

const planted = '2026-12-12T14:40:00Z';

test('money carries its code, unbroken, in the language’s format', () => {
  expect(en.money(8_230_000, 'COP')).toBe('COP\u00a082,300');
  expect(es.money(8_230_000, 'COP')).toBe('COP\u00a082.300');
  expect(en.money(800, 'JPY')).toBe('JPY\u00a0800');
});

test('distances are in kilometres from 10,000 m', () => {
  expect([8.4, 1234.4, 9999].map(en.distance)).toEqual(['8 m', '1,234 m', '9,999 m']);
  expect([10_000, 12_345].map(en.distance)).toEqual(['10 km', '12.3 km']);
  expect([9999, 12_345].map(es.distance)).toEqual(['9.999 m', '12,3 km']);
});

test('currencies have localized names', () => {
  expect(en.currencyName('COP')).toBe('Colombian pesos');
  expect(es.currencyName('COP')).toBe('pesos colombianos');
});

test('field events are shown in Colombian time', () => {
  expect(en.day(planted)).toBe('12 December 2026');
  expect(es.day(planted)).toBe('12 de diciembre de 2026');
  expect(en.time(planted)).toBe('9:40\u202fam'.replace('\u202f', en.time(planted)[4]!));
  expect(es.day('2026-12-13T03:00:00Z')).toBe('12 de diciembre de 2026');
});

test('a day, a moment and a short day have one style each', () => {
  const plain = (text: string) => text.replace(/\s/g, ' ');
  expect([en.day(planted), plain(en.moment(planted)), en.shortDay(planted)]).toEqual([
    '12 December 2026',
    '12 December 2026 at 9:40 am',
    '12 Dec',
  ]);
  expect([es.day(planted), plain(es.moment(planted)), es.shortDay(planted)]).toEqual([
    '12 de diciembre de 2026',
    '12 de diciembre de 2026 a las 9:40 a. m.',
    '12 de dic',
  ]);
});

test('a time stays on one line', () => {
  expect(es.moment(planted)).toMatch(/9:40\u00a0a\.\u00a0m\.$/);
  expect(en.time(planted)).toBe('9:40\u00a0am');
});

test('Spanish says “la” before one o’clock and “las” before other hours', () => {
  const at = (hour: number) => new Date(2026, 0, 1, hour, 7);
  expect(es.untilTime(at(1))).toMatch(/^la 1:07/);
  expect(es.untilTime(at(13))).toMatch(/^la 1:07/);
  expect(es.untilTime(at(10))).toMatch(/^las 10:07/);
  expect(en.untilTime(at(1))).toMatch(/^1:07/);
});

describe('languages', () => {
  afterEach(() => localStorage.clear());

  test.each([
    [{ saved: 'es', browser: ['en-US'], page: 'en' }, 'es'],
    [{ saved: null, browser: ['es-419', 'en'], page: 'en' }, 'es'],
    [{ saved: null, browser: ['fr-FR', 'es'], page: 'en' }, 'es'],
    [{ saved: null, browser: ['fr-FR'], page: 'es' }, 'es'],
    [{ saved: 'tlh', browser: ['fr-FR'], page: '' }, 'en'],
  ])('saved choice, then browser, then page, then English: %j → %s', (signs, language) => {
    expect(detectLanguage(signs)).toBe(language);
  });

  test('keeps a choice in storage for the app and in a cookie for the server', () => {
    saveLanguage('es');
    expect(localStorage.getItem('arboleda.language')).toBe('es');
    expect(document.cookie).toContain('arboleda.language=es');
  });

  test('a link that names a language is a choice', () => {
    saveLanguage('en');
    history.replaceState(null, '', '/?lang=es');
    expect(visitorsLanguage()).toBe('es');
    history.replaceState(null, '', '/');
    expect(visitorsLanguage()).toBe('es');
  });

  test('Spanish follows Colombia', () => {
    expect(localeOf('es')).toBe('es-CO');
    expect(localeOf('es-MX')).toBe('es-CO');
    expect(localeOf('fr')).toBe('en-001');
  });
});

describe('setup', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  const texts = (language: string) => ({ close: language === 'en' ? 'Close' : 'Cerrar' });

  test('retries a failed file five times, after 350 ms and then twice as long each time', async () => {
    const asked: number[] = [];
    const started = Date.now();
    const starting = startI18n('en', () => {
      asked.push(Date.now() - started);
      return Promise.reject(new Error('lost'));
    });
    await jest.runAllTimersAsync();
    expect(asked).toEqual([0, 350, 1050, 2450, 5250, 10_850]);
    expect(hasTexts(await starting)).toBe(false);
  });

  test('uses a file that arrives at the third attempt', async () => {
    let attempts = 0;
    const starting = startI18n('es', (language) =>
      ++attempts < 3 ? Promise.reject(new Error('lost')) : Promise.resolve(texts(language)),
    );
    await jest.runAllTimersAsync();
    const i18n = await starting;
    expect([attempts, i18n.t('close')]).toEqual([3, 'Cerrar']);
  });

  test('falls back to English for a language that never arrives', async () => {
    const starting = startI18n('es', (language) =>
      language === 'es' ? Promise.reject(new Error('lost')) : Promise.resolve(texts(language)),
    );
    await jest.runAllTimersAsync();
    const i18n = await starting;
    expect([i18n.language, i18n.t('close'), hasTexts(i18n)]).toEqual(['es', 'Close', true]);
  });

  test('reads at most ten files at once', async () => {
    let reading = 0;
    let most = 0;
    const starting = startI18n('en', async () => {
      most = Math.max(most, ++reading);
      await new Promise((resolve) => setTimeout(resolve, 50));
      reading--;
      return {};
    });
    await jest.runAllTimersAsync();
    const loading = (await starting).loadNamespaces(Object.keys(TEXTS.en));
    await jest.runAllTimersAsync();
    await loading;
    expect(Object.keys(TEXTS.en).length).toBeGreaterThan(11);
    expect(most).toBe(10);
  });

  test('formats a count in a sentence by its language', async () => {
    jest.useRealTimers();
    for (const [language, text] of [
      ['en', '10,000 trees'],
      ['es', '10.000 árboles'],
    ] as const) {
      const i18n = await startI18n(language);
      expect(i18n.t('trees', { count: 10_000 })).toBe(text);
    }
  });
});

const HERE = import.meta.dirname;

const SOURCE = join(HERE, '..');

describe.each(['en', 'es'])('every text in %s', (language) => {
  const folder = join(HERE, 'locales', language);
  const texts = readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n'));

  test('leaves the currency of an amount to its code', () => {
    expect(texts.filter((text) => /[$€£¥]\s?[\d{]|[\d}]\s?[€£]|US\$/.test(text))).toEqual([]);
  });

  test('builds no moment from a day and a time', () => {
    expect(texts.filter((text) => /\{\{day\}\},?\s[^{]{0,6}\{\{time\}\}/.test(text))).toEqual([]);
  });
});

test('screens leave the format of amounts and dates to the formats', () => {
  const byHand =
    /formatWithSymbol|toLocale(Date|Time)?String|new Intl\.(DateTime|Number)Format|formats\.day\([^)]*\)\}?, /;
  const screens = sourceFiles(SOURCE, '.tsx').filter((file) => !file.endsWith('.test.tsx'));
  expect(screens.filter((file) => byHand.test(readFileSync(file, 'utf8')))).toEqual([]);
});

/** Sentences quoted verbatim from the product spec, which contain exclamation marks. */
const SPOKEN_LOUD = [
  'Payment received! Your order will be verified within 24-48 hours. Check your email for updates.',
  'Order updated successfully!',
  'Payment verified successfully!',
];

/** Words of our first drafts, with the one that is used instead. */
const OTHER_NAMES: Record<string, [RegExp, string][]> = {
  en: [
    [/\b[Mm]ails?\b(?!\.com)/, 'email'],
    [/\b[Ll]og-in\b/, 'login'],
    [/\b[Ss]omebody\b/, 'someone'],
    [/\b[Mm]eanwhile\b/, 'in the meantime'],
    [/\bof no use\b/, 'no longer works'],
    [/\bgiven back\b/i, 'refunded'],
    [/\b(not|no) \w+( \w+)? any more\b/i, 'no longer'],
    [/\bNo answer came\b/, 'we got no answer'],
    [/\b(assign|give)\w* (it|them)? ?anew\b/i, 'reassign'],
    [/\btaken from (them|who)\b/, 'no longer theirs'],
    [/\bof the card provider\b/, 'card provider’s'],
  ],
  es: [
    [/[Bb]osquecillo/, 'bosquecito'],
    [/[Pp]arche/, 'pedazo de bosque'],
    [/(?<!\{)\b[Ee]-?mail\b/, 'correo'],
    [/\bplantador/i, 'sembrador'],
    [/[Ii]ngreso en dos pasos/, 'verificación en dos pasos'],
    [/\b([Ee]ste|[Tt]u|[Uu]n|[Ee]l) teléfono\b/, 'celular'],
    [/\b[Tt]rabajador/, 'sembrador'],
    [/\b[Pp]lantar\b/, 'sembrar'],
    [/\b[Mm]ontos?\b/, 'valor'],
    [/\b[Aa]ctualizaci(ón|ones) (de crecimiento|\{\{number)/, 'novedad o visita'],
    [/\b(No|Eso no) funcionó(?!\p{L})/u, 'No se pudo'],
  ],
};

const misnamed = (language: string, texts: readonly string[]): string[] =>
  texts.flatMap((text) =>
    OTHER_NAMES[language]!.filter(([other]) => other.test(text)).map(([, name]) => `${text} → ${name}`),
  );

/** Sentences about all trees of a person; the landing page speaks of trees in general. */
const OF_ALL_ORDERS = new Set([
  'account.delete.staysTrees',
  'account.mail.lead',
  'account.mail.title',
  'customer.notice.deleted',
  'customer.register.emailHint',
  'customer.registerLead',
  'order.keep.account',
  'order.keep.accountWith',
]);

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

/** Keys without their plural suffix, which differs between languages. */
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
    for (const [language, texts] of [
      ['en', english],
      ['es', spanish],
    ] as const) {
      const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
      const counted = withoutForm([...texts.keys()].filter((key) => PLURAL.test(key)));
      for (const key of counted) for (const form of forms) expect(texts.has(`${key}_${form}`)).toBe(true);
    }
  });

  test('use the same placeholders', () => {
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

  test.each([
    ['en', english],
    ['es', spanish],
  ])('call each thing by one name: %s', (language, texts) => {
    expect(misnamed(language, [...texts.values()])).toEqual([]);
  });

  test('speak of one tree in the singular', () => {
    if (namespace === 'landing') return;
    const ofTheOrder = /\b(your|these|the) trees\b|\b(tus|estos|los) árboles\b/i;
    const withoutForms = [...english, ...spanish].filter(
      ([key, text]) =>
        ofTheOrder.test(text) && !PLURAL.test(key) && !OF_ALL_ORDERS.has(`${namespace}.${key}`),
    );
    expect(withoutForms).toEqual([]);
  });

  test('contain no exclamation marks', () => {
    for (const text of [...english.values(), ...spanish.values()]) {
      if (!SPOKEN_LOUD.includes(text)) expect(text).not.toMatch(/[!¡]/);
    }
  });
});

test.each(LANGUAGES)('problems and pages of text call each thing by the same name: %s', (language) => {
  const problems = [...Object.values(PROBLEMS), ...Object.values(FIELD_PROBLEMS)].map((one) => one[language]);
  const pages = [HELP, PRIVACY, TERMS].flatMap((page) => {
    const { title, lead, sections } = page[language];
    return [title, lead, ...sections.flatMap((section) => [section.title, ...section.paragraphs])];
  });
  expect(misnamed(language, [...problems, ...pages])).toEqual([]);
});

test('every language has every namespace', () => {
  for (const language of LANGUAGES) {
    expect(readdirSync(join(HERE, 'locales', language)).map((file) => file.replace('.json', ''))).toEqual(
      namespaces,
    );
  }
});

test.each(sourceFiles(SOURCE, '.tsx'))('%s contains no text in only one language', (file) => {
  expect(hardCodedTexts(file)).toEqual([]);
});

test('what follows from money that went back says the same of a refund and of a lost dispute', async () => {
  const of = {
    admin:
      /^(?:history\.(?:withdrawn|growth_stopped)|growth\.stopped|bulk\.skips\.withdrawn|certificate\.causes\.withdrawn)$/,
    panels: /^payments\.packageStatuses\.stopped$/,
    certificate: /^revoked\.withdrawn$/,
    gift: /^(?:state\.cancelled|page\.(?:withdrawn|refunded)_\w+|received\.withdrawn)$/,
    growth: /^bought\.stopped$/,
  } as const;
  const keyed = (texts: object, path = ''): [string, string][] =>
    Object.entries(texts).flatMap(([key, value]: [string, object | string]) =>
      typeof value === 'string' ? [[path + key, value]] : keyed(value, `${path}${key}.`),
    );
  for (const language of LANGUAGES) {
    for (const [namespace, keys] of Object.entries(of) as [keyof typeof of, RegExp][]) {
      const texts = keyed(await readTexts(language, namespace)).filter(([key]) => keys.test(key));
      expect(texts).not.toEqual([]);
      for (const [, text] of texts) expect(text).not.toMatch(/refund|reembols/i);
    }
  }
});
