import type { Language } from '@arboleda/contracts/roles.ts';
import type { Pages } from './links.ts';

export interface Picture {
  /** On our own site. */
  path: string;
  alt: string;
  caption?: string;
}

/** The content of an email, from which the layout makes HTML and plain text. */
export interface Content {
  subject: string;
  /** Shown as the sender beside our name, if it is a name. */
  from?: string | undefined;
  /** The preview text that an inbox shows after the subject. */
  preview: string;
  title: string;
  paragraphs: readonly string[];
  /** Verbatim text by a person. */
  quote?: string | undefined;
  /** Shown after the text. Mail programs that load none show `alt`. */
  pictures?: readonly Picture[] | undefined;
  /** Label and value, in reading order; rows without a value are omitted. */
  rows: readonly (readonly [label: string, value: string | undefined])[];
  /** Label of the button for the next step. */
  action: string;
  /** Footnote: why this email came, what to do if it was unexpected. */
  note: string;
}

/** Writes one kind of email in one language. `name` is the recipient's. */
export type Says<Facts> = (facts: Facts, name: string) => Content;

/**
 * Who receives an email: the order's donor at its current address, the organisation's own address (`office`), or whoever is
 * named. What is told about the trees also goes to the recipient of a gift: see `isForGiftRecipient`.
 */
export type Audience = 'donor' | 'recipient' | 'office' | 'worker' | 'account';

/**
 * A kind of email, whole: its facts, which are stored for sending and resending (add fields, never remove or change them), and
 * its texts in both languages.
 */
export interface Mail<Facts, To extends Audience = Audience> extends Record<Language, Says<Facts>> {
  audience: To;
  /** Can be unsubscribed, as the order's page shows the same. All others concern money, trees or an account. */
  isNews?: true;
  /** URL of the next step, where that is neither the donor's order nor the worker's portal. */
  nextStep?: (facts: Facts, to: Pages) => string;
  /** For tests and the preview. */
  sample: Facts;
}

/** The texts around every email in a language. */
export interface Frame {
  motto: string;
  /** Precedes the plain URL of the next step. */
  spelledOut: string;
  orderLink: string;
  /** Precedes the link to unsubscribe from updates. */
  stopNews: string;
  /** Precedes the link to receive no more gifts. */
  stopGifts: string;
  /** The sender of a gift: "Lucía Peña via Arboleda". */
  sender: (name: string) => string;
  help: string;
  privacy: string;
  terms: string;
}
