/** Types of a service worker's global scope; the app is typed for pages. */
export interface ExtendableEvent extends Event {
  waitUntil(promise: Promise<unknown>): void;
}

export interface ServiceWorkerScope {
  addEventListener(type: 'install' | 'activate', listen: (event: ExtendableEvent) => void): void;
  addEventListener(type: 'sync', listen: (event: ExtendableEvent & { tag: string }) => void): void;
  addEventListener(type: 'message', listen: (event: MessageEvent<unknown>) => void): void;
  skipWaiting(): Promise<void>;
  readonly registration: ServiceWorkerRegistration;
  readonly __WB_MANIFEST: { url: string; revision: string | null }[];
}
