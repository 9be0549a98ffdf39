import { useEffect, useState } from 'react';

/** As long as a slow line may take before the drawn sheet says that nothing came, ms. */
const PATIENCE_MS = 15_000;

export type Satellite = 'not-asked' | 'loading' | 'shown' | 'offline' | 'nothing-came';

/**
 * Whether the satellite picture can be shown. A browser does not tell that a frame was blocked; that no page came in
 * it, or that there is no network, it does.
 */
export function useSatellite() {
  const [state, setState] = useState<Satellite>('not-asked');
  useEffect(() => {
    if (state !== 'loading') return;
    const offline = () => setState('offline');
    const timer = setTimeout(() => setState('nothing-came'), PATIENCE_MS);
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
