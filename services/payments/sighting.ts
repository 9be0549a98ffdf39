import { fromStripeAmount } from '@arboleda/contracts/money.ts';
import { chargeFacts } from './charges/charge.ts';
import type { Card, Sighting } from './payment.ts';
import { readStripe, type StripeCharge, type StripeIntent, stripeIntent } from './stripe/objects.ts';

/** @throws Problem when it is not as Stripe documents it */
export const readIntent = (object: unknown): StripeIntent =>
  readStripe(stripeIntent, object, ['data', 'object']);

/**
 * What an intent of Stripe says, in our words. A charge that is only named (not expanded) tells nothing of the card.
 * @throws Problem when it is not as Stripe documents it
 */
export function sightingOf(object: object): Sighting {
  const intent = readIntent(object);
  const intentId = intent.id;
  switch (intent.status) {
    case 'succeeded': {
      const charge = typeof intent.latest_charge === 'string' ? undefined : intent.latest_charge;
      const currency = intent.currency.toUpperCase();
      return {
        intentId,
        outcome: 'succeeded',
        received: { amountMinor: fromStripeAmount(intent.amount_received!, currency), currency },
        card: charge ? cardOf(charge) : undefined,
        paidAt: charge ? new Date(charge.created * 1000).toISOString() : undefined,
        charge: chargeFacts(charge),
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
function waitingOrFailed({ id, status, last_payment_error: error }: StripeIntent): Sighting {
  if (status !== 'requires_payment_method' || !error) return { intentId: id, outcome: 'waiting' };
  const reason = error.decline_code ?? error.code ?? error.type ?? 'unknown';
  return {
    intentId: id,
    outcome: 'failed',
    failure: { attemptId: error.charge ?? error.payment_method?.id ?? reason, reason },
  };
}

function cardOf(charge: StripeCharge): Card | undefined {
  const card = charge.payment_method_details?.card;
  return card?.brand && card.last4 ? { brand: card.brand, last4: card.last4 } : undefined;
}

/** The payment that an intent says it belongs to; undefined for intents that others made on the same account. */
export const paymentIdOf = ({ metadata }: Pick<StripeIntent, 'metadata'>): string | undefined =>
  metadata?.paymentId;
