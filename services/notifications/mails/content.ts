import type { MailFacts, MailKind } from './facts.ts';

/** What a mail says; the layout makes HTML and plain text of it. */
export interface Content {
  subject: string;
  /** What an inbox shows behind the subject. */
  preview: string;
  title: string;
  paragraphs: readonly string[];
  /** What a person wrote, as they wrote it. */
  quote?: string | undefined;
  /** Label and value, in the order they are read; those without a value are left out. */
  rows: readonly (readonly [label: string, value: string | undefined])[];
  /** What the button of the one next step says. */
  action: string;
  /** Quiet last words: why this mail came, what to do if it should not have. */
  note: string;
}

/** Says one kind of mail in one language. `name` is the recipient's. */
export type Says<Kind extends MailKind> = (facts: MailFacts[Kind], name: string) => Content;

/** Some kinds of mail in one language. */
export type Texts<Kinds extends MailKind = MailKind> = { [Kind in Kinds]: Says<Kind> };

/** What stands around every mail of a language. */
export interface Frame {
  motto: string;
  /** Before the link of the next step, spelled out. */
  spelledOut: string;
  /** Before the order's private link. */
  orderLink: string;
  /** Before the link by which news are stopped. */
  stopNews: string;
}
