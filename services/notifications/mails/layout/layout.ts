import type { Language } from '@arboleda/contracts/roles.ts';
import Handlebars from 'handlebars';
import { readFileSync } from 'node:fs';
import type { Content, Frame } from '../content.ts';
import type { MailLinks } from '../links.ts';
import { DARK, LIGHT, SANS, SERIF } from './theme.ts';

/** What a layout is filled with. */
export interface Page extends Omit<Content, 'rows'> {
  rows: readonly { label: string; value: string }[];
  frame: Frame;
  links: MailLinks;
  language: Language;
}

/** `strict`: a value that is missing is an error, not an empty place. */
const OPTIONS = { strict: true, knownHelpersOnly: true };
const template = (file: string, options: CompileOptions = {}) =>
  Handlebars.compile<object>(readFileSync(new URL(file, import.meta.url), 'utf8'), {
    ...OPTIONS,
    ...options,
  });

const html = template('./layout.html.hbs');
/** Plain text has nothing to escape. */
const text = template('./layout.txt.hbs', { noEscape: true });

/** One column, at most 600 px, everything at its left edge; tables because Outlook knows nothing else. */
export const renderHtml = (page: Page): string =>
  html({ ...optional(page), light: LIGHT, dark: DARK, serif: SERIF, sans: SANS });

/** The same words without a layout. */
export const renderText = (page: Page): string =>
  `${text(optional(page))
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`;

/** Strict templates want to be told of what is not there. */
const optional = (page: Page) => ({
  ...page,
  quote: page.quote ?? '',
  links: { order: '', preferences: '', ...page.links },
});
