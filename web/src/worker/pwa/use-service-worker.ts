import { useEffect, useState } from 'react';
import { SCOPE, SKIP_WAITING, SYNC_TAG } from './names.ts';

export interface Update {
  isReady: boolean;
  apply: () => void;
}

/** Looks for a new version when somebody comes back to the page, not more often than this, ms. */
const LOOK_AGAIN_MS = 3_600_000;

type Syncing = ServiceWorkerRegistration & { sync?: { register(tag: string): Promise<void> } };

/** Asks the browser to send what waits as soon as there is signal, even when the page is closed by then. */
export async function askForSync(): Promise<void> {
  try {
    const registration = (await navigator.serviceWorker?.getRegistration(SCOPE)) as Syncing | undefined;
    await registration?.sync?.register(SYNC_TAG);
  } catch {
    // Not every browser has it, or lets it be; the page sends by itself when it is opened.
  }
}

/** Makes the portal work without signal, and tells of a new version; it never takes over by itself. */
export function useServiceWorker(): Update {
  const [waiting, setWaiting] = useState<ServiceWorker>();
  useEffect(() => {
    if (!('serviceWorker' in navigator)) return;
    const over = new AbortController();
    void register(setWaiting, over.signal);
    return () => over.abort();
  }, []);
  return {
    isReady: waiting !== undefined,
    apply() {
      navigator.serviceWorker.addEventListener('controllerchange', () => window.location.reload(), {
        once: true,
      });
      waiting?.postMessage(SKIP_WAITING);
    },
  };
}

async function register(onWaiting: (waiting: ServiceWorker) => void, over: AbortSignal): Promise<void> {
  let registration: ServiceWorkerRegistration;
  try {
    registration = await navigator.serviceWorker.register('/sw.js', { scope: SCOPE });
  } catch {
    // Forbidden here, or no signal at the first visit: the portal works as a page.
    return;
  }
  const look = () => {
    // The first one ever has nobody to take over from.
    if (registration.waiting && navigator.serviceWorker.controller && !over.aborted)
      onWaiting(registration.waiting);
  };
  look();
  registration.addEventListener(
    'updatefound',
    () => registration.installing?.addEventListener('statechange', look, { signal: over }),
    { signal: over },
  );
  let lookedAt = Date.now();
  const lookForUpdate = () => {
    if (document.visibilityState !== 'visible' || Date.now() - lookedAt < LOOK_AGAIN_MS) return;
    lookedAt = Date.now();
    void registration.update().catch(() => undefined);
  };
  document.addEventListener('visibilitychange', lookForUpdate, { signal: over });
}
