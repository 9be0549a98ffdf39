import type { Logger } from '@arboleda/chassis/log.ts';
import { CURRENCIES, type Currency } from '@arboleda/contracts/countries.ts';
import { PHOTO_PACKAGE_TYPES, type PhotoPackageType } from '@arboleda/contracts/packages.ts';
import type { Price, SessionProvider } from './provider.ts';

/** Stripe's ids of the prices that are configured. */
export type PackagePrices = Partial<Record<PhotoPackageType, string>>;

export interface OfferedPackage {
  photoPackageType: PhotoPackageType;
  priceId: string;
  /** Absent while Stripe does not answer. */
  amount?: number;
  currency?: string;
}

/** What photo packages there are, and what Stripe takes for them. */
export interface Catalogue {
  isEmpty: boolean;
  typeOf(priceId: string): PhotoPackageType | undefined;
  /** What a price of Stripe's says never changes. @throws Stripe's errors, or an error when we do not know its currency */
  price(priceId: string): Promise<Price & { currency: Currency }>;
  list(): Promise<OfferedPackage[]>;
}

/** Whoever only looks waits no longer than this, and asks Stripe no oftener when it is away. */
const GLANCE_MS = 1_500;
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
      // A buyer is worth another try.
      if (known.get(priceId)?.failedAtMs !== undefined) known.delete(priceId);
      const { amountMinor, currency } = await price(priceId);
      if (!isKnown(currency)) throw new Error(`the price ${priceId} is in ${currency}`);
      return { amountMinor, currency };
    },
    list: () =>
      Promise.all(
        offered.map(async (one) => {
          const found = await within(GLANCE_MS, price(one.priceId));
          return found ? { ...one, amount: found.amountMinor, currency: found.currency } : one;
        }),
      ),
  };
}

const isKnown = (currency: string): currency is Currency => CURRENCIES.includes(currency as Currency);

/** What came in time; undefined when it failed or did not. */
async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), ms)));
  return Promise.race([promise.catch(() => undefined), late]).finally(() => clearTimeout(timer));
}
