import type { Part } from './frame/part.ts';

const crash = (): Promise<Part> => import('./crash/crash.ts');

/** A part is loaded when it runs: it may need what the others do not. */
export const PARTS: Record<string, () => Promise<Part>> = {
  crash,
  /** `crash --tier=together`: all services in one process, as `npm start` runs them. */
  'crash-together': async () => {
    const { run } = await crash();
    return { run: (options) => run({ ...options, settings: { ...options.settings, tier: 'together' } }) };
  },
  webhooks: () => import('./webhooks/webhooks.ts'),
  faults: () => import('./faults/faults.ts'),
  races: () => import('./races/races.ts'),
  soak: () => import('./soak/soak.ts'),
};
