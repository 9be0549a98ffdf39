/** The only script of the prerendered landing page until somebody touches it. */
import { fetchApp } from './app/fetch-app.ts';
import { waitForFirstTouch } from './public/landing/first-touch.ts';

waitForFirstTouch(fetchApp);
