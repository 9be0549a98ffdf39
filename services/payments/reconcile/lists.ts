import type { Logger } from '@arboleda/chassis/log.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import type Stripe from 'stripe';
import { disputeOf } from '../money/dispute.ts';
import { sessionSnapshotOf } from '../photo-packages/provider.ts';
import { refundSnapshotOf } from '../refunds/settle.ts';
import { EVENT_TYPES, receiptsAmong, type Seen } from '../settling.ts';
import { paymentIdOf, readIntent, intentSnapshotOf } from '../cards/payment.ts';
import type { Receive, Settlers } from '../webhook.ts';

export const LIST_NAMES = ['payment intents', 'checkout sessions', 'refunds', 'disputes', 'events'] as const;
export type ListName = (typeof LIST_NAMES)[number];

/** The result of reading one of Stripe's lists. */
export interface ListReport {
  list: ListName;
  lookedAt: number;
  repaired: number;
  /** Objects of other systems on the same account. */
  notOurs: number;
  failed: number;
  /** Why the list was not read to its end. */
  fault?: string;
}

/** @param onward called between pages, to renew the lease */
export type ReadList = (since: Date, onward: () => Promise<void>) => Promise<ListReport>;

const ONWARD_EVERY = 50;

/** Stripe's lists, and how each object on them is settled. */
export function stripeLists(parts: {
  stripe: Stripe;
  sql: Sql;
  settlers: Settlers;
  receive: Receive;
  logger: Logger;
}): Record<ListName, ReadList> {
  const { stripe, sql, settlers, receive, logger } = parts;
  const from = (since: Date) => ({ created: { gte: Math.floor(since.getTime() / 1000) }, limit: 100 });

  const reader =
    <T extends { id: string }>(
      list: ListName,
      read: (since: Date) => AsyncIterable<T>,
      take: (object: T) => Promise<Seen>,
    ): ReadList =>
    async (since, onward) => {
      const report: ListReport = { list, lookedAt: 0, repaired: 0, notOurs: 0, failed: 0 };
      try {
        for await (const object of read(since)) {
          if (++report.lookedAt % ONWARD_EVERY === 0) await onward();
          const seen = await take(object).catch((error: unknown) => {
            logger.error(
              { err: error, list, objectId: object.id },
              'an object of Stripe could not be reconciled',
            );
            report.failed++;
          });
          if (seen === 'changed') report.repaired++;
          if (seen === 'not-ours') report.notOurs++;
        }
      } catch (error) {
        logger.error({ err: error, list }, 'a list of Stripe could not be read');
        report.fault = (error as Error).message;
      }
      return report;
    };

  return {
    'payment intents': reader(
      'payment intents',
      (since) => stripe.paymentIntents.list({ ...from(since), expand: ['data.latest_charge'] }),
      async (intent) => {
        if (intent.metadata?.purchaseId !== undefined) return 'known';
        const paymentId = paymentIdOf(readIntent(intent));
        if (paymentId === undefined) return 'not-ours';
        return settlers.payment({ paymentId, snapshot: intentSnapshotOf(intent), by: 'reconciler' });
      },
    ),
    'checkout sessions': reader(
      'checkout sessions',
      (since) => stripe.checkout.sessions.list(from(since)),
      (session) => settlers.session(sessionSnapshotOf(session)),
    ),
    refunds: reader(
      'refunds',
      (since) => stripe.refunds.list(from(since)),
      (refund) => settlers.refund(refundSnapshotOf(refund)),
    ),
    disputes: reader(
      'disputes',
      (since) => stripe.disputes.list(from(since)),
      (dispute) => settlers.dispute(disputeOf(dispute)),
    ),
    events: reader(
      'events',
      (since) => stripe.events.list({ ...from(since), types: [...EVENT_TYPES] }),
      async (event) => {
        if ((await receiptsAmong(sql, [event.id])).size > 0) return 'known';
        return receive(event, 'reconciler');
      },
    ),
  };
}
