import { useCallback, useEffect, useReducer } from 'react';
import { fixOf } from './current.ts';
import { locate, type Locating, SEARCH_TIMEOUT_MS } from './locating.ts';

const PERMISSION_DENIED = 1;

/** Watches the GPS until the fix is good enough or the time is over. */
export function usePlace(): { locating: Locating; start: () => void } {
  const [locating, tell] = useReducer(locate, { step: 'idle' });
  const isSearching = locating.step === 'searching';
  useEffect(() => {
    if (!isSearching) return;
    if (!('geolocation' in navigator)) return tell({ type: 'problem', why: 'unavailable' });
    const watch = navigator.geolocation.watchPosition(
      (position) => tell({ type: 'fix', fix: fixOf(position) }),
      ({ code }) => tell({ type: 'problem', why: code === PERMISSION_DENIED ? 'denied' : 'unavailable' }),
      { enableHighAccuracy: true, timeout: SEARCH_TIMEOUT_MS },
    );
    const timer = setTimeout(() => tell({ type: 'out-of-patience' }), SEARCH_TIMEOUT_MS);
    return () => {
      clearTimeout(timer);
      navigator.geolocation.clearWatch(watch);
    };
  }, [isSearching]);
  return { locating, start: useCallback(() => tell({ type: 'start' }), []) };
}
