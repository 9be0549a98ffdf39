import type { Environment } from '@arboleda/chassis/environment.ts';
import { organisationOf } from '@arboleda/chassis/organisation.ts';
import { ORGANISATION } from '@arboleda/contracts/organisation.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import Handlebars from 'handlebars';
import { readFileSync } from 'node:fs';
import type { Content, Frame } from '../mail.ts';
import type { MailLinks } from '../links.ts';
import { DARK, LIGHT, SANS, SERIF } from './theme.ts';

export interface Page extends Omit<Content, 'rows' | 'pictures'> {
  pictures: readonly { src: string; alt: string; caption: string }[];
  rows: readonly { label: string; value: string }[];
  frame: Frame;
  links: MailLinks;
  language: Language;
}

/** `strict`: a missing value throws. */
const OPTIONS = { strict: true, knownHelpersOnly: true };
const template = (file: string, options: CompileOptions = {}) =>
  Handlebars.compile<object>(readFileSync(new URL(file, import.meta.url), 'utf8'), {
    ...OPTIONS,
    ...options,
  });

const html = template('./layout.html.hbs');
/** Plain text needs no escaping. */
const text = template('./layout.txt.hbs', { noEscape: true });

/** One column, at most 600 px, left-aligned; tables because Outlook supports nothing else. */
export const renderHtml = (page: Page): string =>
  html({ ...optional(page), light: LIGHT, dark: DARK, serif: SERIF, sans: SANS });

/** Plain text with the same content. */
export const renderText = (page: Page): string =>
  `${text(optional(page))
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`;

/** Read once, as reading the environment takes as long as writing an email. */
let organisation: ReturnType<typeof sellerOf> | undefined;

/** The name of the site, and two lines about the seller without what is not known. */
function sellerOf(env: Environment) {
  const { legalName, taxId, address, contactEmail } = organisationOf(env);
  const joined = (...facts: string[]) => facts.filter(Boolean).join(' · ');
  return {
    name: ORGANISATION.name,
    seller: joined(legalName, taxId),
    contact: joined(address, contactEmail),
    all: joined(legalName, taxId, address, contactEmail),
  };
}

/** Strict templates require every optional value to be present, if undefined. */
const optional = (page: Page) => ({
  ...page,
  organisation: (organisation ??= sellerOf(process.env)),
  quote: page.quote ?? '',
  links: { order: '', preferences: '', stopGifts: '', ...page.links },
});
