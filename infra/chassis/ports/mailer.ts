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

/** Hands mail over. Resolves when the server has confirmed it. @throws when it has not. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
  check(): Promise<void>;
  close(): Promise<void>;
}
