export const ROLES = ['customer', 'worker', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export const LANGUAGES = ['en', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Language of a BCP 47 tag ("es-CO", "en"); English when unsupported. */
export function languageOf(tag: string | undefined): Language {
  return tag?.toLowerCase().startsWith('es') ? 'es' : 'en';
}
