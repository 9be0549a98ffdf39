import { openDatabase } from '../../harness/database.ts';
import type { Product } from '../../harness/product.ts';
import { settled } from '../../harness/settled.ts';
import { waitFor } from '../../harness/wait.ts';
import type { Keys, Seen } from './see.ts';

/** The content of a fixture's `expected.json`: how to open the installation, and what it shows. */
export interface Expected {
  /** Moment of the backup. */
  madeAt: string;
  keys: Keys;
  seen: Seen;
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

/** Ids of the emails in the inbox, each as often as it came. */
export async function receivedIds({ inboxUrl }: Product): Promise<string[]> {
  const mails = (await (await fetch(new URL('/email', inboxUrl))).json()) as { messageId: string }[];
  return mails.map(({ messageId }) => messageId.replace(/^<|>$/g, '').split('@')[0]!).sort();
}
