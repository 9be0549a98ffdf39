import type { Language } from '@arboleda/contracts/roles.ts';
import { frame as en } from './en.ts';
import { frame as es } from './es.ts';
import { type MailFacts, type MailKind, mailOf } from './kinds.ts';
import { renderHtml, renderText } from './layout/layout.ts';
import type { OrderFacts } from './facts.ts';
import { type MailLinks, pages } from './links.ts';
import type { Frame } from './mail.ts';
import { fullName } from './words.ts';

export type { OrderFacts } from './facts.ts';
export type { MailFacts, MailKind } from './kinds.ts';

const FRAMES: Record<Language, Frame> = { en, es };

export interface WrittenMail {
  subject: string;
  html: string;
  text: string;
  /** Instead of the name of our address. */
  fromName?: string;
  /** A page to receive no more of these. */
  unsubscribePage?: string;
}

/**
 * Writes an email in the recipient's language. @param newsToken of the address, for emails that can be
 * unsubscribed
 */
export function writeMail(
  mail: { kind: MailKind; facts: MailFacts[MailKind]; to: { name: string; language: Language } },
  siteUrl: string,
  newsToken?: string,
): WrittenMail {
  const { name, language } = mail.to;
  const kind = mailOf(mail.kind);
  const content = kind[language](mail.facts, name);
  const links = linksOf(mail, siteUrl, newsToken);
  const page = {
    ...content,
    rows: content.rows.flatMap(([label, value]) => (value === undefined ? [] : [{ label, value }])),
    pictures: (content.pictures ?? []).map(({ path, ...words }) => ({
      caption: '',
      ...words,
      src: new URL(path, siteUrl).href,
    })),
    frame: FRAMES[language],
    links,
    language,
  };
  const from = content.from && fullName(content.from);
  return {
    subject: content.subject,
    html: renderHtml(page),
    text: renderText(page),
    ...(from && { fromName: FRAMES[language].sender(from) }),
    ...(links.stopGifts && { unsubscribePage: links.stopGifts }),
  };
}

/** @param newsToken of the address, for emails that can be unsubscribed */
export function linksOf(
  mail: { kind: MailKind; facts: MailFacts[MailKind] },
  siteUrl: string,
  newsToken?: string,
): MailLinks {
  const to = pages(siteUrl);
  const { orderToken, giftToken } = mail.facts as Partial<OrderFacts>;
  const order = orderToken === undefined ? undefined : to.order(orderToken);
  const gift = giftToken === undefined ? undefined : to.gift(giftToken);
  const nextStep = gift ?? mailOf(mail.kind).nextStep?.(mail.facts, to) ?? order ?? to.portal('worker');
  return {
    nextStep,
    ...(order !== undefined && order !== nextStep && { order }),
    help: to.help,
    privacy: to.privacy,
    terms: to.terms,
    ...(newsToken !== undefined && { preferences: to.preferences(newsToken) }),
    ...(mail.kind === 'gift' && giftToken !== undefined && { stopGifts: to.stopGifts(giftToken) }),
  };
}
