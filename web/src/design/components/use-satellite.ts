import { useEffect, useState } from 'react';

/** Longest wait for the satellite picture before a notice appears, ms. */
const LOAD_TIMEOUT_MS = 15_000;

export type Satellite = 'not-asked' | 'loading' | 'shown' | 'offline' | 'nothing-came';

/** State of the satellite picture. Browsers do not report blocked frames, only load failures and missing networks. */
export function useSatellite() {
  const [state, setState] = useState<Satellite>('not-asked');
  useEffect(() => {
    if (state !== 'loading') return;
    const offline = () => setState('offline');
    const timer = setTimeout(() => setState('nothing-came'), LOAD_TIMEOUT_MS);
    window.addEventListener('offline', offline);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('offline', offline);
    };
  }, [state]);
  return {
    state,
    ask: () => setState(navigator.onLine ? 'loading' : 'offline'),
    loaded: () => setState('shown'),
    putAway: () => setState('not-asked'),
  };
}
