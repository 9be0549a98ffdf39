/** The service worker has a say here and nowhere else. */
export const SCOPE = '/worker-portal';
/** The page that it keeps: the app's shell, whatever the language. */
export const SHELL = '/worker-portal';
/** Tells a waiting version to take over. */
export const SKIP_WAITING = 'skip-waiting';
/** Of the Background Sync that sends what waits. */
export const SYNC_TAG = 'arboleda-outbox';
