import type { Logger } from '@arboleda/chassis/log.ts';
import type Stripe from 'stripe';
import type { CardProvider } from './card-provider.ts';
import { disputeOf } from './disputes/dispute.ts';
import type { SettleDispute } from './disputes/settle.ts';
import { sessionSightingOf } from './packages/provider.ts';
import type { SettleSession } from './packages/settle.ts';
import { refundSightingOf } from './refunds/provider.ts';
import type { SettleRefund } from './refunds/settle.ts';
import type { Bringer, Seen } from './seen.ts';
import type { Settle } from './settle.ts';
import { paymentIdOf, sightingOf } from './sighting.ts';
import type { PaymentStore } from './store.ts';

/** The card is worth a moment, never the payment. */
const CARD_DEADLINE_MS = 3_000;

export interface Settlers {
  payment: Settle;
  refund: SettleRefund;
  dispute: SettleDispute;
  session: SettleSession;
}

/** Takes one event of Stripe, once; @returns what became of it. */
export type Receive = (event: Stripe.Event, by?: Bringer) => Promise<Seen>;

export function webhookReceiver(parts: {
  store: PaymentStore;
  provider: CardProvider;
  settlers: Settlers;
  logger: Logger;
}): Receive {
  const { store, provider, settlers, logger } = parts;

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

  return async (event, by = 'webhook') => {
    const receipt = { eventId: event.id, type: event.type };
    if (await store.hasReceipt(event.id)) return 'duplicate';
    const object = event.data.object as { object?: string };
    switch (object.object) {
      case 'payment_intent': {
        const intent = object as Stripe.PaymentIntent;
        // Of a photo package its checkout session tells.
        if (intent.metadata?.purchaseId !== undefined) break;
        const paymentId = paymentIdOf(intent);
        const isOurs = paymentId !== undefined && (await store.get(paymentId)) !== undefined;
        const seen = isOurs ? await withCharge(intent) : intent;
        return settlers.payment({ paymentId, sighting: sightingOf(seen), by }, receipt);
      }
      case 'refund':
        return settlers.refund(refundSightingOf(object as Stripe.Refund), receipt);
      case 'dispute':
        return settlers.dispute(disputeOf(object as Stripe.Dispute), receipt);
      case 'checkout.session':
        return settlers.session(sessionSightingOf(object as Stripe.Checkout.Session, event.type), receipt);
    }
    await store.takeNote(receipt);
    return 'stranger';
  };
}
