import express, { type Request, type Response, type Router } from 'express';
import { escapeHtml, framePage, pageHeaders } from '../browser/pages.ts';
import { type Cause, withoutRequest } from '../events.ts';
import type { CheckoutSession, PaymentIntent } from '../objects.ts';
import { createIntent } from '../payments/intents.ts';
import { display } from '../payments/money.ts';
import type { Store } from '../storage/store.ts';

interface HostedPageOptions {
  store: Store;
  nowMs: () => number;
  publishableKey: string;
}

type PageTexts = typeof EN;

const EN = {
  lang: 'en',
  badge: 'Sandbox: test cards only',
  total: 'Total',
  back: 'Back to the shop',
  payWithCard: 'Pay with card',
  email: 'Email',
  holder: 'Cardholder name',
  pay: 'Pay',
  unknown: 'There is no such checkout session.',
  paid: 'This checkout session is already paid.',
  expired: 'This checkout session has expired.',
};

const ES: PageTexts = {
  lang: 'es',
  badge: 'Entorno de pruebas: solo tarjetas de prueba',
  total: 'Total',
  back: 'Volver a la tienda',
  payWithCard: 'Pagar con tarjeta',
  email: 'Correo electrónico',
  holder: 'Nombre en la tarjeta',
  pay: 'Pagar',
  unknown: 'Esta sesión de pago no existe.',
  paid: 'Esta sesión de pago ya está pagada.',
  expired: 'Esta sesión de pago venció.',
};

/** The session's language, or the best match of the browser's languages. */
function pageTexts(locale: string | null | undefined, accepted: string | false): PageTexts {
  const wanted = locale && locale !== 'auto' ? locale : accepted || 'en';
  return wanted.startsWith('es') ? ES : EN;
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

  router.post('/:id/intent', async (req, res) => {
    const intent = await store.transact((tx) =>
      intentFor(withoutRequest(tx, nowMs()), String(req.params.id)),
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
function intentFor(cause: Cause, id: string): PaymentIntent | undefined {
  const { tx } = cause;
  const session = tx.get('sessions', id);
  const details = tx.get('session_details', id);
  if (!session || !details || session.status !== 'open') return undefined;
  const existing = session.payment_intent ? tx.get('payment_intents', session.payment_intent) : undefined;
  if (existing && existing.status !== 'canceled') return existing;
  const intent = createIntent(cause, {
    amount: session.amount_total,
    currency: session.currency,
    ...details.intent,
  });
  tx.put('intent_sessions', { id: intent.id, session: id });
  tx.put('sessions', { ...session, payment_intent: intent.id });
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
  const item = store.get('session_details', id)?.item;
  const quantity = item && item.quantity > 1 ? ` × ${item.quantity}` : '';
  const row = `<div><dt>${escapeHtml(item?.name ?? '')}${quantity}</dt><dd>${money(amount)}</dd></div>`;
  const body = `<main>
<section aria-labelledby="title">
<span class="Badge">${texts.badge}</span>
<h1 id="title">${money(amount)}</h1>
<dl>${row}<div class="Total"><dt>${texts.total}</dt><dd>${money(amount)}</dd></div></dl>
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
