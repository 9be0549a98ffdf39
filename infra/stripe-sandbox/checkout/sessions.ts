import { type Cause, emit, newId } from '../events.ts';
import type { Call, Endpoint } from '../http/endpoint.ts';
import { invalidRequest, noSuch } from '../http/errors.ts';
import {
  email,
  type FormHash,
  hash,
  integer,
  list,
  oneOf,
  readMetadata,
  readParams,
  required,
  text,
} from '../http/params.ts';
import type { CheckoutSession, PaymentIntent, PaymentMethod, Price } from '../objects.ts';

const DAY_S = 24 * 60 * 60;

const price = (id: string, nickname: string, unit_amount: number): Price => ({
  id,
  object: 'price',
  currency: 'usd',
  nickname,
  unit_amount,
});

/** Photo packages of a demo account. Fixed ids, so that configuration can name them. */
const PRICES = [
  price('price_first_year', 'First year of photos', 1500),
  price('price_three_year', 'Three years of photos', 2500),
  price('price_lifetime', 'A lifetime of photos', 3500),
];

export const sessionEndpoints: Endpoint[] = [
  { method: 'post', path: '/checkout/sessions', access: 'secret', answer: create },
  { method: 'post', path: '/checkout/sessions/:id/expire', access: 'secret', answer: expireSession },
  {
    method: 'get',
    path: '/prices/:id',
    access: 'secret',
    answer: ({ path }) => priceOf(path.id ?? '', 'price', 404),
  },
];

function priceOf(id: string, param: string, missingStatus: 400 | 404): Price {
  const found = PRICES.find((one) => one.id === id);
  if (!found) throw noSuch('price', id, param, missingStatus);
  return found;
}

const addressOfPage = (value: string, param: string): string => {
  if (/^https?:\/\/./.test(value)) return value;
  throw invalidRequest('Not a valid URL', { param, code: 'url_invalid' });
};

/** Sells one item on a hosted page. */
function create(call: Call): CheckoutSession {
  const { tx, nowS } = call;
  const given = readParams(call.params, {
    cancel_url: text,
    customer_email: email,
    line_items: required(list),
    locale: text,
    metadata: hash,
    mode: required(oneOf('payment')),
    payment_intent_data: hash,
    success_url: required(text),
  });
  const [first, second] = given.line_items;
  if (second) throw invalidRequest('The sandbox sells one item a session.', { param: 'line_items' });
  const item = readParams((first ?? {}) as FormHash, { price: required(text), quantity: integer });
  const { currency, nickname, unit_amount } = priceOf(item.price, 'line_items[0][price]', 400);
  const { quantity = 1 } = item;
  if (quantity < 1) {
    throw invalidRequest('This value must be greater than or equal to 1.', {
      param: 'line_items[0][quantity]',
      code: 'parameter_invalid_integer',
    });
  }
  const intent = readParams(given.payment_intent_data ?? {}, { description: text, metadata: hash });
  const id = newId('cs_test_a1', 56);
  tx.put('session_details', {
    id,
    item: { name: nickname, quantity },
    intent: { description: intent.description || null, metadata: readMetadata(intent.metadata) },
  });
  return tx.put('sessions', {
    id,
    object: 'checkout.session',
    amount_total: unit_amount * quantity,
    cancel_url: given.cancel_url ? addressOfPage(given.cancel_url, 'cancel_url') : null,
    created: nowS,
    currency,
    customer_details: given.customer_email ? { email: given.customer_email, name: null } : null,
    customer_email: given.customer_email || null,
    expires_at: nowS + DAY_S,
    livemode: false,
    locale: given.locale ?? null,
    metadata: readMetadata(given.metadata),
    mode: 'payment',
    payment_intent: null,
    payment_status: 'unpaid',
    status: 'open',
    success_url: addressOfPage(given.success_url, 'success_url'),
    url: `${call.apiUrl}/c/pay/${id}`,
  });
}

function expireSession(call: Call): CheckoutSession {
  readParams(call.params, {});
  const session = call.tx.get('sessions', call.path.id ?? '');
  if (!session) throw noSuch('checkout.session', call.path.id ?? '', 'session');
  if (session.status !== 'open') {
    throw invalidRequest('Only Checkout Sessions with a status in ["open"] can be expired.', {
      param: 'session',
    });
  }
  return expire(call, session);
}

/** Ends the open sessions whose time is over. */
export function expireSessions(cause: Cause): void {
  for (const session of cause.tx.all('sessions')) {
    if (session.status === 'open' && session.expires_at <= cause.nowS) expire(cause, session);
  }
}

function expire(cause: Cause, session: CheckoutSession): CheckoutSession {
  const expired = cause.tx.put('sessions', { ...session, status: 'expired', url: null });
  emit(cause, 'checkout.session.expired', expired);
  return expired;
}

/** Completes the session of a paid intent, if any. It may already be complete while the payment was pending. */
export function completeSession(cause: Cause, intent: PaymentIntent, method: PaymentMethod): void {
  const session = sessionOf(cause, intent);
  if (!session || session.payment_status === 'paid') return;
  const wasPending = session.status === 'complete';
  const completed = complete(cause, session, intent, method, 'paid');
  emit(
    cause,
    wasPending ? 'checkout.session.async_payment_succeeded' : 'checkout.session.completed',
    completed,
  );
}

/** The customer is done, and the payment is processing. */
export function pendSession(cause: Cause, intent: PaymentIntent, method: PaymentMethod): void {
  const session = sessionOf(cause, intent);
  if (session?.status !== 'open') return;
  emit(cause, 'checkout.session.completed', complete(cause, session, intent, method, 'unpaid'));
}

/** The payment failed while processing: the session stays complete and unpaid. */
export function failPendingSession(cause: Cause, intent: PaymentIntent): void {
  const session = sessionOf(cause, intent);
  if (session?.status !== 'complete' || session.payment_status === 'paid') return;
  emit(cause, 'checkout.session.async_payment_failed', session);
}

function sessionOf({ tx }: Cause, { id }: PaymentIntent): CheckoutSession | undefined {
  const link = tx.get('intent_sessions', id);
  return link && tx.get('sessions', link.session);
}

function complete(
  { tx }: Cause,
  session: CheckoutSession,
  intent: PaymentIntent,
  method: PaymentMethod,
  payment_status: CheckoutSession['payment_status'],
): CheckoutSession {
  const { email, name } = method.billing_details;
  return tx.put('sessions', {
    ...session,
    customer_details: { email: email ?? session.customer_email, name },
    payment_intent: intent.id,
    payment_status,
    status: 'complete',
    url: null,
  });
}
