/** The prerendered landing page's only script until the visitor interacts. */
import { fetchApp } from './app/fetch-app.ts';
import { waitForFirstTouch } from './public/first/first-touch.ts';
import { SANS, SERIF, SERIF_ITALIC } from './public/first/typefaces.ts';
import { fillFigures } from './public/landing/fill-figures.ts';

waitForFirstTouch({ fetchApp, fill: fillFigures, typefaces: [SERIF, SERIF_ITALIC, SANS] });
