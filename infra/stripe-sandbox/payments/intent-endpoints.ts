import { emit } from '../events.ts';
import type { Call, Endpoint } from '../http/endpoint.ts';
import { invalidRequest, noSuch, parameterMissing, StripeProblem, unexpectedState } from '../http/errors.ts';
import type { FormHash } from '../http/form.ts';
import { same, secretKeyRequired } from '../http/keys.ts';
import { listShape, page } from '../http/lists.ts';
import { email, flag, hash, ignored, integer, limitedText, mergeMetadata, oneOf, readParams, required, text, texts } from '../http/params.ts'; // prettier-ignore
import type { ConfirmationToken, PaymentIntent, PaymentMethod } from '../objects.ts';
import { authenticate, confirm } from './confirming.ts';
import { checkAmount, knownCurrency } from './currencies.ts';
import { cancelable, clientView, confirmable, newIntent } from './intent.ts';
import { chosenMethod, usableMethod } from './payment-methods.ts';

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
const confirmShape = {
  confirmation_token: text,
  error_on_requires_action: flag,
  mandate_data: ignored,
  off_session: flag,
  payment_method: text,
  payment_method_data: hash,
  payment_method_options: ignored,
  receipt_email: email,
  return_url: text,
  setup_future_usage: ignored,
  shipping: hash,
  use_stripe_sdk: flag,
};
const clientShape = { client_secret: text, expected_payment_method_type: ignored, is_stripe_sdk: ignored };

export const intentEndpoints: Endpoint[] = [
  { method: 'post', path: '/payment_intents', access: 'secret', answer: create },
  { method: 'get', path: '/payment_intents', access: 'secret', answer: listIntents },
  { method: 'get', path: '/payment_intents/:id', access: 'client', answer: retrieve },
  { method: 'post', path: '/payment_intents/:id', access: 'secret', answer: update },
  { method: 'post', path: '/payment_intents/:id/confirm', access: 'client', answer: confirmIntent },
  { method: 'post', path: '/payment_intents/:id/cancel', access: 'secret', answer: cancel },
  // Between Stripe.js and its own server; here, between the challenge page and the sandbox.
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
      // Since 2023-08-16 these are on unless the payment method types are named.
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

/** The intent of the address, for a secret key or the holder of its client secret. */
function intentOf({ tx, path, params, key }: Call): PaymentIntent {
  const id = path.id ?? '';
  const intent = tx.get('payment_intents', id);
  if (key === 'publishable' && params.client_secret === undefined) throw secretKeyRequired();
  if (!intent) throw noSuch('payment_intent', id, 'intent');
  if (params.client_secret !== undefined && !same(String(params.client_secret), intent.client_secret)) {
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

interface Confirmation {
  confirmation_token?: string | undefined;
  payment_method?: string | undefined;
  payment_method_data?: FormHash | undefined;
  receipt_email?: string | undefined;
  return_url?: string | undefined;
  shipping?: FormHash | undefined;
  use_stripe_sdk?: boolean | undefined;
}

function confirmGiven(call: Call, intent: PaymentIntent, given: Confirmation): PaymentIntent {
  if (!confirmable(intent)) {
    const why =
      intent.status === 'succeeded'
        ? 'it has already succeeded after being previously confirmed'
        : `it has a status of ${intent.status}`;
    throw unexpectedState(`You cannot confirm this PaymentIntent because ${why}.`, intent);
  }
  const token = given.confirmation_token
    ? confirmationToken(call, given.confirmation_token, intent)
    : undefined;
  const returnUrl = given.return_url ?? token?.return_url ?? null;
  const redirects =
    intent.automatic_payment_methods?.enabled && intent.automatic_payment_methods.allow_redirects !== 'never';
  if (call.key === 'secret' && redirects && !returnUrl && !given.use_stripe_sdk) {
    throw invalidRequest(
      "This PaymentIntent is configured to accept payment methods enabled in your Dashboard. Because some of these payment methods might redirect your customer off of your page, you must provide a `return_url`. If you don't want to accept redirect-based payment methods, set `automatic_payment_methods[enabled]` to `true` and `automatic_payment_methods[allow_redirects]` to `never` when creating Setup Intents and Payment Intents.",
      { param: 'return_url', code: 'parameter_missing' },
    );
  }
  const chosen: PaymentIntent = {
    ...intent,
    receipt_email: given.receipt_email || intent.receipt_email,
    shipping: given.shipping ?? intent.shipping,
  };
  const challenge = { apiUrl: call.apiUrl, returnUrl, useStripeSdk: given.use_stripe_sdk ?? false };
  return confirm(call, chosen, methodFor(call, intent, given, token), challenge);
}

function methodFor(
  call: Call,
  intent: PaymentIntent,
  given: Confirmation,
  token?: ConfirmationToken,
): PaymentMethod {
  if (token) return usableMethod(call, call.tx.get('token_methods', token.id)?.method ?? '');
  const payment_method =
    given.payment_method ?? (given.payment_method_data ? undefined : intent.payment_method);
  if (!payment_method && !given.payment_method_data) {
    throw unexpectedState(
      "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.",
      intent,
    );
  }
  return chosenMethod(call, {
    payment_method: payment_method ?? undefined,
    payment_method_data: given.payment_method_data,
  });
}

function confirmationToken({ tx }: Call, id: string, intent: PaymentIntent): ConfirmationToken {
  const token = tx.get('confirmation_tokens', id);
  if (!token) throw noSuch('confirmation_token', id, 'confirmation_token', 400);
  if (token.payment_intent) {
    throw invalidRequest(`The ConfirmationToken ${id} has already been used.`, {
      param: 'confirmation_token',
    });
  }
  return tx.put('confirmation_tokens', { ...token, payment_intent: intent.id });
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
