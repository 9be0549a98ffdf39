import { placeFault } from '@arboleda/contracts/colombia.ts';
import type { Fix } from './current.ts';

export type Locating =
  | { step: 'idle' }
  /** Listening, with the best that was heard so far, and whether a place abroad was heard, which does not count. */
  | { step: 'searching'; best?: Fix; isAbroad?: true }
  | { step: 'found'; fix: Fix }
  | { step: 'failed'; why: 'denied' | 'unavailable' | 'abroad' };

export type LocatingEvent =
  | { type: 'start' }
  | { type: 'fix'; fix: Fix }
  | { type: 'out-of-patience' }
  | { type: 'problem'; why: 'denied' | 'unavailable' };

/** Good enough to find a tree again, metres. */
export const GOOD_METRES = 15;
/** A fix gets better for a while; after this the best one counts, ms. */
export const PATIENCE_MS = 25_000;

/** The better one of two; of equals the later. */
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
      return foundOr(now);
    case 'problem':
      // A phone that lost its satellites still knows what it heard.
      return event.why === 'denied' ? { step: 'failed', why: 'denied' } : foundOr(now);
  }
}

const foundOr = ({ best, isAbroad }: Extract<Locating, { step: 'searching' }>): Locating =>
  best ? { step: 'found', fix: best } : { step: 'failed', why: isAbroad ? 'abroad' : 'unavailable' };

/** What there is to save now. */
export function fixAtHand(locating: Locating): Fix | undefined {
  if (locating.step === 'found') return locating.fix;
  return locating.step === 'searching' ? locating.best : undefined;
}
