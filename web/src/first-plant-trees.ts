/** The prerendered checkout's only script until the visitor interacts. */
import { chosenCurrency } from './api/currency.ts';
import { fetchApp } from './app/fetch-app.ts';
import { hydrateOnInteraction } from './public/first/hydrate-on-interaction.ts';
import { SANS, SERIF } from './public/first/typefaces.ts';
import { fillPrices } from './public/plant-trees/fill-prices.ts';
import { isDraftKept } from './order/purchase/draft-key.ts';

hydrateOnInteraction({
  fetchApp,
  fill: fillPrices,
  typefaces: [SERIF, SANS],
  isUnderWay: () => isDraftKept() || chosenCurrency() !== undefined,
});
