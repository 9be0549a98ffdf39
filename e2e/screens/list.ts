import { ADMIN } from './admin.ts';
import { CUSTOMER } from './customer.ts';
import { PUBLIC } from './public.ts';
import type { Screen } from './screen.ts';
import { WORKER } from './worker.ts';

/** Every screen of the web app. A new one is a line in the file of its area. */
export const SCREENS: readonly Screen[] = [...PUBLIC, ...CUSTOMER, ...ADMIN, ...WORKER];
