import { fromStripeAmount } from '@arboleda/contracts/money.ts';
import type Stripe from 'stripe';
import { chargeFacts } from './charges/charge.ts';
import type { Card, Sighting } from './payment.ts';

/** What an intent of Stripe says, in our words. A charge that is only named (not expanded) tells nothing of the card. */
export function sightingOf(intent: Stripe.PaymentIntent): Sighting {
  const intentId = intent.id;
  switch (intent.status) {
    case 'succeeded': {
      const charge = typeof intent.latest_charge === 'string' ? undefined : intent.latest_charge;
      const currency = intent.currency.toUpperCase();
      return {
        intentId,
        outcome: 'succeeded',
        received: { amountMinor: fromStripeAmount(intent.amount_received, currency), currency },
        card: charge ? cardOf(charge) : undefined,
        paidAt: charge ? new Date(charge.created * 1000).toISOString() : undefined,
        charge: chargeFacts(intent),
      };
    }
    case 'processing':
      return { intentId, outcome: 'processing' };
    case 'canceled':
      return { intentId, outcome: 'canceled' };
    default:
      return waitingOrFailed(intent);
  }
}

/** After a failed attempt an intent waits for the next one, with the error of the last on it. */
function waitingOrFailed({ id, status, last_payment_error: error }: Stripe.PaymentIntent): Sighting {
  if (status !== 'requires_payment_method' || !error) return { intentId: id, outcome: 'waiting' };
  const reason = error.decline_code ?? error.code ?? error.type;
  return {
    intentId: id,
    outcome: 'failed',
    failure: { attemptId: error.charge ?? error.payment_method?.id ?? reason, reason },
  };
}

function cardOf(charge: Stripe.Charge): Card | undefined {
  const card = charge.payment_method_details?.card;
  return card?.brand && card.last4 ? { brand: card.brand, last4: card.last4 } : undefined;
}

/** The payment that an intent says it belongs to; undefined for intents that others made on the same account. */
export const paymentIdOf = (intent: Stripe.PaymentIntent): string | undefined => intent.metadata?.paymentId;
