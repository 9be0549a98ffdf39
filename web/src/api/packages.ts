import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Currency } from '@arboleda/contracts/countries.ts';
import { askForPackagePrices, loadPackagePrices, type PackagePrices } from './package-prices.ts';

export const PACKAGE_PRICES_KEY = ['pricing', 'packages'];

export const shownPricesKey = (currency: Currency | undefined) => [
  ...PACKAGE_PRICES_KEY,
  'shown',
  currency ?? 'local',
];

/**
 * Prices of all packages in a chosen currency, or that of the visitor's country. Loaded once, so that a price on
 * screen does not change.
 */
export function usePackagePrices(currency: Currency | undefined): UseQueryResult<PackagePrices> {
  return useQuery({
    queryKey: shownPricesKey(currency),
    queryFn: ({ signal }) => loadPackagePrices(signal, currency ?? null),
    staleTime: Infinity,
    refetchOnReconnect: false,
    // Another currency must not close the checkout while its prices load.
    placeholderData: keepPreviousData,
    // Dollar prices work offline too.
    networkMode: 'always',
  });
}

/** Peso prices for transfers to Colombian banks. No fallback: a guess would transfer a wrong amount. */
export function usePesoPrices(wanted: boolean): UseQueryResult<PackagePrices> {
  return useQuery({
    queryKey: [...PACKAGE_PRICES_KEY, 'COP'],
    queryFn: ({ signal }) => askForPackagePrices(signal, 'COP'),
    enabled: wanted,
    staleTime: Infinity,
    refetchOnReconnect: false,
  });
}
