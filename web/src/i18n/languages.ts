export const LANGUAGES = ['en', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Where the choice is kept: local storage for this app, a cookie of the same name for the server of pages. */
export const LANGUAGE_KEY = 'arboleda.language';
const YEAR_SECONDS = 31_536_000;

/** The regional rules for dates and numbers: English with the day first, Spanish of Colombia. */
const LOCALES: Record<Language, string> = { en: 'en-001', es: 'es-CO' };

export const localeOf = (language: string): string => LOCALES[asLanguage(language) ?? 'en'];

/** `es-419` → `es`; undefined for a language that we do not speak. */
export function asLanguage(tag: string | null | undefined): Language | undefined {
  const base = tag?.toLowerCase().split('-')[0];
  return LANGUAGES.find((language) => language === base);
}

interface Signs {
  saved: string | null;
  browser: readonly string[];
  page: string;
}

/** Saved choice, then the browser's languages in their order, then the page's; English when none is ours. */
export function detectLanguage({ saved, browser, page }: Signs): Language {
  for (const tag of [saved, ...browser, page]) {
    const language = asLanguage(tag);
    if (language) return language;
  }
  return 'en';
}

/** What an address may ask for by itself: a link that names a language is a choice, and kept like one. */
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
    // A browser that keeps nothing still has the cookie for this visit.
  }
}

function readSaved(): string | null {
  try {
    return localStorage.getItem(LANGUAGE_KEY);
  } catch {
    return null;
  }
}
