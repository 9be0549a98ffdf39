import express, { type Request, type Response, type Router } from 'express';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { same } from '../http/errors.ts';
import type { Store } from '../storage/store.ts';

const FOLDER = import.meta.dirname;

/** Files that a frame may load. */
const FILES = [
  'payment.js',
  'payment.css',
  'card-number.js',
  'parent.js',
  'api.js',
  'texts.js',
  'challenge.js',
  'challenge.css',
  'checkout.js',
  'checkout.css',
];

/** In order of dependencies. Names are unique across modules, so they can share one scope. */
const SCRIPT = ['texts.js', 'api.js', 'script/frame.js', 'script/elements.js', 'script/stripe.js'];

/**
 * Bundles modules into one classic script: window.Stripe must exist after it has run, and only classic scripts have
 * document.currentScript.
 */
export async function sandboxScript(): Promise<string> {
  const sources = await Promise.all(SCRIPT.map((name) => readFile(join(FOLDER, name), 'utf8')));
  return `(() => {\n'use strict';\n${sources.map(withoutModuleSyntax).join('\n')}\n})();\n`;
}

const withoutModuleSyntax = (source: string): string =>
  source.replace(/^import [^;]*;$/gm, '').replace(/^export (?=(async )?(function|const))/gm, '');

interface PagesOptions {
  store: Store;
  publishableKey: string;
}

/** Serves the script for the shop's page, and the frames it opens. */
export async function pagesRouter({ store, publishableKey }: PagesOptions): Promise<Router> {
  const router = express.Router();
  const script = await sandboxScript();
  const files = new Map<string, Buffer>();
  for (const name of FILES) files.set(name, await readFile(join(FOLDER, name)));

  const serveScript = (_req: Request, res: Response) => {
    res.set({
      'Access-Control-Allow-Origin': '*',
      'Cache-Control': 'no-cache',
      'X-Content-Type-Options': 'nosniff',
    });
    res.type('text/javascript').send(script);
  };
  router.get('/v3', serveScript);
  router.get('/:train/stripe.js', serveScript);
  router.get('/elements/payment', (_req, res) => {
    pageHeaders(res, { framed: true });
    res.send(framePage({ title: 'Payment', script: 'payment.js', style: 'payment.css', body: '' }));
  });
  router.get('/elements/:name', (req, res, next) => {
    const name = String(req.params.name);
    const file = files.get(name);
    if (!file) return next();
    res.set({ 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' });
    res.type(name).send(file);
  });
  router.get('/challenge/:id', (req, res) => {
    const intent = store.get('payment_intents', String(req.params.id));
    if (!intent || !same(String(req.query.payment_intent_client_secret), intent.client_secret)) {
      return void res.status(404).type('text').send('No such payment.');
    }
    pageHeaders(res, { framed: true });
    const data = { id: intent.id, secret: intent.client_secret, key: publishableKey };
    res.send(
      framePage({ title: '3D Secure', script: 'challenge.js', style: 'challenge.css', body: '', data }),
    );
  });
  return router;
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

/** A strict policy: frames load only their own files. The shop's fonts may come from anywhere. */
export function pageHeaders(
  res: Response,
  { framed, status = 200 }: { framed: boolean; status?: number },
): void {
  const rules = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    'font-src *',
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    ...(framed ? [] : ["frame-ancestors 'none'"]),
  ];
  res
    .status(status)
    .type('html')
    .set({
      'Content-Security-Policy': rules.join('; '),
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    });
}

interface FramePage {
  title: string;
  script: string;
  style: string;
  body: string;
  lang?: string;
  /** Passed to the page's script as data attributes of the body. */
  data?: Record<string, string>;
  /** Scripts loaded before the page's own. */
  before?: string;
}

export const framePage = ({
  title,
  script,
  style,
  body,
  lang = 'en',
  data = {},
  before = '',
}: FramePage): string => `<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="/elements/${style}">
${before}<script type="module" src="/elements/${script}"></script>
</head>
<body${Object.entries(data)
  .map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`)
  .join('')}>${body}</body>
</html>
`;
