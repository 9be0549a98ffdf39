import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { askForPackagePrices, loadPackagePrices, type PackagePrices } from './package-prices.ts';

export const PACKAGE_PRICES_KEY = ['pricing', 'packages'];

/** Every package in the visitor's currency. Asked for once: a price that somebody looks at does not change by itself. */
export function usePackagePrices(): UseQueryResult<PackagePrices> {
  return useQuery({
    queryKey: PACKAGE_PRICES_KEY,
    queryFn: ({ signal }) => loadPackagePrices(signal),
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
    queryFn: ({ signal }) => askForPackagePrices(signal, 'COP'),
    enabled: wanted,
    staleTime: Infinity,
    refetchOnReconnect: false,
  });
}
