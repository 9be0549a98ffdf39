/**
 * maildev in a separate process: it keeps module-level state, throws on broken connections, and loads a DOM to
 * display emails.
 */
import { createRequire, flushCompileCache } from 'node:module';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { InboxOrder } from './inbox.ts';

interface Mail {
  id: string;
  time: string | Date;
}
interface MailServer {
  store: readonly Mail[];
  on(event: 'new', listener: () => void): void;
  deleteEmail(id: string, done: () => void): void;
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
loadLater('jsdom', 'JSDOM');
const { smtpPort, webPort, mailDir, keptMails } = JSON.parse(process.argv[2] ?? '') as InboxOrder;
const HOST = '127.0.0.1';

(require('maildev/lib/logger') as { setLevel(level: number): void }).setLevel(0);
const mails = require('maildev/lib/mailserver') as MailServer;
const web = require('maildev/lib/web') as Web;

const at = ({ time }: Mail) => new Date(time).getTime();
/** Bounds memory: nobody looks at thousands of emails. */
mails.on('new', () => {
  const oldestFirst = mails.store.length > keptMails ? mails.store.toSorted((a, b) => at(a) - at(b)) : [];
  for (const { id } of oldestFirst.slice(0, -keptMails)) mails.deleteEmail(id, () => undefined);
});

mails.create(smtpPort, HOST, mailDir);
await mails.loadMailsFromDirectory();
await mails.listen();
web.start(webPort, HOST, mails, undefined, undefined, undefined, {});
guard<[ServerResponse]>('request', (response) => response.writeHead(421).end());
guard<[Duplex, Buffer]>('upgrade', (socket) => socket.destroy());
web.server.once('listening', () => {
  process.send?.('ready');
  // The process will be killed without notice.
  flushCompileCache();
});

// Ctrl-C reaches every process of the terminal; this one ends with its parent.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit(0));

/** Answers the inbox's own pages as before, and refuses others. */
function guard<Rest extends unknown[]>(event: string, refuse: (...rest: Rest) => void): void {
  const answers = web.server.listeners(event) as ((request: IncomingMessage, ...rest: Rest) => void)[];
  web.server.removeAllListeners(event);
  web.server.on(event, (request: IncomingMessage, ...rest: Rest) => {
    if (!isOwn(request)) return refuse(...rest);
    for (const answer of answers) answer(request, ...rest);
  });
}

/** Under a name of this machine, against DNS rebinding, and by no other page, as maildev allows all of them. */
function isOwn({ headers: { host = '', origin } }: IncomingMessage): boolean {
  const isLocal = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(host);
  return isLocal && (origin === undefined || origin === `http://${host}`);
}

/** Loads a class of a package on first use: 17 MB that are wasted when nobody opens an email. */
function loadLater(name: string, className: string): void {
  const path = require.resolve(name);
  const create = function (...args: unknown[]): object {
    delete require.cache[path];
    const loaded = require(path) as Record<string, new (...args: unknown[]) => object>;
    return new loaded[className]!(...args);
  };
  require.cache[path] = { exports: { [className]: create } } as NodeJS.Module;
}
