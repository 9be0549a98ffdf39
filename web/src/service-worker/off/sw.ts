/** Replaces the service worker when SERVICE_WORKER=off: deletes its caches and unregisters itself. */
import type { ServiceWorkerScope } from '../scope.ts';

declare const self: ServiceWorkerScope;

self.addEventListener('install', () => void self.skipWaiting());
self.addEventListener('activate', (event) =>
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.map((name) => caches.delete(name))))
      .then(() => self.registration.unregister()),
  ),
);
