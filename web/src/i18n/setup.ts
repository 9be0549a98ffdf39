import {
  createInstance,
  type BackendModule,
  type FormatterModule,
  type i18n as I18n,
  type ReadCallback,
} from 'i18next';
import { initReactI18next } from 'react-i18next';
import { asLanguage, LANGUAGES, type Language, localeOf } from './languages.ts';
import { readTexts, type TextNamespace } from './texts.ts';

type Read = (language: Language, namespace: TextNamespace) => Promise<object>;

/** Limits of loading texts: product spec section 9. */
const LOADER = { maxParallelReads: 10, maxRetries: 5, retryTimeout: 350 } as const;

/** Loads texts by file. After the last attempt English replaces the other language. */
function backendOf(read: Read): BackendModule {
  const failures = new Map<string, number>();
  return {
    type: 'backend',
    init: () => undefined,
    read: (tag, name, done) => {
      const language = asLanguage(tag) ?? 'en';
      const namespace = name as TextNamespace;
      const found = (texts: object) => done(null, texts as Parameters<ReadCallback>[1]);
      read(language, namespace).then(found, (error: Error) => {
        const key = `${language}/${namespace}`;
        const failed = (failures.get(key) ?? 0) + 1;
        failures.set(key, failed);
        if (failed <= LOADER.maxRetries) return done(error, true);
        failures.delete(key);
        if (language === 'en') return done(error, false);
        read('en', namespace).then(found, () => done(error, false));
      });
    },
  };
}

/** Formats counts in sentences: "10,000 trees", "10.000 árboles". */
const counts: FormatterModule = {
  type: 'formatter',
  init: () => undefined,
  add: () => undefined,
  addCached: () => undefined,
  format: (value: unknown, _format, language, options) =>
    typeof value === 'number' && options?.interpolationkey === 'count'
      ? new Intl.NumberFormat(localeOf(language ?? 'en')).format(value)
      : (value as string),
};

export async function startI18n(language: Language, read: Read = readTexts): Promise<I18n> {
  const i18n = createInstance();
  await i18n
    .use(backendOf(read))
    .use(counts)
    .use(initReactI18next)
    .init({
      ...LOADER,
      lng: language,
      fallbackLng: false,
      supportedLngs: LANGUAGES,
      ns: ['common'],
      defaultNS: 'common',
      interpolation: { escapeValue: false, alwaysFormat: true },
      returnNull: false,
    });
  return i18n;
}

export const hasTexts = (i18n: I18n): boolean => i18n.hasResourceBundle(i18n.language, 'common');
