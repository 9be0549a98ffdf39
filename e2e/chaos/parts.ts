import type { Part } from './frame/part.ts';

/** A part is loaded when it is asked for: it may need what the others do not. One line for each. */
export const PARTS: Record<string, () => Promise<Part>> = {
  crash: () => import('./crash/crash.ts'),
  webhooks: () => import('./webhooks/webhooks.ts'),
  faults: () => import('./faults/faults.ts'),
  races: () => import('./races/races.ts'),
  soak: () => import('./soak/soak.ts'),
};
