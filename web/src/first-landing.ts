/** The prerendered landing page's only script until the visitor interacts. */
import { chosenCurrency } from './api/currency.ts';
import { fetchApp } from './app/fetch-app.ts';
import { hydrateOnInteraction } from './public/first/hydrate-on-interaction.ts';
import { SANS, SERIF, SERIF_ITALIC } from './public/first/typefaces.ts';
import { fillFigures } from './public/landing/fill-figures.ts';

hydrateOnInteraction({
  fetchApp,
  fill: fillFigures,
  typefaces: [SERIF, SERIF_ITALIC, SANS],
  isUnderWay: () => chosenCurrency() !== undefined,
});
