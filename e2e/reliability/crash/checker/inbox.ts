import { setTimeout as sleep } from 'node:timers/promises';
import type { MailSeen } from './world.ts';

/** An email in maildev's API. */
interface Received {
  id: string;
  subject: string;
  text: string;
  to: { address: string }[];
  headers: Record<string, string>;
  date: string;
  time: string;
}

const EMPTY_EVERY_MS = 1_000;

/** Takes mails out of the server as they come: thousands of them are more than it can keep in memory. */
export interface Postbox {
  readonly mails: readonly MailSeen[];
  /** Takes out what is there now. */
  empty(): Promise<void>;
  close(): Promise<void>;
}

export function openPostbox(inboxUrl: string): Postbox {
  const mails: MailSeen[] = [];
  const taken = new Set<string>();
  let isClosed = false;
  const empty = async () => {
    const response = await fetch(new URL('/email', inboxUrl));
    for (const mail of (await response.json()) as Received[]) {
      if (!taken.has(mail.id)) mails.push(seen(mail));
      taken.add(mail.id);
      await (await fetch(new URL(`/email/${mail.id}`, inboxUrl), { method: 'DELETE' })).arrayBuffer();
    }
  };
  const emptying = (async () => {
    while (!isClosed) {
      // Emails that cannot be read now are read the next time, and once more at the end.
      await empty().catch(() => undefined);
      await sleep(EMPTY_EVERY_MS);
    }
  })();
  return {
    mails,
    empty,
    async close() {
      isClosed = true;
      await emptying;
    },
  };
}

const seen = ({ headers, to, subject, text, time }: Received): MailSeen => ({
  messageId: headers['message-id'] ?? '',
  to: to[0]?.address ?? '',
  subject,
  orderTokens: [...new Set([...text.matchAll(/\/orders\/([\w-]+)/g)].map((match) => match[1]!))],
  at: new Date(time).getTime(),
});
