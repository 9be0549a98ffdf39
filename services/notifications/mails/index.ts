import type { Language } from '@arboleda/contracts/roles.ts';
import type { Content, Frame, Texts } from './content.ts';
import { en, enFrame } from './en/index.ts';
import { es, esFrame } from './es/index.ts';
import type { MailFacts, MailKind } from './facts.ts';
import { renderHtml, renderText } from './layout/layout.ts';
import { linksOf } from './links.ts';
import { fullName } from './words.ts';

export type { MailFacts, MailKind, OrderFacts } from './facts.ts';

const TEXTS: Record<Language, Texts> = { en, es };
const FRAMES: Record<Language, Frame> = { en: enFrame, es: esFrame };

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
  const say = TEXTS[language][mail.kind] as (facts: MailFacts[MailKind], name: string) => Content;
  const content = say(mail.facts, name);
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
