import { openDatabase } from '../../harness/database.ts';
import type { Product } from '../../harness/product.ts';
import { settled } from '../../harness/settled.ts';
import { waitFor } from '../../harness/wait.ts';
import type { Keys, Seen } from './see.ts';

/** What `expected.json` of a fixture says: how it is opened, and what is to be seen then. */
export interface Expected {
  /** Moment of the backup. */
  madeAt: string;
  keys: Keys;
  /** Emails that are sent after the start because they were waiting, or are about events that were. */
  mails: SentMail[];
  seen: Seen;
}

export interface SentMail {
  /** The part of the Message-ID that is the email's own. */
  id: string;
  to: string;
  subject: string;
}

/** Links name the site, and a copy answers elsewhere. */
export const atGateway = (product: Product): Product => ({ ...product, url: product.gatewayUrl });

/** Resolves when all that waited was done, and every email that can be sent was. */
export async function calm({ databaseUrl }: Product): Promise<void> {
  await using database = await openDatabase(databaseUrl);
  const rows = async <Row>(text: string) => (await database.query(text)).rows as Row[];
  await settled(rows as never);
  await waitFor('every email to be sent', async () => {
    const waiting = await rows(`select from notifications.mails where state = 'waiting'`);
    return waiting.length === 0;
  });
  await settled(rows as never);
}

/** Emails in the inbox, by their id. @param since the moment after which they were received */
export async function sentMails({ inboxUrl }: Product, since: string): Promise<SentMail[]> {
  const mails = (await (await fetch(new URL('/email', inboxUrl))).json()) as {
    messageId: string;
    subject: string;
    time: string;
    to: { address: string }[];
  }[];
  return mails
    .filter(({ time }) => new Date(time).toISOString() >= since)
    .map(({ messageId, subject, to }) => ({
      id: messageId.replace(/^<|>$/g, '').split('@')[0]!,
      to: to[0]!.address,
      subject,
    }))
    .sort((a, b) => a.id.localeCompare(b.id));
}
