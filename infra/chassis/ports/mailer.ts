import type { Dependency } from './engine.ts';

export interface Mail {
  to: { name: string; address: string };
  subject: string;
  html: string;
  text: string;
  /** Without angle brackets; the same for the same mail, so that a repeated hand-over can be recognised. */
  messageId: string;
  /** For tracing; sent as X-Correlation-Id. */
  correlationId?: string;
  /**
   * Where its reader's mail program posts to when no more of its kind are wanted, on one click and without any
   * log-in: https, RFC 8058. Only for mails that one may do without.
   */
  unsubscribeUrl?: string;
}

/** Hands mail over. */
export interface Mailer extends Dependency {
  /** Resolves when the server has confirmed it. @throws MailRefused when it will never be taken; anything else may pass. */
  send(mail: Mail): Promise<void>;
  close(): Promise<void>;
}

/** The address is none, or its server refuses it for good: sending again would not help. Names no person. */
export class MailRefused extends Error {
  /** What the server said. It may name the person: for who looks after the mail, not for logs. */
  readonly answer: string;

  constructor(messageId: string, answer: string, options?: ErrorOptions) {
    super(`mail ${messageId} was refused for good`, options);
    this.name = 'MailRefused';
    this.answer = answer;
  }
}
