import { type Cause, emit, newId, randomText } from '../events.ts';
import type { Call, Endpoint } from '../http/endpoint.ts';
import {
  invalidRequest,
  noSuch,
  parameterMissing,
  same,
  secretKeyRequired,
  StripeProblem,
  unexpectedState,
} from '../http/errors.ts';
import {
  email,
  flag,
  hash,
  integer,
  oneOf,
  readMetadata,
  readParams,
  required,
  text,
} from '../http/params.ts';
import type { PaymentIntent } from '../objects.ts';
import { methodById } from './cards.ts';
import { authenticate, confirm, confirmShape, isOpen } from './confirming.ts';
import { checkAmount, knownCurrency } from './money.ts';

const clientShape = { client_secret: text };

export const intentEndpoints: Endpoint[] = [
  { method: 'post', path: '/payment_intents', access: 'secret', answer: create },
  { method: 'get', path: '/payment_intents/:id', access: 'client', answer: retrieve },
  { method: 'post', path: '/payment_intents/:id/confirm', access: 'client', answer: confirmIntent },
  { method: 'post', path: '/payment_intents/:id/cancel', access: 'secret', answer: cancel },
  // Stripe.js uses a private endpoint for this; here it serves the challenge page.
  { method: 'post', path: '/payment_intents/:id/authenticate', access: 'client', answer: answerChallenge },
];

function create(call: Call): PaymentIntent {
  const given = readParams(call.params, {
    ...confirmShape,
    amount: required(integer),
    automatic_payment_methods: hash,
    confirm: flag,
    currency: required(text),
    description: text,
    metadata: hash,
    receipt_email: email,
  });
  const currency = knownCurrency(given.currency);
  checkAmount(given.amount, currency);
  const automatic = readParams(given.automatic_payment_methods ?? {}, { enabled: flag });
  const method = given.payment_method ? methodById(call, given.payment_method) : undefined;
  const intent = createIntent(call, {
    amount: given.amount,
    currency,
    description: given.description || null,
    metadata: readMetadata(given.metadata),
    payment_method: method?.id ?? null,
    receipt_email: given.receipt_email || null,
    automatic_payment_methods: { enabled: automatic.enabled ?? true },
  });
  return given.confirm ? confirm(call, intent, given) : intent;
}

type NewIntent = Pick<PaymentIntent, 'amount' | 'currency' | 'description' | 'metadata'> &
  Partial<PaymentIntent>;

export function createIntent(cause: Cause, given: NewIntent): PaymentIntent {
  const id = newId('pi_3');
  const intent = cause.tx.put('payment_intents', {
    id,
    object: 'payment_intent',
    amount_received: 0,
    automatic_payment_methods: { enabled: true },
    canceled_at: null,
    cancellation_reason: null,
    client_secret: `${id}_secret_${randomText(25)}`,
    created: cause.nowS,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    next_action: null,
    payment_method: null,
    payment_method_types: ['card'],
    receipt_email: null,
    status: given.payment_method ? 'requires_confirmation' : 'requires_payment_method',
    ...given,
  });
  emit(cause, 'payment_intent.created', intent);
  return intent;
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

/** The holder of a client secret sees no metadata and no charge. */
function clientView({ metadata: _metadata, latest_charge: _charge, ...intent }: PaymentIntent) {
  return intent;
}

const shown = (intent: PaymentIntent, key: Call['key']) => (key === 'secret' ? intent : clientView(intent));

function retrieve(call: Call): object {
  readParams(call.params, clientShape);
  return shown(intentOf(call), call.key);
}

function confirmIntent(call: Call): object {
  const intent = intentOf(call);
  const given = readParams(call.params, { ...confirmShape, ...clientShape });
  try {
    return shown(confirm(call, intent, given), call.key);
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
  if (!isOpen(intent)) {
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
  const given = readParams(call.params, {
    ...clientShape,
    outcome: required(oneOf('succeeded', 'failed')),
  });
  if (given.client_secret === undefined) throw parameterMissing('client_secret');
  return shown(authenticate(call, intentOf(call), given.outcome === 'succeeded'), call.key);
}
