/** The only script of the prerendered landing page until somebody touches it. */
import { waitForFirstTouch } from './public/landing/first-touch.ts';

waitForFirstTouch(() => import('./main.tsx'));
