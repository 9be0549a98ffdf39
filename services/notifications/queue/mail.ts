import type { Language } from '@arboleda/contracts/roles.ts';
import { isErased } from '@arboleda/contracts/order.ts';
import { createHash } from 'node:crypto';
import type { MailFacts, MailKind } from '../mails/index.ts';

export interface Recipient {
  address: string;
  name: string;
  language: Language;
}

/** A mail before it is written: who hears what, and because of which event. */
export type NewMail<Kind extends MailKind = MailKind> = {
  [K in Kind]: { eventId: string; kind: K; to: Recipient; facts: MailFacts[K] };
}[Kind];

/** The same while it is not known yet whom it goes to. */
export type Unaddressed<Kind extends MailKind> = { [K in Kind]: Omit<NewMail<K>, 'to'> }[Kind];

/** A mail as it waits to be sent. */
export type QueuedMail = NewMail & { id: string; correlationId: string };

/** The same for the same event, kind and recipient, so that neither a row nor a Message-ID comes twice. */
export const mailId = (mail: Pick<NewMail, 'eventId' | 'kind' | 'to'>): string =>
  createHash('sha256')
    .update(JSON.stringify([mail.eventId, mail.kind, mail.to.address.toLowerCase()]))
    .digest('base64url')
    .slice(0, 32);

/** What a Message-ID says of the mail: its id. @param messageId with or without angle brackets */
export const mailIdOf = (messageId: string): string => messageId.replace(/^<|>$/g, '').split('@')[0] ?? '';

/** Why a mail is not sent after all; undefined when it is. A link that no longer works only confuses. */
export function pointlessBecause(mail: NewMail, now: Date): 'expired' | 'erased' | undefined {
  if (isErased(mail.to.address)) return 'erased';
  return 'expiresAt' in mail.facts && new Date(mail.facts.expiresAt) <= now ? 'expired' : undefined;
}

/** Whether the same could be said again: a link that works once could not, nor what was forgotten. */
export const isRepeatable = (mail: Pick<NewMail, 'kind' | 'to' | 'facts'>): boolean =>
  !isErased(mail.to.address) && !('expiresAt' in mail.facts);
