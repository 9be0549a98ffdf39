import type { Language } from '@arboleda/contracts/roles.ts';
import { assigned } from './assigned.ts';
import { completed } from './completed.ts';
import type { Compose, Links } from './content.ts';
import { renderHtml, renderText } from './layout.ts';
import { photos } from './photos.ts';
import { planted } from './planted.ts';
import { receipt } from './receipt.ts';
import { verifyEmail } from './verify-email.ts';
import { workerAssigned } from './worker-assigned.ts';

export type { OrderFacts } from './content.ts';

/** Every kind of mail, and who writes it. */
const MAILS = {
  receipt,
  assigned,
  'worker-assigned': workerAssigned,
  planted,
  photos,
  completed,
  'verify-email': verifyEmail,
};

export type MailKind = keyof typeof MAILS;
/** What each kind is made of; kept until it is sent. */
export type MailFacts = { [Kind in MailKind]: Parameters<(typeof MAILS)[Kind]>[0] };

export interface WrittenMail {
  subject: string;
  html: string;
  text: string;
}

/** Writes a mail in its reader's language. */
export function writeMail(
  mail: { kind: MailKind; facts: MailFacts[MailKind]; to: { name: string; language: Language } },
  siteUrl: string,
): WrittenMail {
  const { name, language } = mail.to;
  const compose = MAILS[mail.kind] as Compose<MailFacts[MailKind]>;
  const content = compose(mail.facts, { name, language, links: linksOf(siteUrl) })[language];
  return {
    subject: content.subject,
    html: renderHtml(content, language),
    text: renderText(content, language),
  };
}

/** The mailed token is a fragment: browsers do not send it to any server, so that it is in no log. */
const linksOf = (siteUrl: string): Links => ({
  order: (orderToken) => new URL(`/orders/${orderToken}`, siteUrl).href,
  workerPortal: new URL('/worker-portal', siteUrl).href,
  verifyEmail: (token) => new URL(`/verify-email#token=${encodeURIComponent(token)}`, siteUrl).href,
});
