import type { Dependency } from './engine.ts';

export interface Mail {
  to: { name: string; address: string };
  /** Shown instead of the name of our address. */
  fromName?: string;
  subject: string;
  html: string;
  text: string;
  /** Message-ID without angle brackets. The same for a repeated email, so that duplicates can be recognised. */
  messageId: string;
  /** Sent as X-Correlation-Id, for tracing. */
  correlationId?: string;
  /** One-click unsubscribe address (https, RFC 8058). Only for optional emails. */
  unsubscribeUrl?: string;
  /** A page (https) with a button to stop these emails, where no single click does (RFC 2369). */
  unsubscribePage?: string;
}

export interface Mailer extends Dependency {
  /** Resolves when the server has accepted it. @throws MailRefused when it never will; other errors may be temporary */
  send(mail: Mail): Promise<void>;
  close(): Promise<void>;
}

/** The address is invalid or permanently rejected, so a retry would not help. The message names no person. */
export class MailRefused extends Error {
  /** The server's answer. It may contain an address, so it must not be logged. */
  readonly answer: string;

  constructor(messageId: string, answer: string, options?: ErrorOptions) {
    super(`mail ${messageId} was refused for good`, options);
    this.name = 'MailRefused';
    this.answer = answer;
  }
}
