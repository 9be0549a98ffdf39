import express, { type Request, type Response, type Router } from 'express';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { same } from '../http/keys.ts';
import type { Store } from '../storage/store.ts';
import { sandboxScript } from './script.ts';
import { framePage, pageHeaders } from './pages.ts';

const FOLDER = dirname(fileURLToPath(import.meta.url));

/** Files that a frame may load, with their types. */
const FILES: Record<string, string> = {
  'payment.js': 'text/javascript',
  'payment.css': 'text/css',
  'card-number.js': 'text/javascript',
  'payment-form.js': 'text/javascript',
  'card-api.js': 'text/javascript',
  'api.js': 'text/javascript',
  'texts.js': 'text/javascript',
  'appearance.js': 'text/javascript',
  'countries.js': 'text/javascript',
  'port.js': 'text/javascript',
  'challenge.js': 'text/javascript',
  'challenge.css': 'text/css',
  'checkout.js': 'text/javascript',
  'checkout.css': 'text/css',
};

export interface PagesOptions {
  store: Store;
  publishableKey: string;
}

/** Serves the script for the shop's page, and the frames it opens. */
export async function pagesRouter({ store, publishableKey }: PagesOptions): Promise<Router> {
  const router = express.Router();
  const script = await sandboxScript(join(FOLDER, 'script'));
  const files = new Map<string, Buffer>();
  for (const name of Object.keys(FILES)) files.set(name, await readFile(join(FOLDER, name)));

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
    res.type(FILES[name] ?? '').send(file);
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
