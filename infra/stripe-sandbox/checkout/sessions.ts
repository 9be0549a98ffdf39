import { emit, type Cause } from '../events.ts';
import type { Call, Endpoint } from '../http/endpoint.ts';
import { invalidRequest, noSuch } from '../http/errors.ts';
import { listShape, page } from '../http/lists.ts';
import {
  email,
  hash,
  ignored,
  integer,
  list,
  mergeMetadata,
  oneOf,
  readParams,
  required,
  text,
  texts,
} from '../http/params.ts';
import { newId } from '../ids.ts';
import type { CheckoutSession } from '../objects.ts';
import type { SessionDetails } from '../records.ts';
import { checkAmount } from '../payments/currencies.ts';
import { lineItem } from './prices.ts';
import { newSession } from './session.ts';

const MINUTE_S = 60;
const DAY_S = 24 * 60 * MINUTE_S;

export const sessionEndpoints: Endpoint[] = [
  { method: 'post', path: '/checkout/sessions', access: 'secret', answer: create },
  { method: 'get', path: '/checkout/sessions', access: 'secret', answer: listSessions },
  { method: 'get', path: '/checkout/sessions/:id', access: 'secret', answer: retrieve },
  { method: 'post', path: '/checkout/sessions/:id/expire', access: 'secret', answer: expireSession },
  { method: 'get', path: '/checkout/sessions/:id/line_items', access: 'secret', answer: listLineItems },
];

function create(call: Call): CheckoutSession {
  const { tx, nowS } = call;
  const given = readParams(call.params, {
    allow_promotion_codes: ignored,
    automatic_tax: ignored,
    billing_address_collection: ignored,
    cancel_url: text,
    client_reference_id: text,
    currency: ignored,
    customer_creation: ignored,
    customer_email: email,
    expires_at: integer,
    invoice_creation: ignored,
    line_items: required(list),
    locale: text,
    metadata: hash,
    mode: required(oneOf('payment')),
    payment_intent_data: hash,
    payment_method_types: texts,
    submit_type: ignored,
    success_url: required(text),
    ui_mode: oneOf('hosted_page', 'hosted'),
  });
  for (const [param, address] of Object.entries({
    success_url: given.success_url,
    cancel_url: given.cancel_url,
  })) {
    if (address && !/^https?:\/\/./.test(address))
      throw invalidRequest('Not a valid URL', { param, code: 'url_invalid' });
  }
  const lineItems = given.line_items.map((item, index) => lineItem(call, item, index));
  const currency = lineItems[0]?.currency ?? 'usd';
  if (lineItems.some((item) => item.currency !== currency)) {
    throw invalidRequest('All prices on a Checkout Session must be in the same currency.', {
      param: 'line_items',
    });
  }
  const total = lineItems.reduce((sum, item) => sum + item.amount_total, 0);
  checkAmount(total, currency);
  const expiresAt = given.expires_at ?? nowS + DAY_S;
  if (expiresAt < nowS + 30 * MINUTE_S || expiresAt > nowS + DAY_S) {
    throw invalidRequest(
      'The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.',
      {
        param: 'expires_at',
      },
    );
  }
  const id = newId('cs_test_a1', 56);
  tx.put('session_details', { id, lineItems, intent: intentData(call) });
  return tx.put(
    'sessions',
    newSession({
      id,
      amount: total,
      cancelUrl: given.cancel_url ?? null,
      clientReferenceId: given.client_reference_id ?? null,
      created: nowS,
      currency,
      customerEmail: given.customer_email || null,
      expiresAt,
      locale: given.locale ?? null,
      metadata: mergeMetadata({}, given.metadata),
      successUrl: given.success_url,
      url: `${call.apiUrl}/c/pay/${id}`,
    }),
  );
}

function intentData({ params }: Call): SessionDetails['intent'] {
  const given = readParams(hash(params.payment_intent_data, 'payment_intent_data') ?? {}, {
    capture_method: ignored,
    description: text,
    metadata: hash,
    receipt_email: email,
    setup_future_usage: ignored,
    shipping: ignored,
    statement_descriptor_suffix: ignored,
  });
  return {
    description: given.description || null,
    metadata: mergeMetadata({}, given.metadata),
    receipt_email: given.receipt_email || null,
  };
}

function listSessions({ tx, params }: Call) {
  const given = readParams(params, { ...listShape, payment_intent: text, status: text });
  const sessions = tx
    .all('sessions')
    .filter((session) => !given.payment_intent || session.payment_intent === given.payment_intent)
    .filter((session) => !given.status || session.status === given.status);
  return page(sessions, given, '/v1/checkout/sessions', 'checkout.session');
}

function sessionOf({ tx, path }: Call): CheckoutSession {
  const session = tx.get('sessions', path.id ?? '');
  if (!session) throw noSuch('checkout.session', path.id ?? '', 'session');
  return session;
}

function retrieve(call: Call): object {
  readParams(call.params, {});
  const session = sessionOf(call);
  const asked = [call.params.expand ?? []].flat();
  // Included on request only, like Stripe.
  return asked.some((path) => String(path).startsWith('line_items'))
    ? { ...session, line_items: lineItemsPage(call, session) }
    : session;
}

function listLineItems(call: Call): object {
  return lineItemsPage(call, sessionOf(call), call.params);
}

const lineItemsPage = ({ tx }: Call, { id }: CheckoutSession, params: Call['params'] = {}) =>
  page(
    tx.get('session_details', id)?.lineItems ?? [],
    readParams(params, listShape),
    `/v1/checkout/sessions/${id}/line_items`,
    'item',
  );

function expireSession(call: Call): CheckoutSession {
  readParams(call.params, {});
  const session = sessionOf(call);
  if (session.status !== 'open') {
    throw invalidRequest('Only Checkout Sessions with a status in ["open"] can be expired.', {
      param: 'session',
    });
  }
  return expire(call, session);
}

/** Ends an open session, by request or after its expiry. */
export function expire(cause: Cause, session: CheckoutSession): CheckoutSession {
  const expired = cause.tx.put('sessions', { ...session, status: 'expired', url: null });
  emit(cause, 'checkout.session.expired', expired);
  return expired;
}
