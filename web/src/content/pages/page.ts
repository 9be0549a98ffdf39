import type { Language } from '@arboleda/contracts/roles.ts';

/** A page of text, in the order in which it is read. Paragraphs are plain text; a list item begins with "- ". */
export interface TextPage {
  title: string;
  lead: string;
  sections: readonly { id: string; title: string; paragraphs: readonly string[] }[];
}

export type TextPages = Record<Language, TextPage>;
