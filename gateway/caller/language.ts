import { type Language, LANGUAGES } from '@arboleda/contracts/roles.ts';

/** Cookie with the visitor's choice, so that prerendered pages match it. */
const LANGUAGE_COOKIE = 'arboleda.language';

/** The visitor's own choice, else the best of Accept-Language, else English. */
export function chooseLanguage(cookie: string | undefined, acceptLanguage: string | undefined): Language {
  return cookieLanguage(cookie) ?? acceptedLanguage(acceptLanguage);
}

/** The language in a URL, as in links between the languages of a page: "/?lang=es". */
export function askedLanguage(target = ''): Language | undefined {
  const asked = /[?&]lang=(\w+)/.exec(target)?.[1];
  return LANGUAGES.find((language) => language === asked);
}

function cookieLanguage(cookie: string | undefined): Language | undefined {
  for (const part of cookie?.split(';') ?? []) {
    const [name, value] = part.trim().split('=');
    if (name === LANGUAGE_COOKIE) return LANGUAGES.find((language) => language === value);
  }
  return undefined;
}

/** "fr, es-CO;q=0.8, en;q=0.5" is Spanish: the supported language with the highest weight. */
export function acceptedLanguage(header: string | undefined): Language {
  let best: { language: Language; weight: number } | undefined;
  for (const part of (header ?? '').split(',', 20)) {
    const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
    const language = LANGUAGES.find((one) => tag === one || tag.startsWith(`${one}-`));
    const quality = parameters.find((parameter) => parameter.trim().startsWith('q='));
    const weight = quality ? Number(quality.trim().slice(2)) : 1;
    if (language && weight > 0 && weight > (best?.weight ?? 0)) best = { language, weight };
  }
  return best?.language ?? 'en';
}
