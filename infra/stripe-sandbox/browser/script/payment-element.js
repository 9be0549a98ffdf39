/* global document, window, getComputedStyle, queueMicrotask */
import { emitter } from './emitter.js';
import { integrationError } from './errors.js';
import { openFrame } from './frame.js';

/** The card form is a frame of the sandbox, so that card numbers never enter the shop's page. */
export function createPaymentElement({ base, key, texts, groupOptions, onDestroy }, options) {
  const events = emitter();
  let own = { ...options };
  let frame;
  let container;
  let destroyed = false;
  const state = { changedSinceSubmit: true };

  const settings = () => ({
    key,
    options: own,
    group: groupOptions(),
    colorScheme: container ? getComputedStyle(container).colorScheme : 'normal',
    background: container ? backgroundOf(container) : 'transparent',
  });
  const onEvent = (event, payload) => {
    if (event === 'resize') frame.element.style.height = `${payload.height}px`;
    else if (event === 'submit') container?.closest('form')?.requestSubmit();
    else {
      if (event === 'change') state.changedSinceSubmit = true;
      events.emit(event, { elementType: 'payment', ...payload });
    }
  };
  const onLoadError = () =>
    events.emit('loaderror', {
      elementType: 'payment',
      error: { type: 'api_connection_error', message: 'The payment form did not load.' },
    });

  const element = {
    mount(target) {
      if (destroyed)
        throw integrationError('This Element has already been destroyed. Please create a new one.');
      const found = typeof target === 'string' ? document.querySelector(target) : target;
      if (!found) {
        throw integrationError(
          `The selector you specified (${target}) applies to no DOM elements that are currently on the page.`,
        );
      }
      if (frame && container === found) return;
      element.unmount();
      container = found;
      frame = openFrame({ base, path: '/elements/payment', title: texts().frame, onEvent, onLoadError });
      // Compensates for the frame's margin for focus rings, so that its fields line up with the page's.
      Object.assign(frame.element.style, { height: '220px', width: 'calc(100% + 8px)', margin: '-4px' });
      container.replaceChildren(frame.element);
      events.emit('loaderstart', { elementType: 'payment' });
      void frame.call('init', settings());
    },
    unmount() {
      frame?.close();
      frame = container = undefined;
    },
    destroy() {
      element.unmount();
      destroyed = true;
      onDestroy();
    },
    update(changes) {
      own = { ...own, ...changes };
      element.refresh();
      return element;
    },
    /** Called after a change of locale, appearance or amount. */
    refresh() {
      if (frame) frame.element.title = texts().frame;
      void frame?.call('update', settings());
    },
    focus() {
      frame?.element.focus();
      void frame?.call('focus');
    },
    blur: () => (
      document.activeElement === frame?.element ? window.focus() : undefined,
      void frame?.call('blur')
    ),
    clear: () => void frame?.call('clear'),
    collapse: () => element,
    on: (event, handler) => (events.on(event, handler), element),
    once: (event, handler) => (events.on(event, handler, true), element),
    off: (event, handler) => (events.off(event, handler), element),
    addEventListener: (event, handler) => element.on(event, handler),
    removeEventListener: (event, handler) => element.off(event, handler),
  };

  /** For the script only, not for the shop's code. */
  const inner = {
    element,
    get mounted() {
      return Boolean(frame);
    },
    get needsSubmit() {
      return state.changedSinceSubmit;
    },
    /** @returns {} or { error }, which is also shown beside its field */
    async validate() {
      const result = await frame.call('validate');
      state.changedSinceSubmit = Boolean(result.error);
      return result;
    },
    /** @returns { paymentMethod } or { error } */
    createPaymentMethod: (billing) => frame.call('createPaymentMethod', { billing }),
    /** @returns { confirmationToken } or { error } */
    createConfirmationToken: (params) => frame.call('createConfirmationToken', params),
  };
  return inner;
}

/** The sandbox has no wallets: the element exists, reports that none is available, and stays empty. */
export function createWalletsElement(onDestroy) {
  const events = emitter();
  const element = {
    mount: () =>
      queueMicrotask(() =>
        events.emit('ready', { elementType: 'expressCheckout', availablePaymentMethods: undefined }),
      ),
    unmount: () => {},
    destroy: onDestroy,
    update: () => element,
    focus: () => {},
    blur: () => {},
    clear: () => {},
    on: (event, handler) => (events.on(event, handler), element),
    once: (event, handler) => (events.on(event, handler, true), element),
    off: (event, handler) => (events.off(event, handler), element),
  };
  return { element, refresh: () => {} };
}

/** The background colour behind an element, if it is plain: the frame uses it too, so that contrast is known. */
function backgroundOf(element) {
  for (let node = element; node; node = node.parentElement) {
    const { backgroundColor, backgroundImage } = getComputedStyle(node);
    if (backgroundImage !== 'none') break;
    if (/^rgb\(/.test(backgroundColor)) return backgroundColor;
  }
  return 'transparent';
}
