import type { Person } from '@arboleda/chassis/http/identity.ts';
import type { Logger } from '@arboleda/chassis/log.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { fieldProblem, Problem } from '@arboleda/contracts/problems.ts';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isRefusal } from '../stripe/client.ts';
import type { Catalogue } from './catalogue.ts';
import type { PackagePurchase } from './package-purchase.ts';
import type { SessionProvider } from './provider.ts';
import { failPurchase, reservePurchase, type SettleSession } from './settle.ts';
import { paidOrder, type PaidOrder, purchaseNamed } from './store.ts';
import { crashPoint } from '@arboleda/chassis/crash-point.ts';

export interface PackageRequest {
  priceId: string;
  orderId: string;
  person: Pick<Person, 'email' | 'emailVerified'>;
}

/** How long a second call lets the first one finish before it asks Stripe itself. */
const PATIENCE_MS = 2_000;
const POLL_MS = 40;
/** The session that is there ends, another call makes one, that ends …: somebody else is at it, too. */
const MOST_TURNS = 6;

/**
 * Where a customer pays for a photo package of their own order. Calls at once, and again, lead to one session; with
 * another price the open session ends and a new one takes its place.
 * @returns the address of Stripe's page; throws Problem
 */
export function packageCheckout(parts: {
  sql: Sql;
  catalogue: Catalogue;
  provider: SessionProvider;
  settle: SettleSession;
  clock: () => Date;
  logger: Logger;
}): (asked: PackageRequest) => Promise<string> {
  const { sql, catalogue, provider, settle, clock, logger } = parts;

  async function ownOrder({ orderId, person }: PackageRequest): Promise<PaidOrder> {
    const order = await paidOrder(sql, orderId);
    if (!order || order.customer.email !== person.email) throw new Problem('not-found');
    if (order.isRefunded) throw new Problem('order-refunded');
    return order;
  }

  const ofStripe = <T>(asking: Promise<T>): Promise<T> =>
    asking.catch((cause: unknown) => {
      logger.error({ err: cause }, 'no checkout session');
      throw new Problem('checkout-session-failed', { cause });
    });

  /** Lets the call that came first finish; a crash may have ended it. */
  async function settledDown(purchase: PackagePurchase): Promise<PackagePurchase> {
    let latest = purchase;
    while (latest.status === 'creating' && clock().getTime() - latest.createdAt.getTime() < PATIENCE_MS) {
      await pause(POLL_MS);
      latest = (await purchaseNamed(sql, purchase.purchaseId)) ?? purchase;
    }
    return latest;
  }

  /** The session of what is on sale as it is now, brought into our books. */
  async function session(purchase: PackagePurchase) {
    const asking =
      purchase.sessionId === undefined ? provider.create(purchase) : provider.lookUp(purchase.sessionId);
    const seen = await ofStripe(
      asking.catch(async (error: unknown) => {
        if (isRefusal(error)) await failPurchase(sql, purchase, clock());
        throw error;
      }),
    );
    if (purchase.sessionId === undefined) crashPoint('session-created');
    await settle(seen);
    return seen;
  }

  /** @returns undefined when there is another beginning to be made */
  async function turn(wanted: PackagePurchase): Promise<string | undefined> {
    const { purchase: found, isNew } = await reservePurchase(sql, wanted);
    const purchase = isNew ? found : await settledDown(found);
    if (purchase.status === 'active' || purchase.status === 'processing')
      throw new Problem('photo-package-active');
    if (purchase.status !== 'creating' && purchase.status !== 'open') return undefined;
    const seen = await session(purchase);
    if (seen.outcome !== 'open') return undefined;
    const latest = await purchaseNamed(sql, purchase.purchaseId);
    // Another package may have been paid meanwhile: then nobody is to pay this one.
    if (latest?.status === 'open' && latest.priceId === wanted.priceId) return seen.checkoutUrl;
    await settle(await ofStripe(provider.expire(seen.sessionId)));
    return undefined;
  }

  return async (asked) => {
    if (!asked.person.emailVerified) throw new Problem('email-not-verified');
    if (catalogue.isEmpty) throw new Problem('photo-packages-not-offered');
    const photoPackageType = catalogue.typeOf(asked.priceId);
    if (!photoPackageType) throw fieldProblem('priceId', 'unknown-value');
    const { orderId, customer, language } = await ownOrder(asked);
    const { amountMinor, currency } = await ofStripe(catalogue.price(asked.priceId));
    for (let turns = 0; turns < MOST_TURNS; turns++) {
      const url = await turn({
        purchaseId: randomUUID(),
        orderId,
        photoPackageType,
        priceId: asked.priceId,
        amountMinor,
        currency,
        customer,
        language,
        status: 'creating',
        revision: 0,
        createdAt: clock(),
      });
      if (url !== undefined) return url;
    }
    throw new Problem('checkout-session-failed', { detail: 'others are at it, too' });
  };
}
