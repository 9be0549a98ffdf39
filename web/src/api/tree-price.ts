import type { Currency } from '@arboleda/contracts/countries.ts';
import { minorPerMajor } from '@arboleda/contracts/money.ts';
import { call, type Answer } from './client.ts';
import { chosenCurrency } from './currency.ts';

/** Only the checkout shows the age of the rates. */
export type DynamicPrice = Omit<Answer<'GET /api/pricing/dynamic'>, 'ratesAsOf' | 'ratesAgeDays'>;

/** Prices are cached for an hour: product spec section 9. */
export const PRICE_CACHE_MS = 3_600_000;
const CACHE_KEY = 'arboleda.pricing';

/** Fallback price: product spec section 8. */
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

/** The API returns this one price in major units; the app uses minor units. */
export const majorToMinor = ({ localPrice, currency }: DynamicPrice): number =>
  Math.round(localPrice * minorPerMajor(currency));

interface Kept {
  price: DynamicPrice;
  /** The currency that was asked for; absent for that of the country. */
  chosen?: Currency | undefined;
  timestamp: number;
}

function readKept(chosen: Currency | undefined): Kept | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(CACHE_KEY) ?? 'null') as Kept | null;
    // A clock set back makes the age negative.
    const ageMs = kept ? Date.now() - kept.timestamp : Infinity;
    return kept && kept.chosen === chosen && ageMs >= 0 && ageMs < PRICE_CACHE_MS ? kept : undefined;
  } catch {
    return undefined;
  }
}

function keep(price: DynamicPrice, chosen: Currency | undefined): void {
  try {
    sessionStorage.setItem(
      CACHE_KEY,
      JSON.stringify({ price, chosen, timestamp: Date.now() } satisfies Kept),
    );
  } catch {
    // Without storage the next page load asks for the price again.
  }
}

/** Price of one tree in the chosen currency or that of the visitor's country; from session storage when less than an hour old. */
export async function loadDynamicPrice(signal?: AbortSignal): Promise<DynamicPrice> {
  const currency = chosenCurrency();
  const kept = readKept(currency);
  if (kept) return kept.price;
  try {
    const price = await call('GET /api/pricing/dynamic', { signal, query: { currency } });
    keep(price, currency);
    return price;
  } catch (failure) {
    if (signal?.aborted) throw failure;
    console.error('Local prices could not be loaded', failure);
    return FALLBACK;
  }
}
