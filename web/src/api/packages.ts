import {
  BASE_CURRENCY,
  PACKAGE_TYPES,
  priceOf,
  FIXED_PACKAGES,
  type PackageType,
} from '@arboleda/contracts/packages.ts';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { call } from './client.ts';

export interface PackagePrices {
  currency: string;
  /** Units of the currency for one dollar. */
  exchangeRate: number;
  /** Signed by the server; absent when prices could not be had and the dollar's stand in. */
  quote?: string;
  expiresAt?: string;
  packages: Record<PackageType, { trees: number; amount: number; unitAmount: number; savingAmount: number }>;
}

export const PACKAGE_PRICES_KEY = ['pricing', 'packages'];

/** Giving up means another currency: over the slowest line prices are waited for longer than anything else. */
const PRICE_DEADLINE_MS = 20_000;

async function load(signal: AbortSignal, currency?: 'COP'): Promise<PackagePrices> {
  const { packages, ...quoted } = await call('GET /api/pricing/packages', {
    signal,
    query: { currency },
    timeoutMs: PRICE_DEADLINE_MS,
  });
  const byType = {} as PackagePrices['packages'];
  for (const one of packages) byType[one.packageType] = one;
  return { ...quoted, packages: byType };
}

async function loadOrFallBack(signal: AbortSignal): Promise<PackagePrices> {
  try {
    return await load(signal);
  } catch (failure) {
    if (signal.aborted) throw failure;
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
  return { currency: BASE_CURRENCY, exchangeRate: 1, packages: Object.fromEntries(prices) };
}

/** Every package in the visitor's currency. Asked for once: a price that somebody looks at does not change by itself. */
export function usePackagePrices(): UseQueryResult<PackagePrices> {
  return useQuery({
    queryKey: PACKAGE_PRICES_KEY,
    queryFn: ({ signal }) => loadOrFallBack(signal),
    staleTime: Infinity,
    refetchOnReconnect: false,
    // Without a network there are prices, too: those in dollars.
    networkMode: 'always',
  });
}

/** What a Colombian bank is sent. A guess would be the wrong amount in somebody's bank: without an answer there is none. */
export function usePesoPrices(wanted: boolean): UseQueryResult<PackagePrices> {
  return useQuery({
    queryKey: [...PACKAGE_PRICES_KEY, 'COP'],
    queryFn: ({ signal }) => load(signal, 'COP'),
    enabled: wanted,
    staleTime: Infinity,
    refetchOnReconnect: false,
  });
}
