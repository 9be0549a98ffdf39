import { COUNTRIES, type Currency } from '@arboleda/contracts/countries.ts';
import { maxCardAmount } from '@arboleda/contracts/money.ts';
import {
  BASE_CURRENCY,
  FIXED_PACKAGES,
  PACKAGE_TYPES,
  priceOf,
  type PackageType,
} from '@arboleda/contracts/packages.ts';
import { call } from './client.ts';
import { chosenCurrency } from './currency.ts';

export interface PackagePrices {
  currency: string;
  /** Currency asked for, or of the visitor's country; prices are in dollars while its rate is too old. */
  wantedCurrency?: Currency | undefined;
  /** Units of the currency per dollar. */
  exchangeRate: number;
  /** Date and age of the rate; absent for dollar prices. */
  ratesAsOf?: string;
  ratesAgeDays?: number;
  /** Signed quote; absent when the dollar prices are a fallback. */
  quote?: string;
  expiresAt?: string;
  /** Upper bound of one card payment, minor units. */
  cardMaxAmount: number;
  packages: Record<PackageType, { trees: number; amount: number; unitAmount: number; savingAmount: number }>;
}

/** Longer than other deadlines, because giving up changes the currency. */
const PRICE_DEADLINE_MS = 20_000;

/** Prices of all packages in the given currency, or that of the visitor's country. @throws what `call` throws */
export async function askForPackagePrices(signal?: AbortSignal, currency?: Currency): Promise<PackagePrices> {
  const { packages, ...quoted } = await call('GET /api/pricing/packages', {
    signal,
    query: { currency },
    timeoutMs: PRICE_DEADLINE_MS,
  });
  const byType = {} as PackagePrices['packages'];
  for (const one of packages) byType[one.packageType] = one;
  const wantedCurrency = currency ?? COUNTRIES.find(({ name }) => name === quoted.country)?.currency;
  return { ...quoted, wantedCurrency, packages: byType };
}

/**
 * Prices of all packages in the chosen currency, or that of the visitor's country (null); in dollars without an
 * answer.
 */
export async function loadPackagePrices(
  signal?: AbortSignal,
  chosen: Currency | null = chosenCurrency() ?? null,
): Promise<PackagePrices> {
  try {
    return await askForPackagePrices(signal, chosen ?? undefined);
  } catch (failure) {
    if (signal?.aborted) throw failure;
    console.error('Prices could not be loaded', failure);
    return inDollars();
  }
}

/** Fallback prices in dollars: product spec section 8. */
export function inDollars(): PackagePrices {
  const prices = PACKAGE_TYPES.map((packageType) => {
    const trees = packageType === 'custom' ? 1 : FIXED_PACKAGES[packageType].trees;
    const { amountMinor, unitAmountMinor, savingMinor } = priceOf(packageType, trees, 1, BASE_CURRENCY)!;
    return [
      packageType,
      { trees, amount: amountMinor, unitAmount: unitAmountMinor, savingAmount: savingMinor },
    ];
  });
  return {
    currency: BASE_CURRENCY,
    exchangeRate: 1,
    cardMaxAmount: maxCardAmount(BASE_CURRENCY),
    packages: Object.fromEntries(prices),
  };
}
