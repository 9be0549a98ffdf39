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
}

/** Hands mail over. */
export interface Mailer extends Dependency {
  /** Resolves when the server has confirmed it. @throws MailRefused when it will never be taken; anything else may pass. */
  send(mail: Mail): Promise<void>;
  close(): Promise<void>;
}

/** The address is none, or its server refuses it for good: sending again would not help. Names no person. */
export class MailRefused extends Error {
  constructor(messageId: string, options?: ErrorOptions) {
    super(`mail ${messageId} was refused for good`, options);
    this.name = 'MailRefused';
  }
}
