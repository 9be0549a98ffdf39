import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useChosenCurrency } from './use-currency.ts';
import { loadDynamicPrice, PRICE_CACHE_MS, type DynamicPrice } from './tree-price.ts';

/** Price of one tree in the visitor's currency; undefined while loading. */
export function useDynamicPrice(): DynamicPrice | undefined {
  const currency = useChosenCurrency();
  return useQuery({
    queryKey: ['pricing', 'dynamic', currency ?? 'local'],
    queryFn: ({ signal }) => loadDynamicPrice(signal),
    staleTime: PRICE_CACHE_MS,
    placeholderData: keepPreviousData,
  }).data;
}
