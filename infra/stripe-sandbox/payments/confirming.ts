import { docUrl, StripeProblem, unexpectedState } from '../http/errors.ts';
import type { Cause } from '../events.ts';
import { emit } from '../events.ts';
import { newId } from '../ids.ts';
import type { NextAction, PaymentError, PaymentIntent, PaymentMethod } from '../objects.ts';
import { awaitPayment, completeSession, missPayment } from '../checkout/completing.ts';
import { openDispute } from './disputes.ts';
import { declineNamed, newCharge } from './charge.ts';
import { behaviourOf } from './payment-methods.ts';
import { behaviourNamed, declineError, type Behaviour } from './test-cards.ts';

/** How the client wants to show a challenge. */
export interface Challenge {
  apiUrl: string;
  returnUrl: string | null;
  useStripeSdk: boolean;
}

/**
 * Charges an intent as far as possible without the customer.
 * @throws StripeProblem 402 when the card is declined; changes are kept
 */
export function confirm(
  cause: Cause,
  intent: PaymentIntent,
  method: PaymentMethod,
  challenge: Challenge,
): PaymentIntent {
  const chosen: PaymentIntent = {
    ...intent,
    payment_method: method.id,
    last_payment_error: null,
    next_action: null,
  };
  const behaviour = behaviourNamed(behaviourOf(cause.tx, method.id));
  switch (behaviour.kind) {
    case 'pays':
    case 'pays_then_disputed':
      return pay(cause, chosen, method, { disputed: behaviour.kind === 'pays_then_disputed' });
    case 'declines':
      throw cardError(decline(cause, chosen, method, behaviour));
    case 'authenticates':
      return ask(cause, chosen, challenge);
    case 'processes': {
      const processing = { type: 'card' as const, card: {} };
      const waiting = cause.tx.put('payment_intents', { ...chosen, status: 'processing', processing });
      emit(cause, 'payment_intent.processing', waiting);
      awaitPayment(cause, waiting, method);
      return waiting;
    }
  }
}

/** The customer has answered the challenge. @throws StripeProblem 400 when there is none */
export function authenticate(cause: Cause, intent: PaymentIntent, passed: boolean): PaymentIntent {
  const method = challenged(cause, intent);
  const answered: PaymentIntent = { ...intent, next_action: null };
  if (!passed) {
    return fail(cause, answered, {
      code: 'payment_intent_authentication_failure',
      doc_url: docUrl('payment_intent_authentication_failure'),
      message:
        'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
      payment_method: method,
      type: 'invalid_request_error',
    });
  }
  const behaviour = behaviourNamed(behaviourOf(cause.tx, method.id));
  if (behaviour.kind === 'authenticates' && behaviour.then !== 'pays') {
    return decline(cause, answered, method, declineNamed(behaviour.then));
  }
  return pay(cause, answered, method, { authenticated: true });
}

function challenged({ tx }: Cause, intent: PaymentIntent): PaymentMethod {
  const method = intent.payment_method ? tx.get('payment_methods', intent.payment_method) : undefined;
  if (intent.status === 'requires_action' && method) return method;
  throw unexpectedState(
    `This PaymentIntent has no challenge to answer: its status is ${intent.status}.`,
    intent,
  );
}

/** Settles an intent that is `processing`. */
export function settle(cause: Cause, intent: PaymentIntent, outcome: 'succeeded' | 'failed'): PaymentIntent {
  const method = intent.payment_method ? cause.tx.get('payment_methods', intent.payment_method) : undefined;
  if (intent.status !== 'processing' || !method) {
    throw unexpectedState(
      `Only a PaymentIntent that is processing can be settled: it is ${intent.status}.`,
      intent,
    );
  }
  const settled: PaymentIntent = { ...intent, processing: null };
  if (outcome === 'succeeded') return pay(cause, settled, method, {});
  const failed = decline(cause, settled, method, declineNamed('generic_decline'));
  missPayment(cause, failed);
  return failed;
}

interface Paying {
  authenticated?: boolean;
  disputed?: boolean;
}

function pay(cause: Cause, intent: PaymentIntent, method: PaymentMethod, how: Paying): PaymentIntent {
  const { tx, nowS } = cause;
  const authenticated = how.authenticated ?? false;
  const charge = tx.put('charges', newCharge({ intent, method, nowS, authenticated }));
  const paid = tx.put('payment_intents', {
    ...intent,
    amount_received: intent.amount,
    latest_charge: charge.id,
    status: 'succeeded',
  });
  emit(cause, 'charge.succeeded', charge);
  emit(cause, 'payment_intent.succeeded', paid);
  completeSession(cause, paid, method);
  if (how.disputed) openDispute(cause, charge, { reason: 'fraudulent' });
  return paid;
}

function decline(
  cause: Cause,
  intent: PaymentIntent,
  method: PaymentMethod,
  behaviour: Extract<Behaviour, { kind: 'declines' }>,
): PaymentIntent {
  const { tx, nowS } = cause;
  const charge = tx.put(
    'charges',
    newCharge({ intent, method, nowS, authenticated: false, decline: behaviour }),
  );
  emit(cause, 'charge.failed', charge);
  const error = { ...declineError(behaviour, charge.id), payment_method: method };
  return fail(cause, { ...intent, latest_charge: charge.id }, error);
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

function ask(cause: Cause, intent: PaymentIntent, challenge: Challenge): PaymentIntent {
  const asking = cause.tx.put('payment_intents', {
    ...intent,
    next_action: nextAction(intent, challenge),
    status: 'requires_action',
  });
  emit(cause, 'payment_intent.requires_action', asking);
  return asking;
}

function nextAction(intent: PaymentIntent, { apiUrl, returnUrl, useStripeSdk }: Challenge): NextAction {
  const secret = encodeURIComponent(intent.client_secret);
  const url = `${apiUrl}/challenge/${intent.id}?payment_intent_client_secret=${secret}`;
  if (returnUrl && !useStripeSdk) {
    return {
      type: 'redirect_to_url',
      redirect_to_url: { url: `${url}&return_url=${encodeURIComponent(returnUrl)}`, return_url: returnUrl },
    };
  }
  return {
    type: 'use_stripe_sdk',
    use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url, source: newId('payatt_3') },
  };
}

/** The 402 answer for a declined card. */
function cardError(failed: PaymentIntent): StripeProblem {
  const { type: _type, ...error } = failed.last_payment_error as PaymentError;
  return new StripeProblem(402, { ...error, type: 'card_error', payment_intent: failed }, true);
}
