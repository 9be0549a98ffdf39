import { connect, type LookupFunction } from 'node:net';
import { createTransport, type SMTPTransportOptions } from 'nodemailer';
import { type Mail, type Mailer, MailRefused } from '../../ports/mailer.ts';
import { SPANS } from '../../telemetry/names.ts';
import { traced } from '../../telemetry/trace.ts';

const TIMEOUTS = {
  connectionTimeout: 5_000,
  greetingTimeout: 5_000,
  socketTimeout: 15_000,
  /** Below the idle timeout of mail servers, so that no email is sent on a closed connection. */
  idleTimeout: 20_000,
};

/**
 * SMTP with a few pooled connections, opened on demand.
 * @param options.smtpUrl `smtp://user:password@host:587`, `smtps://…:465`; query parameters are nodemailer's options
 * @param options.mailFrom `Arboleda <hola@example.org>`
 * @param options.lookup finds the server's address, Node's own by default
 */
export function openSmtpMailer(options: {
  smtpUrl: string;
  mailFrom: string;
  lookup?: LookupFunction;
}): Mailer {
  const transport = createTransport({
    ...TIMEOUTS,
    url: options.smtpUrl,
    pool: true,
    maxConnections: 4,
    // Callers decide about retries.
    maxRequeues: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
    // nodemailer keeps addresses for five minutes, and a server that moved has another one.
    getSocket: socketProvider(options.lookup),
  });
  return {
    engine: 'smtp',
    async send(mail) {
      await traced({ name: SPANS.sendMail, kind: 'client' }, async () => {
        await transport
          .sendMail({ from: senderOf(mail, options.mailFrom), ...envelopeOf(mail) })
          .catch((cause: unknown) => {
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

/** Connects, with an address looked up for this connection alone. */
const socketProvider =
  (lookup: LookupFunction | undefined): SMTPTransportOptions['getSocket'] =>
  ({ host = 'localhost', port, secure }, callback) => {
    const socket = connect({ host, port: Number(port) || (secure ? 465 : 587), ...(lookup && { lookup }) });
    const timer = setTimeout(
      () => socket.destroy(new Error(`${host} does not answer`)),
      TIMEOUTS.connectionTimeout,
    );
    const settled = (error?: Error) => {
      clearTimeout(timer);
      socket.off('error', settled);
      if (error) callback(error);
      else callback(null, { connection: socket });
    };
    socket.once('error', settled).once('connect', () => settled());
  };

const envelopeOf = (mail: Mail) => ({
  to: { name: oneLine(mail.to.name), address: plainAddress(mail) },
  subject: oneLine(mail.subject),
  html: mail.html,
  text: mail.text,
  messageId: `<${mail.messageId}>`,
  headers: {
    // Suppresses out-of-office replies: RFC 3834.
    'Auto-Submitted': 'auto-generated',
    ...(mail.correlationId && { 'X-Correlation-Id': oneLine(mail.correlationId) }),
    ...(mail.unsubscribeUrl && {
      'List-Unsubscribe': `<${new URL(mail.unsubscribeUrl).href}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }),
    ...(mail.unsubscribePage && { 'List-Unsubscribe': `<${new URL(mail.unsubscribePage).href}>` }),
  },
});

/** @param mailFrom `Arboleda <hola@example.org>` or an address alone */
function senderOf({ fromName }: Mail, mailFrom: string): string | { name: string; address: string } {
  if (fromName === undefined) return mailFrom;
  return { name: oneLine(fromName), address: /<([^<>]+)>\s*$/.exec(mailFrom)?.[1] ?? mailFrom };
}

/** Prevents header injection. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

/** Exactly one address: no list, comment or line break. */
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

/** A permanent rejection; RFC 5321 section 4.2.1: replies 5yz. */
function isFinal(cause: unknown): boolean {
  const { code, responseCode, command } = cause as { code?: string; responseCode?: number; command?: string };
  return code === 'EENVELOPE' && command === 'RCPT TO' && (responseCode ?? 0) >= 500;
}
