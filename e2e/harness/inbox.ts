import { waitFor } from './wait.ts';

export interface ReceivedMail {
  id: string;
  messageId: string;
  subject: string;
  to: { address: string; name: string }[];
  html: string;
  text: string;
}

/** Where the links of an email lead, each once. */
export const linksIn = ({ html }: Pick<ReceivedMail, 'html'>): string[] => [
  ...new Set(
    [...html.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href]) =>
      href!.replaceAll('&#x3D;', '=').replaceAll('&amp;', '&'),
    ),
  ),
];

/** The mails that maildev received. */
export function openInbox(url: string) {
  const all = async (address: string): Promise<ReceivedMail[]> => {
    const response = await fetch(new URL(`/email?${new URLSearchParams({ 'to.address': address })}`, url));
    return (await response.json()) as ReceivedMail[];
  };
  return {
    all,
    /** Waits for a mail to an address whose subject or text matches. */
    async mail(address: string, pattern: RegExp): Promise<ReceivedMail> {
      let came: ReceivedMail[] = [];
      return waitFor(`a mail to ${address} like ${pattern}`, async () => {
        came = await all(address);
        return came.find((mail) => pattern.test(mail.subject) || pattern.test(mail.text));
      }).catch((error: unknown) => {
        const subjects = came.map(({ subject }) => subject).join('; ') || 'nothing';
        throw new Error(`${(error as Error).message}; came: ${subjects}`, { cause: error });
      });
    },
  };
}
export type Inbox = ReturnType<typeof openInbox>;
