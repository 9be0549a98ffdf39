import { minorPerMajor } from '@arboleda/contracts/money.ts';
import { call, type Answer } from './client.ts';

/** The age of the rates is the checkout's to tell. */
export type DynamicPrice = Omit<Answer<'GET /api/pricing/dynamic'>, 'ratesAsOf' | 'ratesAgeDays'>;

/** Product spec section 9: prices are kept for an hour. */
export const PRICE_CACHE_MS = 3_600_000;
const CACHE_KEY = 'arboleda.pricing';

/** Product spec section 8: what is shown when prices cannot be had. */
const FALLBACK: DynamicPrice = {
  currency: 'USD',
  country: 'United States',
  countryCode: 'US',
  exchangeRate: 1,
  basePrice: 5,
  localPrice: 5,
  formatted: '$5.00',
  symbol: '$',
  flag: '🇺🇸',
};

/** The API tells this one price in major units; everything else here counts in minor ones. */
export const majorToMinor = ({ localPrice, currency }: DynamicPrice): number =>
  Math.round(localPrice * minorPerMajor(currency));

interface Kept {
  price: DynamicPrice;
  timestamp: number;
}

function readKept(): Kept | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(CACHE_KEY) ?? 'null') as Kept | null;
    // A clock that was put back makes an age that is none.
    const ageMs = kept ? Date.now() - kept.timestamp : Infinity;
    return kept && ageMs >= 0 && ageMs < PRICE_CACHE_MS ? kept : undefined;
  } catch {
    return undefined;
  }
}

function keep(price: DynamicPrice): void {
  try {
    sessionStorage.setItem(CACHE_KEY, JSON.stringify({ price, timestamp: Date.now() } satisfies Kept));
  } catch {
    // Without storage the price is asked for again on the next page load.
  }
}

/** The price of one tree in the visitor's currency, from this tab's memory when it is less than an hour old. */
export async function loadDynamicPrice(signal?: AbortSignal): Promise<DynamicPrice> {
  const kept = readKept();
  if (kept) return kept.price;
  try {
    const price = await call('GET /api/pricing/dynamic', { signal });
    keep(price);
    return price;
  } catch (failure) {
    if (signal?.aborted) throw failure;
    console.error('Local prices could not be loaded', failure);
    return FALLBACK;
  }
}
