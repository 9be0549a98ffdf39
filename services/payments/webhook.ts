import type { Logger } from '@arboleda/chassis/log.ts';
import type Stripe from 'stripe';
import type { CardProvider } from './card-provider.ts';
import type { Settle } from './settle.ts';
import { paymentIdOf, sightingOf } from './sighting.ts';
import type { PaymentStore } from './store.ts';

/** The card is worth a moment, never the payment. */
const CARD_DEADLINE_MS = 3_000;

/** Takes one event of Stripe, once. */
export function webhookReceiver(parts: {
  store: PaymentStore;
  provider: CardProvider;
  settle: Settle;
  logger: Logger;
}): (event: Stripe.Event) => Promise<void> {
  const { store, provider, settle, logger } = parts;

  /** A webhook only names the charge; the card's brand and digits are on it. */
  async function withCharge(intent: Stripe.PaymentIntent): Promise<Stripe.PaymentIntent> {
    if (intent.status !== 'succeeded' || typeof intent.latest_charge !== 'string') return intent;
    try {
      const { latest_charge } = await provider.lookUp(intent.id, CARD_DEADLINE_MS);
      return { ...intent, latest_charge };
    } catch (error) {
      logger.warn({ err: error, intentId: intent.id }, 'the card could not be looked up');
      return intent;
    }
  }

  return async (event) => {
    const receipt = { eventId: event.id, type: event.type };
    const intent = intentOf(event);
    if (!intent) return store.takeNote(receipt);
    if (await store.hasReceipt(event.id)) return;
    const paymentId = paymentIdOf(intent);
    const isOurs = paymentId !== undefined && (await store.get(paymentId)) !== undefined;
    const seen = isOurs ? await withCharge(intent) : intent;
    await settle({ paymentId, sighting: sightingOf(seen), by: 'webhook' }, receipt);
  };
}

const intentOf = (event: Stripe.Event): Stripe.PaymentIntent | undefined => {
  const object = event.data.object as { object?: string };
  return object.object === 'payment_intent' ? (object as Stripe.PaymentIntent) : undefined;
};
