import { createTransport } from 'nodemailer';
import { type Mail, type Mailer, MailRefused } from '../../ports/mailer.ts';
import { traced } from '../../telemetry/trace.ts';

const TIMEOUTS = {
  dnsTimeout: 5_000,
  connectionTimeout: 5_000,
  greetingTimeout: 5_000,
  socketTimeout: 15_000,
  /** Shorter than servers' own, so that a mail does not meet a connection that was just cut. */
  idleTimeout: 20_000,
};

/**
 * Mail by SMTP: connects when there is something to send, keeps a few connections for the next ones.
 * @param options.smtpUrl `smtp://user:password@host:587`, `smtps://…:465`; query parameters are nodemailer's options
 * @param options.mailFrom `Arboleda <hola@example.org>`
 */
export function openSmtpMailer(options: { smtpUrl: string; mailFrom: string }): Mailer {
  const transport = createTransport({
    ...TIMEOUTS,
    url: options.smtpUrl,
    pool: true,
    maxConnections: 4,
    // A lost connection is an error: who sends decides whether and when to repeat.
    maxRequeues: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    engine: 'smtp',
    async send(mail) {
      await traced({ name: 'send mail', kind: 'client' }, async () => {
        await transport.sendMail({ from: options.mailFrom, ...envelopeOf(mail) }).catch((cause: unknown) => {
          throw isFinal(cause) ? new MailRefused(mail.messageId, answerOf(cause), { cause }) : cause;
        });
      });
    },
    async check() {
      await transport.verify();
    },
    async close() {
      transport.close();
    },
  };
}

const envelopeOf = (mail: Mail) => ({
  to: { name: oneLine(mail.to.name), address: plainAddress(mail) },
  subject: oneLine(mail.subject),
  html: mail.html,
  text: mail.text,
  messageId: `<${mail.messageId}>`,
  headers: {
    // Out-of-office answers to a receipt help nobody: RFC 3834.
    'Auto-Submitted': 'auto-generated',
    ...(mail.correlationId && { 'X-Correlation-Id': oneLine(mail.correlationId) }),
    ...(mail.unsubscribeUrl && {
      'List-Unsubscribe': `<${new URL(mail.unsubscribeUrl).href}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }),
  },
});

/** No value of ours can begin a new header. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

/** One address and nothing else: no list, no comment, no line break. */
function plainAddress(mail: Mail): string {
  if (!/^[^\s<>(),;:"\p{Cc}]+@[^\s<>(),;:"@\p{Cc}]+$/u.test(mail.to.address)) {
    throw new MailRefused(mail.messageId, 'this is not one address');
  }
  return mail.to.address;
}

const answerOf = (cause: unknown): string => {
  const { response, message } = cause as { response?: string; message?: string };
  return oneLine(response ?? message ?? '');
};

/** The server answered that it will never take this mail; RFC 5321 section 4.2.1: a reply 5yz is permanent. */
function isFinal(cause: unknown): boolean {
  const { code, responseCode, command } = cause as { code?: string; responseCode?: number; command?: string };
  return code === 'EENVELOPE' && command === 'RCPT TO' && (responseCode ?? 0) >= 500;
}
