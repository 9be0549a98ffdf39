import type { Language } from '@arboleda/contracts/roles.ts';
import { isErased } from '@arboleda/contracts/order.ts';
import { createHash } from 'node:crypto';
import type { MailFacts, MailKind } from '../mails/index.ts';

export interface Recipient {
  address: string;
  name: string;
  language: Language;
}

/** An email before it is written: recipient, kind, facts and the event that caused it. */
export type NewMail<Kind extends MailKind = MailKind> = {
  [K in Kind]: { eventId: string; kind: K; to: Recipient; facts: MailFacts[K] };
}[Kind];

/** Whether an email goes to the recipient of a gift: it links to their page, not to the order. */
export const isForGiftRecipient = ({ facts }: Pick<NewMail, 'facts'>): boolean =>
  'giftToken' in facts && facts.giftToken !== undefined;

/** Without a recipient yet. */
export type Unaddressed<Kind extends MailKind> = { [K in Kind]: Omit<NewMail<K>, 'to'> }[Kind];

export type QueuedMail = NewMail & { id: string; correlationId: string };

/** Derived from event, kind and recipient, so that neither a row nor a Message-ID is duplicated. */
export const mailId = (mail: Pick<NewMail, 'eventId' | 'kind' | 'to'>): string =>
  createHash('sha256')
    .update(JSON.stringify([mail.eventId, mail.kind, mail.to.address.toLowerCase()]))
    .digest('base64url')
    .slice(0, 32);

/** Extracts an email's id from its Message-ID. @param messageId with or without angle brackets */
export const mailIdOf = (messageId: string): string => messageId.replace(/^<|>$/g, '').split('@')[0] ?? '';

/** Why an email is not sent after all; undefined when it is. An expired link would only confuse. */
export function pointlessBecause(mail: NewMail, now: Date): 'expired' | 'erased' | undefined {
  if (isErased(mail.to.address)) return 'erased';
  return 'expiresAt' in mail.facts && new Date(mail.facts.expiresAt) <= now ? 'expired' : undefined;
}

/** Whether an email can be resent: not with a one-time link, not once erased, and a gift only by its buyer. */
export const isRepeatable = (mail: Pick<NewMail, 'kind' | 'to' | 'facts'>): boolean =>
  !isErased(mail.to.address) && !('expiresAt' in mail.facts) && mail.kind !== 'gift';
