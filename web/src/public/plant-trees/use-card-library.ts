import { useQuery } from '@tanstack/react-query';
import { useConfig } from '../../api/config.ts';
import type { Language } from '../../i18n/languages.ts';
import { loadCardLibrary } from './stripe-library.ts';

/** Stripe for this installation; failed when its settings or its script cannot be had. */
export function useCardLibrary(language: Language) {
  const config = useConfig();
  const library = useQuery({
    queryKey: ['card-library', language, config.data?.stripe.scriptUrl],
    queryFn: () => loadCardLibrary(config.data!.stripe, language),
    enabled: Boolean(config.data),
    staleTime: Infinity,
    retry: 1,
    structuralSharing: false,
  });
  return {
    data: library.data,
    isError: config.isError || library.isError,
    refetch: () => (config.data ? library.refetch() : config.refetch()),
  };
}
