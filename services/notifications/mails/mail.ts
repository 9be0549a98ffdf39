import type { MailFacts, MailKind } from './facts.ts';

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
export type Says<Kind extends MailKind> = (facts: MailFacts[Kind], name: string) => Content;

export type Texts<Kinds extends MailKind = MailKind> = { [Kind in Kinds]: Says<Kind> };

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
