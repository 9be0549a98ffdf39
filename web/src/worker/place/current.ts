import { placeFault } from '@arboleda/contracts/colombia.ts';

export interface Fix {
  latitude: number;
  longitude: number;
  accuracyMetres: number;
}

/** Six decimals are a tenth of a metre. */
const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;

export const fixOf = ({ coords }: GeolocationPosition): Fix => ({
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
