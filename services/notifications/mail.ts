import type { Language } from '@arboleda/contracts/roles.ts';
import { createHash } from 'node:crypto';
import type { MailFacts, MailKind } from './mails/index.ts';

export interface Recipient {
  address: string;
  name: string;
  language: Language;
}

/** A mail before it is written: who hears what, and because of which event. */
export type NewMail<Kind extends MailKind = MailKind> = {
  [K in Kind]: { eventId: string; kind: K; to: Recipient; facts: MailFacts[K] };
}[Kind];

/** A mail as it waits to be sent. */
export type QueuedMail = NewMail & { id: string; correlationId: string };

/** The same for the same event, kind and recipient, so that neither a row nor a Message-ID comes twice. */
export const mailId = (mail: NewMail): string =>
  createHash('sha256')
    .update(JSON.stringify([mail.eventId, mail.kind, mail.to.address.toLowerCase()]))
    .digest('base64url')
    .slice(0, 32);

/** A mail whose purpose has passed is not sent: a link that no longer works only confuses. */
export const isPointless = (mail: NewMail, now: Date): boolean =>
  mail.kind === 'verify-email' && new Date(mail.facts.expiresAt) <= now;
