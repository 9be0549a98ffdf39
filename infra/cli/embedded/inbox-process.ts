/**
 * maildev in a separate process: it keeps module-level state, throws on broken connections, and loads a DOM to
 * display emails.
 */
import { createRequire, flushCompileCache } from 'node:module';
import type { IncomingMessage, ServerResponse } from 'node:http';
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
// Against DNS rebinding: only requests to names of this machine are answered.
const [answer] = web.server.listeners('request') as ((
  ...exchange: [IncomingMessage, ServerResponse]
) => void)[];
web.server.removeAllListeners('request');
web.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
  if (/^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(request.headers.host ?? ''))
    return answer!(request, response);
  response.writeHead(421).end();
});
web.server.once('listening', () => {
  process.send?.('ready');
  // The process will be killed without notice.
  flushCompileCache();
});

// Ctrl-C reaches every process of the terminal; this one ends with its parent.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit(0));

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
