export type Texts = Record<string, string>;
export declare function textsFor(locale: string | null | undefined, browserLocale?: string): Texts;
export declare function translated<E extends { code?: string; decline_code?: string; message: string }>(
  error: E,
  texts: Texts,
): E;
