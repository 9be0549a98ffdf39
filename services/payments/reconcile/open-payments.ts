import type { Logger } from '@arboleda/chassis/log.ts';
import type { CardProvider } from '../card-provider.ts';
import type { Settle } from '../settle.ts';
import { sightingOf } from '../sighting.ts';
import type { PaymentStore, StoredPayment } from '../store.ts';

/** Each run asks about so many; the rest waits for the next. */
const BATCH = 100;

/** Asks Stripe what became of payments that are still open, and so repairs what webhooks lost. */
export async function reconcileOpenPayments(parts: {
  store: PaymentStore;
  provider: CardProvider;
  settle: Settle;
  logger: Logger;
}): Promise<void> {
  const { store, provider, settle, logger } = parts;

  async function check(payment: StoredPayment): Promise<void> {
    const { paymentId } = payment.purchase;
    try {
      const sighting = sightingOf(await provider.lookUp(payment.state.intentId));
      await settle({ paymentId, sighting, by: 'reconciler' });
    } catch (error) {
      logger.error({ err: error, paymentId }, 'a payment could not be reconciled');
    }
    await store.postpone(payment);
  }

  for (const payment of await store.due(BATCH)) await check(payment);
}
