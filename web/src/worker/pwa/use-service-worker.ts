import { useEffect, useState } from 'react';
import { SCOPE, SKIP_WAITING, SYNC_TAG } from './names.ts';

export interface Update {
  isReady: boolean;
  apply: () => void;
}

/** Shortest interval between update checks on returning to the page, ms. */
const LOOK_AGAIN_MS = 3_600_000;

type Syncing = ServiceWorkerRegistration & { sync?: { register(tag: string): Promise<void> } };

/** Registers a Background Sync, so that items are sent once online even with the page closed. */
export async function askForSync(): Promise<void> {
  try {
    const registration = (await navigator.serviceWorker?.getRegistration(SCOPE)) as Syncing | undefined;
    await registration?.sync?.register(SYNC_TAG);
  } catch {
    // Unsupported or denied; the page sends when it is next opened.
  }
}

/** Registers the service worker and reports new versions, which never activate on their own. */
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
    // Denied, or offline at the first visit: the portal works as a plain page.
    return;
  }
  const look = () => {
    // The first version replaces none.
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
