import type { Stripe } from '@stripe/stripe-js';
import { useQuery } from '@tanstack/react-query';
import { useConfig } from '../../api/config.ts';
import type { Language } from '../../i18n/languages.ts';
import { loadCardLibrary } from './stripe-library.ts';

export interface CardLibrary {
  data: Stripe | undefined;
  isError: boolean;
  retry: () => void;
}

/** Stripe for this installation; "failed" when its settings or script cannot be loaded. */
export function useCardLibrary(language: Language, wanted: boolean): CardLibrary {
  const config = useConfig();
  const library = useQuery({
    queryKey: ['card-library', language, config.data?.stripe.scriptUrl],
    queryFn: () => loadCardLibrary(config.data!.stripe, language),
    enabled: wanted && Boolean(config.data),
    staleTime: Infinity,
    retry: 1,
    structuralSharing: false,
  });
  return {
    data: library.data,
    isError: config.isError || library.isError,
    retry: () => void (config.data ? library.refetch() : config.refetch()),
  };
}
