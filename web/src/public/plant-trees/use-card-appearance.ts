import type { Appearance } from '@stripe/stripe-js';
import { useEffect, useState } from 'react';
import { cardAppearance } from './appearance.ts';

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
