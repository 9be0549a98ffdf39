import { maxCardAmount } from '@arboleda/contracts/money.ts';
import {
  BASE_CURRENCY,
  FIXED_PACKAGES,
  PACKAGE_TYPES,
  priceOf,
  type PackageType,
} from '@arboleda/contracts/packages.ts';
import { call } from './client.ts';

export interface PackagePrices {
  currency: string;
  /** Units of the currency for one dollar. */
  exchangeRate: number;
  /** The day of the rate, and how long ago that was; absent with the dollar's own prices. */
  ratesAsOf?: string;
  ratesAgeDays?: number;
  /** Signed by the server; absent when prices could not be had and the dollar's stand in. */
  quote?: string;
  expiresAt?: string;
  /** The most that one card payment can take, minor units. */
  cardMaxAmount: number;
  packages: Record<PackageType, { trees: number; amount: number; unitAmount: number; savingAmount: number }>;
}

/** Giving up means another currency: over the slowest line prices are waited for longer than anything else. */
const PRICE_DEADLINE_MS = 20_000;

/** Every package in the visitor's currency, or in the one asked for. @throws what `call` throws */
export async function askForPackagePrices(signal?: AbortSignal, currency?: 'COP'): Promise<PackagePrices> {
  const { packages, ...quoted } = await call('GET /api/pricing/packages', {
    signal,
    query: { currency },
    timeoutMs: PRICE_DEADLINE_MS,
  });
  const byType = {} as PackagePrices['packages'];
  for (const one of packages) byType[one.packageType] = one;
  return { ...quoted, packages: byType };
}

/** Every package in the visitor's currency; in dollars when there is no answer. */
export async function loadPackagePrices(signal?: AbortSignal): Promise<PackagePrices> {
  try {
    return await askForPackagePrices(signal);
  } catch (failure) {
    if (signal?.aborted) throw failure;
    console.error('Prices could not be loaded', failure);
    return inDollars();
  }
}

/** Product spec section 8: without an answer the prices are those in dollars. */
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
