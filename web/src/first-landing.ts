/** The prerendered landing page's only script until the visitor interacts. */
import { chosenCurrency } from './api/currency.ts';
import { fetchApp } from './app/fetch-app.ts';
import { hydrateOnInteraction } from './shop/first/hydrate-on-interaction.ts';
import { SANS, SERIF, SERIF_ITALIC } from './shop/first/typefaces.ts';
import { fillFigures } from './shop/landing/fill-figures.ts';

/**
 * Fetches the page where most visitors go next, some before the app is here.
 * https://developer.mozilla.org/docs/Web/API/Speculation_Rules_API
 */
function prefetchCheckout(): void {
  const rules = document.createElement('script');
  rules.type = 'speculationrules';
  rules.textContent = JSON.stringify({ prefetch: [{ urls: ['/plant-trees'] }] });
  document.head.append(rules);
}

hydrateOnInteraction({
  fetchApp,
  fill() {
    fillFigures();
    prefetchCheckout();
  },
  typefaces: [SERIF, SERIF_ITALIC, SANS],
  isUnderWay: () => chosenCurrency() !== undefined,
});
