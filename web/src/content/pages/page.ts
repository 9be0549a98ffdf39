import type { Language } from '@arboleda/contracts/roles.ts';

/** A page of text, in the order in which it is read. Paragraphs are plain text; a list item begins with "- ". */
export interface TextPage {
  title: string;
  lead: string;
  /** Shown above the text, for example that it is a draft. */
  note?: string;
  sections: readonly { id: string; title: string; paragraphs: readonly string[] }[];
}

export type TextPages = Record<Language, TextPage>;
