/** In the place of the service worker when it must go (SERVICE_WORKER=off): takes its caches and itself away. */
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
