/** Browser features that jsdom lacks and the app uses. */
import { configure } from '@testing-library/dom';
import { TextDecoder, TextEncoder } from 'node:util';
import { randomUUID } from 'node:crypto';

Object.assign(globalThis, { TextEncoder, TextDecoder });

// Lazy parts are compiled on first use, which is slow on busy machines.
configure({ asyncUtilTimeout: 10_000 });

// Printing the document at each failed poll takes a twelfth of the time. PRINT_DOM=1 shows it.
if (!process.env.PRINT_DOM) {
  configure({ getElementError: (message) => new Error(message ?? 'no such element') });
}

if (!('randomUUID' in crypto)) Object.defineProperty(crypto, 'randomUUID', { value: randomUUID });

if (!('arrayBuffer' in Blob.prototype)) {
  Object.assign(Blob.prototype, {
    arrayBuffer(this: Blob) {
      return new Promise((resolve) => {
        const reader = new FileReader();
        reader.onload = () => resolve(reader.result);
        reader.readAsArrayBuffer(this);
      });
    },
  });
}

Object.defineProperty(document, 'fonts', { configurable: true, value: { load: async () => [] } });

window.scrollTo = () => undefined;
Element.prototype.scrollIntoView = () => undefined;

window.matchMedia = (query: string): MediaQueryList =>
  ({
    matches: false,
    media: query,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }) as unknown as MediaQueryList;

/** Reports the size once; nothing is resized in tests. */
globalThis.ResizeObserver ??= class implements ResizeObserver {
  readonly callback: ResizeObserverCallback;
  constructor(callback: ResizeObserverCallback) {
    this.callback = callback;
  }
  observe() {
    this.callback([], this);
  }
  unobserve() {
    // The size is reported only once.
  }
  disconnect() {
    // The same as unobserve.
  }
};

/** Everything is in view. */
globalThis.IntersectionObserver ??= class implements IntersectionObserver {
  readonly root = null;
  readonly rootMargin = '';
  readonly scrollMargin = '';
  readonly thresholds = [];
  readonly callback: IntersectionObserverCallback;
  constructor(callback: IntersectionObserverCallback) {
    this.callback = callback;
  }
  observe(target: Element) {
    const entry = { target, isIntersecting: true } as IntersectionObserverEntry;
    queueMicrotask(() => this.callback([entry], this));
  }
  unobserve() {
    // Each place is reported once.
  }
  disconnect() {
    // The same as unobserve.
  }
  takeRecords() {
    return [];
  }
};

/** jsdom lacks modal dialogs; open, Escape and close suffice for the app. */
HTMLDialogElement.prototype.showModal = function (this: HTMLDialogElement) {
  this.open = true;
  this.querySelector<HTMLElement>('button, [tabindex]')?.focus();
};
HTMLDialogElement.prototype.close = function (this: HTMLDialogElement) {
  if (!this.open) return;
  this.open = false;
  this.dispatchEvent(new Event('close'));
};

if (!('any' in AbortSignal)) Object.assign(AbortSignal, { any: ([first]: AbortSignal[]) => first });
if (!('timeout' in AbortSignal)) {
  Object.assign(AbortSignal, { timeout: () => new AbortController().signal });
}
