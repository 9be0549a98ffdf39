import { LOCALES } from '@arboleda/contracts/regional-formats.ts';

export const LANGUAGES = ['en', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Key of the choice in local storage for the app, and of the cookie for the server. */
const LANGUAGE_KEY = 'arboleda.language';
const YEAR_SECONDS = 31_536_000;

export const localeOf = (language: string): string => LOCALES[asLanguage(language) ?? 'en'];

/** `es-419` → `es`; undefined for an unsupported language. */
export function asLanguage(tag: string | null | undefined): Language | undefined {
  const base = tag?.toLowerCase().split('-')[0];
  return LANGUAGES.find((language) => language === base);
}

interface Signs {
  saved: string | null;
  browser: readonly string[];
  page: string;
}

/** Saved choice, then the browser's languages in order, then the page's; English otherwise. */
export function detectLanguage({ saved, browser, page }: Signs): Language {
  for (const tag of [saved, ...browser, page]) {
    const language = asLanguage(tag);
    if (language) return language;
  }
  return 'en';
}

/** A link with this parameter selects a language, and the choice is saved. */
export const LANGUAGE_PARAMETER = 'lang';

export function visitorsLanguage(): Language {
  const asked = asLanguage(new URLSearchParams(location.search).get(LANGUAGE_PARAMETER));
  if (asked) saveLanguage(asked);
  return (
    asked ??
    detectLanguage({
      saved: readSaved(),
      browser: navigator.languages,
      page: document.documentElement.lang,
    })
  );
}

export function saveLanguage(language: Language): void {
  document.cookie = `${LANGUAGE_KEY}=${language}; path=/; max-age=${YEAR_SECONDS}; SameSite=Lax`;
  try {
    localStorage.setItem(LANGUAGE_KEY, language);
  } catch {
    // Without storage the cookie still works for this visit.
  }
}

function readSaved(): string | null {
  try {
    return localStorage.getItem(LANGUAGE_KEY);
  } catch {
    return null;
  }
}
