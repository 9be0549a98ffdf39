import { crashPoint } from '@arboleda/chassis/crash-point.ts';
import type { Person } from '@arboleda/chassis/http/identity.ts';
import type { Logger } from '@arboleda/chassis/log.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { CURRENCIES, type Currency } from '@arboleda/contracts/countries.ts';
import { PHOTO_PACKAGE_TYPES, type PhotoPackageType } from '@arboleda/contracts/packages.ts';
import { fieldProblem, Problem } from '@arboleda/contracts/problems.ts';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { claimOf } from '../purchase/gifts.ts';
import { isRefusal } from '../stripe.ts';
import type { Price, SessionProvider } from './provider.ts';
import type { PackagePurchase } from './purchase.ts';
import { failPurchase, reservePurchase, type SettleSession } from './settle.ts';
import { paidOrder, purchases } from './store.ts';

export interface PackageRequest {
  priceId: string;
  orderId: string;
  person: Pick<Person, 'id' | 'name' | 'email' | 'emailVerified'>;
}

/** How long a concurrent call waits for the first one before it asks Stripe itself. */
const FIRST_CALL_TIMEOUT_MS = 2_000;
const POLL_MS = 40;
/** Concurrent calls with different prices can end each other's sessions; give up after this many rounds. */
const MOST_TURNS = 6;

/**
 * Returns the URL of Stripe's page where a customer pays for a photo package. Repeated and concurrent calls
 * share one session; another price ends the open session and creates a new one.
 * @throws Problem
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

  /** The buyer of the package: the order's buyer, or the account that claimed it as a gift. */
  type Buyer = Pick<PackagePurchase, 'customer' | 'language' | 'recipientAccountId'>;
  async function buyerOf({ orderId, person }: PackageRequest): Promise<Buyer> {
    const order = await paidOrder(sql, orderId);
    const isOwn = order?.customer.email === person.email;
    const claim = order && !isOwn ? await claimOf(sql, orderId, person.id) : undefined;
    if (!order || (!isOwn && !claim)) throw new Problem('not-found');
    if (order.isRefunded) throw new Problem('order-refunded');
    if (order.isWithdrawing) throw new Problem('order-withdrawing');
    if (!claim) return { customer: order.customer, language: order.language };
    const { id: recipientAccountId, name, email } = person;
    return { customer: { name, email }, language: claim.language, recipientAccountId };
  }

  const ofStripe = <T>(asking: Promise<T>): Promise<T> =>
    asking.catch((cause: unknown) => {
      logger.error({ err: cause }, 'no checkout session');
      throw new Problem('checkout-session-failed', { cause });
    });

  /** Waits for the first call to finish, which may have crashed. */
  async function afterFirstCall(purchase: PackagePurchase): Promise<PackagePurchase> {
    let latest = purchase;
    while (
      latest.status === 'creating' &&
      clock().getTime() - latest.createdAt.getTime() < FIRST_CALL_TIMEOUT_MS
    ) {
      await pause(POLL_MS);
      latest = (await purchases.get(sql, purchase.purchaseId)) ?? purchase;
    }
    return latest;
  }

  /** Fetches the current session from Stripe and settles it. */
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

  /** @returns undefined when the caller has to start over */
  async function turn(wanted: PackagePurchase): Promise<string | undefined> {
    const { purchase: found, isNew } = await reservePurchase(sql, wanted);
    const purchase = isNew ? found : await afterFirstCall(found);
    if (purchase.status === 'active' || purchase.status === 'processing')
      throw new Problem('photo-package-active');
    if (purchase.status !== 'creating' && purchase.status !== 'open') return undefined;
    const seen = await session(purchase);
    if (seen.outcome !== 'open') return undefined;
    const latest = await purchases.get(sql, purchase.purchaseId);
    // A package paid meanwhile makes this session obsolete.
    const isWanted =
      latest?.priceId === wanted.priceId && latest.recipientAccountId === wanted.recipientAccountId;
    if (latest?.status === 'open' && isWanted) return seen.checkoutUrl;
    await settle(await ofStripe(provider.expire(seen.sessionId)));
    return undefined;
  }

  return async (asked) => {
    if (!asked.person.emailVerified) throw new Problem('email-not-verified');
    if (catalogue.isEmpty) throw new Problem('photo-packages-not-offered');
    const photoPackageType = catalogue.typeOf(asked.priceId);
    if (!photoPackageType) throw fieldProblem('priceId', 'unknown-value');
    const buyer = await buyerOf(asked);
    const { amountMinor, currency } = await ofStripe(catalogue.price(asked.priceId));
    for (let turns = 0; turns < MOST_TURNS; turns++) {
      const url = await turn({
        purchaseId: randomUUID(),
        orderId: asked.orderId,
        photoPackageType,
        priceId: asked.priceId,
        amountMinor,
        currency,
        ...buyer,
        status: 'creating',
        revision: 0,
        createdAt: clock(),
      });
      if (url !== undefined) return url;
    }
    throw new Problem('checkout-session-failed', { detail: 'others are at it, too' });
  };
}

export type PackagePrices = Partial<Record<PhotoPackageType, string>>;

interface OfferedPackage {
  photoPackageType: PhotoPackageType;
  priceId: string;
  /** Absent while Stripe is unavailable. */
  amount?: number;
  currency?: string;
}

/** The photo packages on sale and their prices at Stripe. */
export interface Catalogue {
  isEmpty: boolean;
  typeOf(priceId: string): PhotoPackageType | undefined;
  /**
   * Cached for good, as Stripe's prices are immutable. @throws Stripe's errors, or an error for an
   * unsupported currency
   */
  price(priceId: string): Promise<Price & { currency: Currency }>;
  list(): Promise<OfferedPackage[]>;
}

/** Timeout for listing prices, and the pause before the next attempt while Stripe is unavailable. */
const LISTING_TIMEOUT_MS = 1_500;
const AWAY_MS = 15_000;

export function openCatalogue(parts: {
  prices: PackagePrices;
  provider: Pick<SessionProvider, 'price'>;
  clock: () => Date;
  logger: Logger;
}): Catalogue {
  const { prices, provider, clock, logger } = parts;
  const offered = PHOTO_PACKAGE_TYPES.flatMap((photoPackageType) => {
    const priceId = prices[photoPackageType];
    return priceId === undefined ? [] : [{ photoPackageType, priceId }];
  });
  const known = new Map<string, { asked: Promise<Price>; failedAtMs?: number }>();

  function price(priceId: string): Promise<Price> {
    const before = known.get(priceId);
    const isOld = before?.failedAtMs !== undefined && clock().getTime() - before.failedAtMs > AWAY_MS;
    if (before && !isOld) return before.asked;
    const asked = provider.price(priceId);
    known.set(priceId, { asked });
    asked.catch((error: unknown) => {
      logger.warn({ err: error, priceId }, 'a price could not be looked up');
      known.set(priceId, { asked, failedAtMs: clock().getTime() });
    });
    return asked;
  }

  return {
    isEmpty: offered.length === 0,
    typeOf: (priceId) => offered.find((one) => one.priceId === priceId)?.photoPackageType,
    async price(priceId) {
      // A buyer's request always retries.
      if (known.get(priceId)?.failedAtMs !== undefined) known.delete(priceId);
      const { amountMinor, currency } = await price(priceId);
      if (!isKnown(currency)) throw new Error(`the price ${priceId} is in ${currency}`);
      return { amountMinor, currency };
    },
    list: () =>
      Promise.all(
        offered.map(async (one) => {
          const found = await within(LISTING_TIMEOUT_MS, price(one.priceId));
          return found ? { ...one, amount: found.amountMinor, currency: found.currency } : one;
        }),
      ),
  };
}

const isKnown = (currency: string): currency is Currency => CURRENCIES.includes(currency as Currency);

/** @returns undefined on failure or timeout */
async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), ms)));
  return Promise.race([promise.catch(() => undefined), late]).finally(() => clearTimeout(timer));
}
