/** The only script of the prerendered landing page until somebody touches it. */
import { fetchApp } from './app/fetch-app.ts';
import { waitForFirstTouch } from './public/first/first-touch.ts';
import { fillFigures } from './public/landing/fill-figures.ts';

waitForFirstTouch({ fetchApp, fill: fillFigures });
