import { completeSession, failPendingSession, pendSession } from '../checkout/sessions.ts';
import { type Cause, emit, newId } from '../events.ts';
import type { Call } from '../http/endpoint.ts';
import { StripeProblem, unexpectedState } from '../http/errors.ts';
import { flag, type FormHash, hash, ignored, text } from '../http/params.ts';
import type { Charge, PaymentError, PaymentIntent, PaymentMethod } from '../objects.ts';
import { behaviourOf, createMethod, type Decline, GENERIC_DECLINE, methodById } from './cards.ts';
import { openDispute } from './refunds.ts';

/** Parameters of a confirmation, on its own or while creating. */
export const confirmShape = {
  payment_method: text,
  payment_method_data: hash,
  return_url: ignored,
  use_stripe_sdk: flag,
};

interface Confirmation {
  payment_method?: string | undefined;
  payment_method_data?: FormHash | undefined;
}

/** Whether an intent can still be confirmed, or canceled. */
export const isOpen = ({ status }: PaymentIntent): boolean =>
  ['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(status);

/**
 * Charges an intent as far as possible without the customer.
 * @throws StripeProblem 400 when the intent cannot be confirmed, 402 when the card is declined; then changes are kept
 */
export function confirm(call: Call, intent: PaymentIntent, given: Confirmation): PaymentIntent {
  if (!isOpen(intent)) {
    const why =
      intent.status === 'succeeded'
        ? 'it has already succeeded after being previously confirmed'
        : `it has a status of ${intent.status}`;
    throw unexpectedState(`You cannot confirm this PaymentIntent because ${why}.`, intent);
  }
  const method = methodFor(call, intent, given);
  const chosen: PaymentIntent = {
    ...intent,
    payment_method: method.id,
    last_payment_error: null,
    next_action: null,
  };
  const behaviour = behaviourOf(call, method);
  switch (behaviour.kind) {
    case 'pays':
      return pay(call, chosen, method);
    case 'pays_then_disputed': {
      const paid = pay(call, chosen, method);
      openDispute(call, call.tx.get('charges', paid.latest_charge ?? '')!, { reason: 'fraudulent' });
      return paid;
    }
    case 'declines':
      throw cardError(decline(call, chosen, method, behaviour));
    case 'authenticates':
      return challenge(call, chosen);
    case 'processes': {
      const waiting = call.tx.put('payment_intents', { ...chosen, status: 'processing' });
      emit(call, 'payment_intent.processing', waiting);
      pendSession(call, waiting, method);
      return waiting;
    }
  }
}

function methodFor(call: Call, intent: PaymentIntent, given: Confirmation): PaymentMethod {
  if (given.payment_method) return methodById(call, given.payment_method);
  if (given.payment_method_data) return createMethod(call, given.payment_method_data);
  if (intent.payment_method) return methodById(call, intent.payment_method);
  throw unexpectedState(
    "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.",
    intent,
  );
}

/** Asks for 3D Secure, which Stripe.js shows in a frame. */
function challenge(call: Call, intent: PaymentIntent): PaymentIntent {
  const secret = encodeURIComponent(intent.client_secret);
  const url = `${call.apiUrl}/challenge/${intent.id}?payment_intent_client_secret=${secret}`;
  const asking = call.tx.put('payment_intents', {
    ...intent,
    next_action: {
      type: 'use_stripe_sdk',
      use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url },
    },
    status: 'requires_action',
  });
  emit(call, 'payment_intent.requires_action', asking);
  return asking;
}

/** The customer has answered the challenge. @throws StripeProblem 400 when there is none */
export function authenticate(cause: Cause, intent: PaymentIntent, passed: boolean): PaymentIntent {
  const method = cause.tx.get('payment_methods', intent.payment_method ?? '');
  if (intent.status !== 'requires_action' || !method) {
    throw unexpectedState(
      `This PaymentIntent has no challenge to answer: its status is ${intent.status}.`,
      intent,
    );
  }
  const answered: PaymentIntent = { ...intent, next_action: null };
  if (passed) return pay(cause, answered, method);
  return fail(cause, answered, {
    code: 'payment_intent_authentication_failure',
    message:
      'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
    payment_method: method,
    type: 'invalid_request_error',
  });
}

/** Ends `processing`. */
export function settle(cause: Cause, intent: PaymentIntent, outcome: 'succeeded' | 'failed'): PaymentIntent {
  const method = cause.tx.get('payment_methods', intent.payment_method ?? '');
  if (intent.status !== 'processing' || !method) {
    throw unexpectedState(
      `Only a PaymentIntent that is processing can be settled: it is ${intent.status}.`,
      intent,
    );
  }
  if (outcome === 'succeeded') return pay(cause, intent, method);
  const failed = decline(cause, intent, method, GENERIC_DECLINE);
  failPendingSession(cause, failed);
  return failed;
}

function pay(cause: Cause, intent: PaymentIntent, method: PaymentMethod): PaymentIntent {
  const charge = cause.tx.put('charges', newCharge(cause, intent, method));
  const paid = cause.tx.put('payment_intents', {
    ...intent,
    amount_received: intent.amount,
    latest_charge: charge.id,
    status: 'succeeded',
  });
  emit(cause, 'charge.succeeded', charge);
  emit(cause, 'payment_intent.succeeded', paid);
  completeSession(cause, paid, method);
  return paid;
}

function decline(cause: Cause, intent: PaymentIntent, method: PaymentMethod, reason: Decline): PaymentIntent {
  const charge = cause.tx.put('charges', newCharge(cause, intent, method, reason));
  emit(cause, 'charge.failed', charge);
  return fail(
    cause,
    { ...intent, latest_charge: charge.id },
    {
      charge: charge.id,
      code: reason.code,
      decline_code: reason.declineCode,
      message: reason.message,
      payment_method: method,
      type: 'card_error',
    },
  );
}

/** Returns to the start with the error: the customer may try another card. */
function fail(cause: Cause, intent: PaymentIntent, last_payment_error: PaymentError): PaymentIntent {
  const failed = cause.tx.put('payment_intents', {
    ...intent,
    last_payment_error,
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method',
  });
  emit(cause, 'payment_intent.payment_failed', failed);
  return failed;
}

/** The 402 answer for a declined card. */
function cardError(failed: PaymentIntent): StripeProblem {
  const { type: _type, ...error } = failed.last_payment_error as PaymentError;
  return new StripeProblem(402, { ...error, type: 'card_error', payment_intent: failed }, true);
}

/** A charge of a whole intent. Its balance transaction comes later: settlement.ts. */
const newCharge = (
  { nowS }: Cause,
  intent: PaymentIntent,
  method: PaymentMethod,
  decline?: Decline,
): Charge => ({
  id: newId('ch_3'),
  object: 'charge',
  amount: intent.amount,
  amount_refunded: 0,
  balance_transaction: null,
  billing_details: method.billing_details,
  captured: !decline,
  created: nowS,
  currency: intent.currency,
  disputed: false,
  failure_code: decline?.code ?? null,
  failure_message: decline?.message ?? null,
  livemode: false,
  metadata: intent.metadata,
  paid: !decline,
  payment_intent: intent.id,
  payment_method: method.id,
  payment_method_details: { card: method.card, type: 'card' },
  receipt_url: null,
  refunded: false,
  status: decline ? 'failed' : 'succeeded',
});
