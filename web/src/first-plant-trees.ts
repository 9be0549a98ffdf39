/** The prerendered checkout's only script until the visitor interacts. */
import { fetchApp } from './app/fetch-app.ts';
import { hydrateOnInteraction } from './public/first/first-touch.ts';
import { SANS, SERIF } from './public/first/typefaces.ts';
import { fillPrices } from './public/plant-trees/fill-prices.ts';
import { isDraftKept } from './public/plant-trees/kept-draft.ts';

hydrateOnInteraction({ fetchApp, fill: fillPrices, typefaces: [SERIF, SANS], isUnderWay: isDraftKept });
