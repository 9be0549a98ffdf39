import { createInstance, type BackendModule, type i18n as I18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { asLanguage, LANGUAGES, type Language } from './languages.ts';
import { readTexts, type TextNamespace } from './texts.ts';

const backend: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read: (language, namespace, done) => {
    readTexts(asLanguage(language) ?? 'en', namespace as TextNamespace).then(
      (texts) => done(null, texts as Record<string, string>),
      (error: Error) => done(error, false),
    );
  },
};

/** Starts the translations in one language, with the texts every page shares already read. */
export async function startI18n(language: Language): Promise<I18n> {
  const i18n = createInstance();
  await i18n
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: language,
      fallbackLng: false,
      supportedLngs: LANGUAGES,
      ns: ['common'],
      defaultNS: 'common',
      interpolation: { escapeValue: false },
      returnNull: false,
    });
  return i18n;
}
