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

/** A place from a minute ago is still here. */
const FRESH_MS = 60_000;

/** Where the phone is. @throws when it does not know, or may not tell */
export function currentPlace(patienceMs: number): Promise<Fix> {
  return new Promise((resolve, reject) => {
    if (!('geolocation' in navigator)) return reject(new Error('no GPS'));
    // A phone's own patience is not to be trusted.
    const timer = setTimeout(() => reject(new Error('no fix')), patienceMs);
    navigator.geolocation.getCurrentPosition(
      (position) => (clearTimeout(timer), resolve(fixOf(position))),
      () => (clearTimeout(timer), reject(new Error('no place'))),
      { enableHighAccuracy: true, timeout: patienceMs, maximumAge: FRESH_MS },
    );
  });
}
