/**
 * Makes the worker portal work without signal. It answers for /worker-portal alone and keeps only files of the build:
 * what the API says is kept by the portal itself, by worker, in IndexedDB.
 */
import { cacheNames } from 'workbox-core';
import {
  addPlugins,
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  precacheAndRoute,
} from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { isKept, withoutVary } from './kept.ts';
import { SHELL, SKIP_WAITING, SYNC_TAG } from '../worker/pwa/names.ts';
import type { ServiceWorkerScope } from './scope.ts';
import { sendWaiting } from './send-waiting.ts';

declare const self: ServiceWorkerScope;

addPlugins([{ cacheWillUpdate: async ({ response }) => (isKept(response) ? withoutVary(response) : null) }]);
precacheAndRoute(self.__WB_MANIFEST, { cleanURLs: false, directoryIndex: '' });
cleanupOutdatedCaches();
registerRoute(
  new NavigationRoute(createHandlerBoundToURL(SHELL), { allowlist: [/^\/worker-portal(\.html)?$/] }),
);

// This product keeps no other caches: whatever is there was left by an older version.
self.addEventListener('activate', (event) =>
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(names.filter((name) => name !== cacheNames.precache).map((name) => caches.delete(name))),
      ),
  ),
);

// A new version takes over when the worker says so, never by itself: an upload may be under way.
self.addEventListener('message', ({ data }) => {
  if (data === SKIP_WAITING) void self.skipWaiting();
});

// https://wicg.github.io/background-sync/spec/: a promise that fails makes the browser try again later.
self.addEventListener('sync', (event) => {
  if (event.tag === SYNC_TAG) event.waitUntil(sendWaiting());
});
