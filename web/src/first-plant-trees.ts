/** The prerendered checkout's only script until the visitor interacts. */
import { chosenCurrency } from './api/currency.ts';
import { fetchApp } from './app/fetch-app.ts';
import { hydrateOnInteraction } from './shop/first/hydrate-on-interaction.ts';
import { SANS, SERIF } from './shop/first/typefaces.ts';
import { fillPrices } from './shop/checkout/fill-prices.ts';
import { isDraftKept } from './order/purchase/draft-key.ts';

hydrateOnInteraction({
  fetchApp,
  fill: fillPrices,
  typefaces: [SERIF, SANS],
  isUnderWay: () => isDraftKept() || chosenCurrency() !== undefined,
});
