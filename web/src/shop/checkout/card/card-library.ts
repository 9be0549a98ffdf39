import type { Appearance, Stripe } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Config, useConfig } from '../../../api/config.ts';
import { asLanguage, type Language } from '../../../i18n/languages.ts';

let loading: Promise<void> | undefined;

/** Loads Stripe's script from the configured address; a failed load can be retried. */
function loadScript(scriptUrl: string): Promise<void> {
  loading ??= new Promise<void>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = scriptUrl;
    script.onload = () => resolve();
    script.onerror = () => {
      script.remove();
      loading = undefined;
      reject(new Error(`${scriptUrl} did not load`));
    };
    document.head.append(script);
  });
  return loading;
}

/** Stripe.js for this installation's account. @throws when it cannot be loaded */
async function loadCardLibrary(
  { publishableKey, scriptUrl }: Config['stripe'],
  locale: 'en' | 'es',
): Promise<Stripe> {
  await loadScript(scriptUrl);
  const stripe = await loadStripe(publishableKey, { locale });
  if (!stripe) throw new Error('No window to load Stripe in');
  return stripe;
}

export interface CardLibrary {
  data: Stripe | undefined;
  isError: boolean;
  retry: () => void;
}

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

function cardAppearance(page: Element = document.documentElement): Appearance {
  const style = getComputedStyle(page);
  const token = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    theme: 'flat',
    labels: 'above',
    variables: {
      colorPrimary: token('leaf'),
      colorBackground: token('surface'),
      colorText: token('ink'),
      colorTextSecondary: token('ink-quiet'),
      colorTextPlaceholder: token('ink-quiet'),
      colorDanger: token('brick'),
      fontFamily: '"Source Sans 3", system-ui, sans-serif',
      fontSizeBase: '18px',
      borderRadius: '4px',
      spacingUnit: '5px',
    },
    rules: {
      '.Label': { fontSize: '16px', fontWeight: '600', color: token('ink') },
      '.Input': { border: `1px solid ${token('edge')}`, boxShadow: 'none', padding: '11px 14px' },
      '.Input:focus': {
        borderColor: token('focus'),
        outline: `2px solid ${token('focus')}`,
        boxShadow: 'none',
      },
      '.Input--invalid': { borderColor: token('brick-edge'), boxShadow: 'none' },
    },
  };
}

/** Stripe's appearance for the current theme; follows the system from light to dark. */
export function useCardAppearance(): Appearance {
  const [appearance, setAppearance] = useState(() => cardAppearance());
  useEffect(() => {
    const scheme = window.matchMedia('(prefers-color-scheme: dark)');
    const follow = () => setAppearance(cardAppearance());
    scheme.addEventListener('change', follow);
    return () => scheme.removeEventListener('change', follow);
  }, []);
  return appearance;
}

/** The page's language, but constant during a payment, because a change replaces the card fields. */
export function usePaymentLanguage(isCharging: boolean): Language {
  const { i18n } = useTranslation();
  const language = asLanguage(i18n.language) ?? 'en';
  const [kept, setKept] = useState(language);
  if (!isCharging && kept !== language) setKept(language);
  return isCharging ? kept : language;
}
