import type { Stripe } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import type { Config } from '../../api/config.ts';

let loading: Promise<void> | undefined;

/** Stripe's script from where this installation has it; a failed load can be tried again. */
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

/** The card library, ready for this installation's account. @throws when it cannot be had */
export async function loadCardLibrary(
  { publishableKey, scriptUrl }: Config['stripe'],
  locale: 'en' | 'es',
): Promise<Stripe> {
  await loadScript(scriptUrl);
  const stripe = await loadStripe(publishableKey, { locale });
  if (!stripe) throw new Error('No window to load Stripe in');
  return stripe;
}
