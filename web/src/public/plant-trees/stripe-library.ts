import type { Stripe } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import type { Config } from '../../api/config.ts';

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
export async function loadCardLibrary(
  { publishableKey, scriptUrl }: Config['stripe'],
  locale: 'en' | 'es',
): Promise<Stripe> {
  await loadScript(scriptUrl);
  const stripe = await loadStripe(publishableKey, { locale });
  if (!stripe) throw new Error('No window to load Stripe in');
  return stripe;
}
