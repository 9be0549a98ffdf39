/** Scope of the service worker. */
export const SCOPE = '/worker-portal';
/** The cached page: the app shell, in any language. */
export const SHELL = '/worker-portal';
/** Message that makes a waiting version activate. */
export const SKIP_WAITING = 'skip-waiting';
/** Tag of the Background Sync that sends waiting items. */
export const SYNC_TAG = 'arboleda-outbox';
