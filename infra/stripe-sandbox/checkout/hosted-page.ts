import express, { type Request, type Response, type Router } from 'express';
import { escapeHtml, framePage, pageHeaders } from '../browser/pages.ts';
import { emit } from '../events.ts';
import { API_VERSION } from '../http/endpoint.ts';
import type { CheckoutSession, PaymentIntent } from '../objects.ts';
import { display } from '../payments/currencies.ts';
import { newIntent } from '../payments/intent.ts';
import type { Store, Transaction } from '../storage/store.ts';
import { pageTexts, type PageTexts } from './page-texts.ts';

export interface HostedPageOptions {
  store: Store;
  nowMs: () => number;
  publishableKey: string;
}

/** /c/pay/{session}: the url of a checkout session. */
export function hostedPageRouter({ store, nowMs, publishableKey }: HostedPageOptions): Router {
  const router = express.Router();
  const sessionOf = (req: Request) => store.get('sessions', String(req.params.id));

  router.get('/:id', (req, res) => {
    const session = sessionOf(req);
    const texts = pageTexts(session?.locale, req.acceptsLanguages('en', 'es'));
    if (!session) return closed(res, texts, texts.unknown, 404);
    if (session.status === 'complete') return closed(res, texts, texts.paid, 200);
    if (session.status === 'expired') return closed(res, texts, texts.expired, 410);
    pageHeaders(res, { framed: false });
    res.send(paymentPage(session, store, texts, publishableKey));
  });

  router.post('/:id/intent', express.json({ limit: '10kb' }), async (req, res) => {
    const email = String((req.body as { email?: unknown } | undefined)?.email ?? '').slice(0, 200);
    const intent = await store.transact((tx) =>
      intentFor(tx, String(req.params.id), email, Math.floor(nowMs() / 1000)),
    );
    if (intent) res.json({ clientSecret: intent.client_secret });
    else res.status(409).json({ error: 'This checkout session is no longer open.' });
  });

  router.get('/:id/done', (req, res) => {
    const session = sessionOf(req);
    const texts = pageTexts(session?.locale, req.acceptsLanguages('en', 'es'));
    if (!session) return closed(res, texts, texts.unknown, 404);
    res.redirect(303, session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id));
  });
  return router;
}

/** The intent of an open session, created at the first attempt. */
function intentFor(tx: Transaction, id: string, email: string, nowS: number): PaymentIntent | undefined {
  const session = tx.get('sessions', id);
  const details = tx.get('session_details', id);
  if (!session || !details || session.status !== 'open') return undefined;
  const existing = session.payment_intent ? tx.get('payment_intents', session.payment_intent) : undefined;
  if (existing && existing.status !== 'canceled') return existing;
  const intent = tx.put(
    'payment_intents',
    newIntent({
      amount: session.amount_total,
      currency: session.currency,
      automatic: { enabled: true, allow_redirects: 'always' },
      description: details.intent.description,
      metadata: details.intent.metadata,
      paymentMethod: null,
      receiptEmail: details.intent.receipt_email || email || null,
      shipping: null,
      statementDescriptorSuffix: null,
      created: nowS,
    }),
  );
  tx.put('intent_sessions', { id: intent.id, session: id });
  tx.put('sessions', { ...session, payment_intent: intent.id });
  emit(
    { tx, nowS, apiVersion: API_VERSION, requestId: null, idempotencyKey: null },
    'payment_intent.created',
    intent,
  );
  return intent;
}

function closed(res: Response, texts: PageTexts, message: string, status: number): void {
  pageHeaders(res, { framed: false, status });
  const body = `<main><div><p class="Badge">${texts.badge}</p><h1>${escapeHtml(message)}</h1></div></main>`;
  res.send(framePage({ title: message, lang: texts.lang, script: 'texts.js', style: 'checkout.css', body }));
}

function paymentPage(session: CheckoutSession, store: Store, texts: PageTexts, key: string): string {
  const { id, currency, amount_total: amount, cancel_url: cancelUrl } = session;
  const money = (units: number) =>
    escapeHtml(display(units, currency, texts.lang === 'es' ? 'es-CO' : 'en-US'));
  const rows = (store.get('session_details', id)?.lineItems ?? []).map(
    (item) =>
      `<div><dt>${escapeHtml(item.description)}${item.quantity > 1 ? ` × ${item.quantity}` : ''}</dt><dd>${money(item.amount_total)}</dd></div>`,
  );
  const body = `<main>
<section aria-labelledby="title">
<span class="Badge">${texts.badge}</span>
<h1 id="title">${money(amount)}</h1>
<dl>${rows.join('')}<div class="Total"><dt>${texts.total}</dt><dd>${money(amount)}</dd></div></dl>
${cancelUrl ? `<p><a href="${escapeHtml(cancelUrl)}">${texts.back}</a></p>` : ''}
</section>
<section aria-labelledby="pay">
<h2 id="pay">${texts.payWithCard}</h2>
<form>
<label for="email">${texts.email}</label>
<input id="email" name="email" type="email" autocomplete="email" required value="${escapeHtml(session.customer_email ?? '')}">
<div id="card"></div>
<label for="holder">${texts.holder}</label>
<input id="holder" name="holder" autocomplete="cc-name" required>
<p class="Error" id="problem" role="alert"></p>
<button type="submit">${texts.pay} ${money(amount)}</button>
</form>
</section>
</main>`;
  return framePage({
    title: `${texts.pay} ${display(amount, currency)}`,
    lang: texts.lang,
    script: 'checkout.js',
    style: 'checkout.css',
    body,
    before: '<script src="/v3/"></script>\n',
    data: { session: id, key, amount: String(amount), currency, locale: texts.lang },
  });
}
