import { placeFault, type PlaceFault } from '@arboleda/contracts/colombia.ts';
import { useCallback, useEffect, useReducer } from 'react';
import { readDegrees } from '../../i18n/typed-numbers.ts';

interface Fix {
  latitude: number;
  longitude: number;
  accuracyMetres: number;
}

/** Six decimals are a tenth of a metre. */
const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;

const fixOf = ({ coords }: GeolocationPosition): Fix => ({
  latitude: rounded(coords.latitude),
  longitude: rounded(coords.longitude),
  accuracyMetres: Math.min(Math.round(coords.accuracy), 1_000_000),
});

/** Accept a fix from the last minute. */
const FRESH_MS = 60_000;

/** Current position. @throws when unknown, denied or outside Colombia, because a wrong place is worse than none */
export function currentPlace(timeoutMs: number): Promise<Fix> {
  return new Promise((resolve, reject) => {
    if (!('geolocation' in navigator)) return reject(new Error('no GPS'));
    // Some phones ignore the timeout option.
    const timer = setTimeout(() => reject(new Error('no fix')), timeoutMs);
    navigator.geolocation.getCurrentPosition(
      (position) => {
        clearTimeout(timer);
        const fix = fixOf(position);
        if (placeFault(fix)) reject(new Error('not in Colombia'));
        else resolve(fix);
      },
      () => (clearTimeout(timer), reject(new Error('no place'))),
      { enableHighAccuracy: true, timeout: timeoutMs, maximumAge: FRESH_MS },
    );
  });
}

export type Locating =
  | { step: 'idle' }
  /** Searching, with the best fix so far. `isAbroad`: an ignored fix outside Colombia. */
  | { step: 'searching'; best?: Fix; isAbroad?: true }
  | { step: 'found'; fix: Fix }
  | { step: 'failed'; why: 'denied' | 'unavailable' | 'abroad' };

type LocatingEvent =
  | { type: 'start' }
  | { type: 'fix'; fix: Fix }
  | { type: 'timed-out' }
  | { type: 'problem'; why: 'denied' | 'unavailable' };

/** Accurate enough to find a tree again, metres. */
export const GOOD_METRES = 15;
/** Fixes improve for a while; then the best one is taken, ms. */
const SEARCH_TIMEOUT_MS = 25_000;

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
    case 'timed-out':
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

export interface Typed {
  latitude: string;
  longitude: string;
}

export type TypedPlace =
  | { kind: 'none' }
  | { kind: 'place'; latitude: number; longitude: number }
  | { kind: 'wrong'; field: keyof Typed; why: 'missing' | 'number' | 'range' | PlaceFault['why'] };

/** Parses typed coordinates; both halves empty is a valid answer. */
export function readTyped({ latitude, longitude }: Typed): TypedPlace {
  if (!latitude.trim() && !longitude.trim()) return { kind: 'none' };
  for (const [field, text, limit] of [
    ['latitude', latitude, 90],
    ['longitude', longitude, 180],
  ] as const) {
    if (!text.trim()) return { kind: 'wrong', field, why: 'missing' };
    const value = readDegrees(text);
    if (value === undefined) return { kind: 'wrong', field, why: 'number' };
    if (Math.abs(value) > limit) return { kind: 'wrong', field, why: 'range' };
  }
  const place = { latitude: readDegrees(latitude)!, longitude: readDegrees(longitude)! };
  const fault = placeFault(place);
  return fault ? { kind: 'wrong', ...fault } : { kind: 'place', ...place };
}

const PERMISSION_DENIED = 1;

/** Watches the GPS until the fix is good enough or the time is over. */
export function usePlace(): { locating: Locating; start: () => void } {
  const [locating, dispatch] = useReducer(locate, { step: 'idle' });
  const isSearching = locating.step === 'searching';
  useEffect(() => {
    if (!isSearching) return;
    if (!('geolocation' in navigator)) return dispatch({ type: 'problem', why: 'unavailable' });
    const watch = navigator.geolocation.watchPosition(
      (position) => dispatch({ type: 'fix', fix: fixOf(position) }),
      ({ code }) => dispatch({ type: 'problem', why: code === PERMISSION_DENIED ? 'denied' : 'unavailable' }),
      { enableHighAccuracy: true, timeout: SEARCH_TIMEOUT_MS },
    );
    const timer = setTimeout(() => dispatch({ type: 'timed-out' }), SEARCH_TIMEOUT_MS);
    return () => {
      clearTimeout(timer);
      navigator.geolocation.clearWatch(watch);
    };
  }, [isSearching]);
  return { locating, start: useCallback(() => dispatch({ type: 'start' }), []) };
}
