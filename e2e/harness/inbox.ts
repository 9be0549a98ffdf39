import { waitFor } from './wait.ts';

export interface ReceivedMail {
  id: string;
  subject: string;
  to: { address: string; name: string }[];
  html: string;
  text: string;
}

/** The mails that maildev received. */
export function openInbox(url: string) {
  const all = async (address: string): Promise<ReceivedMail[]> => {
    const response = await fetch(new URL('/email', url));
    const mails = (await response.json()) as ReceivedMail[];
    return mails.filter((mail) => mail.to.some((to) => to.address === address));
  };
  return {
    all,
    /** Waits for a mail to an address whose subject or text matches. */
    mail: (address: string, pattern: RegExp): Promise<ReceivedMail> =>
      waitFor(`a mail to ${address} like ${pattern}`, async () =>
        (await all(address)).find((mail) => pattern.test(mail.subject) || pattern.test(mail.text)),
      ),
  };
}
export type Inbox = ReturnType<typeof openInbox>;
