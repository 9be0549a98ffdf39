import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { plus } from '../../design/components/icons.ts';
import { SCOPE, SKIP_WAITING, SYNC_TAG } from './names.ts';

/** https://wicg.github.io/manifest-incubations/#beforeinstallpromptevent-interface */
type InstallEvent = Event & { prompt(): Promise<unknown> };

/** Offers installation on the home screen where supported. */
export function InstallOffer() {
  const { t } = useTranslation('worker');
  const [event, setEvent] = useState<InstallEvent>();
  useEffect(() => {
    const keep = (offered: Event) => {
      offered.preventDefault();
      setEvent(offered as InstallEvent);
    };
    const forget = () => setEvent(undefined);
    window.addEventListener('beforeinstallprompt', keep);
    window.addEventListener('appinstalled', forget);
    return () => {
      window.removeEventListener('beforeinstallprompt', keep);
      window.removeEventListener('appinstalled', forget);
    };
  }, []);
  if (!event) return null;
  return (
    <Button wide icon={plus} onClick={() => void event.prompt().then(() => setEvent(undefined))}>
      {t('install')}
    </Button>
  );
}

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

/** Offers a new version, but not during an upload. */
export function UpdateOffer({ update, isBusy }: { update: Update; isBusy: boolean }) {
  const { t } = useTranslation('worker');
  if (!update.isReady) return null;
  return (
    <Alert
      kind="note"
      action={
        <Button working={isBusy && t('update.afterSending')} onClick={update.apply}>
          {t('update.apply')}
        </Button>
      }
    >
      {t('update.ready')}
    </Alert>
  );
}

const ADDRESS = '/worker.webmanifest';

/** Links the portal's own manifest, so that installing adds the portal and not the shop. */
export function useOwnManifest(): void {
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel=manifest]');
    if (!link) return;
    const before = link.getAttribute('href') ?? '';
    link.setAttribute('href', ADDRESS);
    return () => link.setAttribute('href', before);
  }, []);
}
