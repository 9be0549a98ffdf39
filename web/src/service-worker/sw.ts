/**
 * Service worker of the worker portal's offline mode. Handles /worker-portal only and caches only build files; the
 * portal keeps API data by worker in IndexedDB.
 */
import { cacheNames } from 'workbox-core';
import {
  addPlugins,
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  precacheAndRoute,
} from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { isCacheable, withoutVary } from './cached.ts';
import { SHELL, SKIP_WAITING, SYNC_TAG } from '../worker/pwa/names.ts';
import type { ServiceWorkerScope } from './scope.ts';
import { sendWaiting } from './send-waiting.ts';

declare const self: ServiceWorkerScope;

addPlugins([
  { cacheWillUpdate: async ({ response }) => (isCacheable(response) ? withoutVary(response) : null) },
]);
precacheAndRoute(self.__WB_MANIFEST, { cleanURLs: false, directoryIndex: '' });
cleanupOutdatedCaches();
registerRoute(
  new NavigationRoute(createHandlerBoundToURL(SHELL), { allowlist: [/^\/worker-portal(\.html)?$/] }),
);

// All other caches belong to older versions.
self.addEventListener('activate', (event) =>
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(names.filter((name) => name !== cacheNames.precache).map((name) => caches.delete(name))),
      ),
  ),
);

// A new version activates only on the worker's request, because an upload may be running.
self.addEventListener('message', ({ data }) => {
  if (data === SKIP_WAITING) void self.skipWaiting();
});

// A rejected promise makes the browser retry later: https://wicg.github.io/background-sync/spec/
self.addEventListener('sync', (event) => {
  if (event.tag === SYNC_TAG) event.waitUntil(sendWaiting());
});
