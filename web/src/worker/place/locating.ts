import { placeFault } from '@arboleda/contracts/colombia.ts';
import type { Fix } from './current.ts';

export type Locating =
  | { step: 'idle' }
  /** Searching, with the best fix so far. `isAbroad`: an ignored fix outside Colombia. */
  | { step: 'searching'; best?: Fix; isAbroad?: true }
  | { step: 'found'; fix: Fix }
  | { step: 'failed'; why: 'denied' | 'unavailable' | 'abroad' };

export type LocatingEvent =
  | { type: 'start' }
  | { type: 'fix'; fix: Fix }
  | { type: 'out-of-patience' }
  | { type: 'problem'; why: 'denied' | 'unavailable' };

/** Accurate enough to find a tree again, metres. */
export const GOOD_METRES = 15;
/** Fixes improve for a while; then the best one is taken, ms. */
export const SEARCH_TIMEOUT_MS = 25_000;

/** The more accurate fix; the later one of equals. */
const better = (best: Fix | undefined, fix: Fix): Fix =>
  best && best.accuracyMetres < fix.accuracyMetres ? best : fix;

export function locate(now: Locating, event: LocatingEvent): Locating {
  if (event.type === 'start') return { step: 'searching' };
  if (now.step !== 'searching') return now;
  switch (event.type) {
    case 'fix': {
      if (placeFault(event.fix)) return { ...now, isAbroad: true };
      const best = better(now.best, event.fix);
      return best.accuracyMetres <= GOOD_METRES ? { step: 'found', fix: best } : { step: 'searching', best };
    }
    case 'out-of-patience':
      return bestOr(now);
    case 'problem':
      // Without satellites the best earlier fix still counts.
      return event.why === 'denied' ? { step: 'failed', why: 'denied' } : bestOr(now);
  }
}

const bestOr = ({ best, isAbroad }: Extract<Locating, { step: 'searching' }>): Locating =>
  best ? { step: 'found', fix: best } : { step: 'failed', why: isAbroad ? 'abroad' : 'unavailable' };

/** Fix that can be saved now. */
export function currentFix(locating: Locating): Fix | undefined {
  if (locating.step === 'found') return locating.fix;
  return locating.step === 'searching' ? locating.best : undefined;
}
