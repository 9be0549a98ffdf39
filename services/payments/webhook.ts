import { counter, type Metrics } from '@arboleda/chassis/http/metrics.ts';
import type { Logger } from '@arboleda/chassis/log.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import Stripe from 'stripe';
import type { CardProvider } from './cards/provider.ts';
import type { Charges } from './cards/charges.ts';
import { disputeOf } from './money/dispute.ts';
import type { SettleDispute } from './disputes/settle.ts';
import { sessionSnapshotOf } from './photo-packages/provider.ts';
import type { SettleSession } from './photo-packages/settle.ts';
import { refundSnapshotOf, type SettleRefund } from './refunds/settle.ts';
import type { Settle } from './cards/settle.ts';
import { EVENT_TYPES, type Source, type Seen } from './settling.ts';
import { paymentIdOf, readIntent, intentSnapshotOf } from './cards/payment.ts';
import type { PaymentStore } from './cards/store.ts';
import type { StripeIntent } from './stripe.ts';

export interface Settlers {
  payment: Settle;
  refund: SettleRefund;
  dispute: SettleDispute;
  session: SettleSession;
  charge: Charges['changed'];
}

export type ReadWebhook = (rawBody: Buffer, header: string | string[] | undefined) => Stripe.Event;

/** A webhook's time and a signature, as Stripe sends them: https://docs.stripe.com/webhooks#verify-manually */
const SIGNATURE = /^t=(\d+),(?:v\d=\w+,)*v1=[0-9a-f]{64}\b/;

/**
 * Reads a webhook, and counts those whose signature has Stripe's form but was not made with our secret: what Stripe sends to
 * an endpoint with another secret, and strangers do not.
 */
export function webhookReader(
  provider: Pick<CardProvider, 'readEvent'>,
  metrics: Metrics,
  clock: () => Date,
): ReadWebhook {
  const refused = counter(metrics, {
    name: 'payments_webhooks_refused_total',
    help: 'Webhooks that were signed with another secret than ours',
    labels: [],
  });
  return (rawBody, header) => {
    const signature = typeof header === 'string' ? header : '';
    try {
      return provider.readEvent(rawBody, signature, clock());
    } catch (error) {
      if (error instanceof Problem && error.type === 'signature-invalid' && SIGNATURE.test(signature))
        refused.inc();
      throw error;
    }
  };
}

/** Processes one Stripe event, once. @returns what became of it */
export type Receive = (event: Stripe.Event, by?: Source) => Promise<Seen>;

export function webhookReceiver(parts: {
  store: PaymentStore;
  provider: CardProvider;
  settlers: Settlers;
  logger: Logger;
  metrics: Metrics;
  detailWithinMs: number;
}): Receive {
  const { store, provider, settlers, logger } = parts;
  const foreign = counter(parts.metrics, {
    name: 'payments_webhooks_of_other_versions_total',
    help: 'Webhooks that Stripe wrote in another version of its API than we read',
    labels: ['version'],
  });

  /**
   * Completes a webhook: the card of a success is on the charge it names, and an open payment's state may be
   * outdated, as webhooks come in any order.
   */
  async function completed(intent: StripeIntent): Promise<StripeIntent> {
    const isPaid = intent.status === 'succeeded';
    const isKnown = isPaid ? typeof intent.latest_charge !== 'string' : !isUnfinished(intent);
    if (isKnown) return intent;
    try {
      const now = readIntent(await provider.lookUp(intent.id, parts.detailWithinMs));
      return isPaid ? { ...intent, latest_charge: now.latest_charge } : now;
    } catch (error) {
      logger.warn({ err: error, intentId: intent.id }, 'an intent could not be looked up');
      return intent;
    }
  }

  /** The fields may differ in another API version: set the endpoint at Stripe to ours. */
  function noticeVersion({ api_version: version }: Stripe.Event) {
    if (!version || version === Stripe.API_VERSION) return;
    foreign.inc({ version });
    if (noticed.has(version)) return;
    noticed.add(version);
    logger.error(
      { version, expected: Stripe.API_VERSION },
      'webhooks are of another version of Stripe’s API',
    );
  }
  const noticed = new Set<string>();

  return async (event, by = 'webhook') => {
    noticeVersion(event);
    const receipt = { eventId: event.id, type: event.type };
    const object = event.data.object as { object?: string };
    const intent = object.object === 'payment_intent' ? readIntent(object) : undefined;
    const paymentId = intent && paymentIdOf(intent);
    const isOurs = paymentId !== undefined;
    // Stripe sends such an event for every intent, often before the payment is stored, and no attempt was made yet.
    if (isOurs && isUntried(intent!)) return 'known';
    // Wasted for duplicate webhooks, which are rare. Only for a success: the state of an open payment has to
    // be read after ours.
    const completing = isOurs && intent!.status === 'succeeded' ? completed(intent!) : undefined;
    const known = isOurs ? await store.unlessTaken(paymentId, event.id) : undefined;
    if (known === 'taken') return 'duplicate';
    // The others notice a duplicate when they record it.
    if (ASKS_STRIPE.has(object.object!) && (await store.hasReceipt(event.id))) return 'duplicate';
    switch (object.object) {
      case 'payment_intent': {
        // Photo packages settle by their checkout session.
        if (intent!.metadata?.purchaseId !== undefined) break;
        const seen = known ? await (completing ?? completed(intent!)) : intent!;
        return settlers.payment({ paymentId, snapshot: intentSnapshotOf(seen), by, known }, receipt);
      }
      case 'refund':
        return settlers.refund(refundSnapshotOf(object), receipt);
      case 'dispute':
        return settlers.dispute(disputeOf(object), receipt);
      case 'checkout.session':
        return settlers.session(sessionSnapshotOf(object, event.type), receipt);
      case 'charge':
        if (event.type === 'charge.updated') return settlers.charge(object, receipt);
    }
    // The reconciler asks for these again, unless they were recorded.
    const isAskedFor = (EVENT_TYPES as readonly string[]).includes(event.type);
    return !isAskedFor || (await store.takeNote(receipt)) ? 'not-ours' : 'duplicate';
  };
}

/** Waits for the buyer, and no attempt has failed. */
const isUntried = (intent: StripeIntent): boolean =>
  intentSnapshotOf(intent).outcome === 'waiting' && !isUnfinished(intent);

/** Kinds of objects about which Stripe may be asked before anything is recorded. */
const ASKS_STRIPE: ReadonlySet<string> = new Set(['refund', 'dispute', 'checkout.session']);

/** The attempt is processing, or failed and may be retried. */
const isUnfinished = (intent: StripeIntent): boolean =>
  intent.status === 'processing' || intent.last_payment_error != null;
