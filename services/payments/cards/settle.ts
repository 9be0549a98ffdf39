import { counter, type Metrics } from '@arboleda/chassis/http/metrics.ts';
import type { Logger } from '@arboleda/chassis/log.ts';
import type { SessionProvider } from '../photo-packages/provider.ts';
import type { SettleSession } from '../photo-packages/settle.ts';
import type { Source, Seen, WebhookReceipt } from '../settling.ts';
import { isRefusal } from '../stripe.ts';
import { observe, paymentIdOf, readIntent, type IntentSnapshot, intentSnapshotOf } from './payment.ts';
import type { CardProvider } from './provider.ts';
import type { Outcome, PaymentStore, StoredPayment } from './store.ts';

/**
 * Applies a Stripe intent to the payment it names. All payments settle here.
 * @param seen.known the payment, if the caller has just read it
 */
export type Settle = (
  seen: {
    paymentId: string | undefined;
    snapshot: IntentSnapshot;
    by: Source;
    known?: StoredPayment | undefined;
  },
  receipt?: WebhookReceipt,
) => Promise<Seen>;

export function settler(parts: {
  store: PaymentStore;
  clock: () => Date;
  logger: Logger;
  metrics: Metrics;
}): Settle {
  const { store, clock, logger } = parts;
  const sightings = counter(parts.metrics, {
    name: 'payments_sightings_total',
    help: 'What Stripe said of payment intents, by who brought it and what became of it',
    labels: ['by', 'result'],
  });

  return async ({ paymentId, snapshot, by, known }, receipt) => {
    const outcome = await store.change(
      paymentId,
      (payment) => observe(payment, snapshot, clock().toISOString()),
      { receipt, known },
    );
    const result = resultOf(outcome);
    sightings.inc({ by, result });
    const facts = { paymentId, intentId: snapshot.intentId, by, result };
    if (result === 'mismatched' && snapshot.outcome === 'succeeded')
      logger.error({ ...facts, received: snapshot.received }, 'paid is not what was asked');
    // The webhook may arrive before the payment is stored; nobody can have paid yet.
    else if (result === 'unknown' && snapshot.outcome === 'waiting') logger.info(facts, 'a new intent');
    else if (result === 'unknown' || result === 'not-ours') logger.warn(facts, 'an intent that is not ours');
    else logger.info(facts, 'payment was seen');
    return seenAs(outcome, result);
  };
}

/** The new state, or why nothing changed. For logs. */
function resultOf(outcome: Outcome): string {
  if (outcome.kind !== 'decided') return outcome.kind;
  return outcome.decision.kind === 'changed' ? outcome.decision.state.status : outcome.decision.why;
}

function seenAs(outcome: Outcome, result: string): Seen {
  if (outcome.kind === 'duplicate') return 'duplicate';
  if (result === 'unknown' || result === 'not-ours') return 'not-ours';
  return outcome.kind === 'decided' && outcome.decision.kind === 'changed' ? 'changed' : 'known';
}

/**
 * Fetches an intent from Stripe and settles it, as a refund's webhook may arrive before the payment's.
 * Ignores intents of other systems. @throws Stripe's errors
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
      await payment({ paymentId, snapshot: intentSnapshotOf(intent), by: 'answer' });
    } else if (intent.metadata?.purchaseId !== undefined) {
      const snapshot = await sessions.ofIntent(intentId);
      if (snapshot) await session(snapshot);
    }
  };
}
