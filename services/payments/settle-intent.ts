import type { CardProvider } from './card-provider.ts';
import type { SessionProvider } from './photo-packages/provider.ts';
import type { SettleSession } from './photo-packages/settle.ts';
import type { Settle } from './settle.ts';
import { paymentIdOf, readIntent, sightingOf } from './sighting.ts';
import { isRefusal } from './stripe/client.ts';

/**
 * Asks Stripe what an intent paid for and brings it into our books: news of money that went back may come before the news
 * that it came. An intent of others changes nothing. @throws Stripe's errors
 */
export function intentSettler(parts: {
  provider: Pick<CardProvider, 'lookUp'>;
  sessions: Pick<SessionProvider, 'ofIntent'>;
  payment: Settle;
  session: SettleSession;
}): (intentId: string) => Promise<void> {
  const { provider, sessions, payment, session } = parts;
  return async (intentId) => {
    const intent = await provider.lookUp(intentId).catch((error: unknown) => {
      if (!isRefusal(error)) throw error;
    });
    if (!intent) return;
    const paymentId = paymentIdOf(readIntent(intent));
    if (paymentId !== undefined) {
      await payment({ paymentId, sighting: sightingOf(intent), by: 'answer' });
    } else if (intent.metadata?.purchaseId !== undefined) {
      const sighting = await sessions.ofIntent(intentId);
      if (sighting) await session(sighting);
    }
  };
}
