import { emit } from '../events.ts';
import type { Call, Endpoint } from '../http/endpoint.ts';
import { invalidRequest, noSuch, parameterMissing, StripeProblem, unexpectedState } from '../http/errors.ts';
import { same, secretKeyRequired } from '../http/keys.ts';
import { listShape, page } from '../http/lists.ts';
import {
  email,
  flag,
  hash,
  ignored,
  integer,
  limitedText,
  mergeMetadata,
  oneOf,
  readParams,
  required,
  text,
  texts,
} from '../http/params.ts';
import type { PaymentIntent } from '../objects.ts';
import { confirmGiven, confirmShape } from './confirmation.ts';
import { authenticate } from './confirming.ts';
import { checkAmount, knownCurrency } from './currencies.ts';
import { cancelable, clientView, confirmable, newIntent } from './intent.ts';
import { usableMethod } from './payment-methods.ts';

const detailShape = {
  amount: integer,
  currency: text,
  customer: ignored,
  description: limitedText(1000),
  metadata: hash,
  payment_method: text,
  payment_method_options: ignored,
  payment_method_types: texts,
  receipt_email: email,
  setup_future_usage: ignored,
  shipping: hash,
  statement_descriptor_suffix: limitedText(22),
};
const clientShape = { client_secret: text, expected_payment_method_type: ignored, is_stripe_sdk: ignored };

export const intentEndpoints: Endpoint[] = [
  { method: 'post', path: '/payment_intents', access: 'secret', answer: create },
  { method: 'get', path: '/payment_intents', access: 'secret', answer: listIntents },
  { method: 'get', path: '/payment_intents/:id', access: 'client', answer: retrieve },
  { method: 'post', path: '/payment_intents/:id', access: 'secret', answer: update },
  { method: 'post', path: '/payment_intents/:id/confirm', access: 'client', answer: confirmIntent },
  { method: 'post', path: '/payment_intents/:id/cancel', access: 'secret', answer: cancel },
  // Stripe.js uses a private endpoint for this; here it serves the challenge page.
  { method: 'post', path: '/payment_intents/:id/authenticate', access: 'client', answer: answerChallenge },
];

function create(call: Call): PaymentIntent {
  const given = readParams(call.params, {
    ...detailShape,
    ...confirmShape,
    amount: required(integer),
    currency: required(text),
    automatic_payment_methods: hash,
    capture_method: oneOf('automatic', 'automatic_async'),
    confirm: flag,
    confirmation_method: oneOf('automatic'),
  });
  const currency = knownCurrency(given.currency);
  checkAmount(given.amount, currency);
  const automatic = readParams(given.automatic_payment_methods ?? {}, {
    enabled: flag,
    allow_redirects: oneOf('always', 'never'),
  });
  const method = given.payment_method ? usableMethod(call, given.payment_method) : undefined;
  const intent = call.tx.put(
    'payment_intents',
    newIntent({
      amount: given.amount,
      currency,
      // On by default since API version 2023-08-16, unless payment method types are given.
      automatic: given.payment_method_types
        ? null
        : { enabled: automatic.enabled ?? true, allow_redirects: automatic.allow_redirects ?? 'always' },
      description: given.description || null,
      metadata: mergeMetadata({}, given.metadata),
      paymentMethod: method?.id ?? null,
      receiptEmail: given.receipt_email || null,
      shipping: given.shipping ?? null,
      statementDescriptorSuffix: given.statement_descriptor_suffix || null,
      created: call.nowS,
    }),
  );
  emit(call, 'payment_intent.created', intent);
  return given.confirm ? confirmGiven(call, intent, given) : intent;
}

function listIntents({ tx, params }: Call) {
  return page(
    tx.all('payment_intents'),
    readParams(params, { ...listShape, customer: ignored }),
    '/v1/payment_intents',
    'payment_intent',
  );
}

/** The intent in the path, for a secret key or the holder of its client secret. */
function intentOf({ tx, path, params, key }: Call): PaymentIntent {
  const id = path.id ?? '';
  const intent = tx.get('payment_intents', id);
  if (key === 'publishable' && params.client_secret === undefined) throw secretKeyRequired();
  if (!intent) throw noSuch('payment_intent', id, 'intent');
  if (
    params.client_secret !== undefined &&
    !same(text(params.client_secret, 'client_secret') ?? '', intent.client_secret)
  ) {
    throw invalidRequest(
      'The client_secret provided does not match any associated PaymentIntent on this account. Ensure the provided client_secret and PaymentIntent share an account.',
      { param: 'client_secret', code: 'payment_intent_invalid_parameter' },
    );
  }
  return intent;
}

const shown = (intent: PaymentIntent, key: Call['key']) => (key === 'secret' ? intent : clientView(intent));

function retrieve(call: Call): object {
  readParams(call.params, clientShape);
  return shown(intentOf(call), call.key);
}

function update(call: Call): PaymentIntent {
  const intent = intentOf(call);
  const given = readParams(call.params, detailShape);
  const fixed = given.amount ?? given.currency ?? given.payment_method;
  if (fixed !== undefined && !confirmable(intent)) {
    throw unexpectedState(
      `This PaymentIntent's amount, currency or payment_method could not be updated because it has a status of ${intent.status}. You may only update them in the statuses requires_payment_method, requires_confirmation and requires_action.`,
      intent,
    );
  }
  const currency = given.currency ? knownCurrency(given.currency) : intent.currency;
  const amount = given.amount ?? intent.amount;
  if (given.amount !== undefined || given.currency !== undefined) checkAmount(amount, currency);
  const method = given.payment_method ? usableMethod(call, given.payment_method) : undefined;
  return call.tx.put('payment_intents', {
    ...intent,
    amount,
    currency,
    description: given.description === undefined ? intent.description : given.description || null,
    metadata: mergeMetadata(intent.metadata, given.metadata),
    receipt_email: given.receipt_email === undefined ? intent.receipt_email : given.receipt_email || null,
    shipping: given.shipping ?? intent.shipping,
    ...(method && { payment_method: method.id, status: 'requires_confirmation' as const, next_action: null }),
  });
}

function confirmIntent(call: Call): object {
  const intent = intentOf(call);
  const given = readParams(call.params, { ...confirmShape, ...clientShape });
  try {
    return shown(confirmGiven(call, intent, given), call.key);
  } catch (error) {
    if (call.key === 'secret' || !(error instanceof StripeProblem) || !error.body.payment_intent) throw error;
    const seen = clientView(error.body.payment_intent) as PaymentIntent;
    throw new StripeProblem(error.status, { ...error.body, payment_intent: seen }, error.keepsChanges);
  }
}

function cancel(call: Call): PaymentIntent {
  const intent = intentOf(call);
  const given = readParams(call.params, {
    cancellation_reason: oneOf('duplicate', 'fraudulent', 'requested_by_customer', 'abandoned'),
  });
  if (!cancelable(intent)) {
    throw unexpectedState(
      `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be canceled: requires_payment_method, requires_capture, requires_confirmation, requires_action.`,
      intent,
    );
  }
  const canceled = call.tx.put('payment_intents', {
    ...intent,
    canceled_at: call.nowS,
    cancellation_reason: given.cancellation_reason ?? null,
    next_action: null,
    status: 'canceled',
  });
  emit(call, 'payment_intent.canceled', canceled);
  return canceled;
}

function answerChallenge(call: Call): object {
  const { outcome } = readParams(call.params, {
    ...clientShape,
    outcome: required(oneOf('succeeded', 'failed')),
  });
  if (call.params.client_secret === undefined) throw parameterMissing('client_secret');
  return shown(authenticate(call, intentOf(call), outcome === 'succeeded'), call.key);
}
