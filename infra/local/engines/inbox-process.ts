/**
 * maildev in a process of its own: it keeps module-level state, throws on broken connections, and loads a whole
 * browser document model to show mails.
 */
import { createRequire } from 'node:module';
import type { InboxOrder } from './inbox.ts';

interface MailServer {
  create(port: number, host: string, mailDir: string): void;
  listen(): Promise<void>;
  loadMailsFromDirectory(): Promise<void> | void;
}
interface Web {
  start(
    port: number,
    host: string,
    mails: MailServer,
    user?: string,
    password?: string,
    base?: string,
    tls?: object,
  ): void;
  server: NodeJS.EventEmitter;
}

const require = createRequire(import.meta.url);
const { smtpPort, webPort, mailDir } = JSON.parse(process.argv[2] ?? '') as InboxOrder;
const HOST = '127.0.0.1';

(require('maildev/lib/logger') as { setLevel(level: number): void }).setLevel(0);
const mails = require('maildev/lib/mailserver') as MailServer;
const web = require('maildev/lib/web') as Web;

mails.create(smtpPort, HOST, mailDir);
await mails.loadMailsFromDirectory();
await mails.listen();
web.start(webPort, HOST, mails, undefined, undefined, undefined, {});
web.server.once('listening', () => process.send?.('ready'));

// Ctrl-C reaches every process of the terminal; this one ends with the one that started it.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit(0));
