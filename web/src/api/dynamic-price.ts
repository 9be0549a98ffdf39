import { useQuery } from '@tanstack/react-query';
import { loadDynamicPrice, PRICE_CACHE_MS, type DynamicPrice } from './tree-price.ts';

/** Price of one tree in the visitor's currency; undefined while loading. */
export function useDynamicPrice(): DynamicPrice | undefined {
  return useQuery({
    queryKey: ['pricing', 'dynamic'],
    queryFn: ({ signal }) => loadDynamicPrice(signal),
    staleTime: PRICE_CACHE_MS,
  }).data;
}
