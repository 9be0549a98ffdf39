/* global window, document, getComputedStyle, queueMicrotask */
import { textsFor } from '../texts.js';
import { openFrame } from './frame.js';

/** An error in the shop's code, thrown like Stripe.js does. */
export function integrationError(message) {
  return Object.assign(new Error(message), { name: 'IntegrationError' });
}

/** Groups created by `stripe.elements()`, with the private state of each. */
const GROUPS = new WeakMap();

export function groupOf(elements) {
  const group = GROUPS.get(elements);
  if (group) return group;
  throw integrationError('Invalid value for elements: it should be an object created by stripe.elements().');
}

export function createElements({ base, key, stripeOptions }, given = {}) {
  checkOptions(given);
  const made = new Map();
  let options = { ...given };
  const texts = () => textsFor(options.locale ?? stripeOptions.locale, window.navigator.language);
  const settings = () => ({ ...options, key, locale: texts().lang });

  const elements = {
    create(type) {
      if (made.has(type)) {
        throw integrationError(`Can only create one Element of type ${type} through an Elements instance.`);
      }
      const onDestroy = () => made.delete(type);
      if (type === 'payment') made.set(type, createPaymentElement({ base, texts, settings, onDestroy }));
      else if (type === 'expressCheckout') made.set(type, createWalletsElement(onDestroy));
      else throw integrationError(`The sandbox offers no Element of type ${type}.`);
      return made.get(type).element;
    },
    getElement: (type) => made.get(type)?.element ?? null,
    async update(changes) {
      const next = { ...options, ...changes };
      checkOptions(next);
      options = next;
      for (const { refresh } of made.values()) refresh();
    },
    async submit() {
      const payment = made.get('payment');
      if (!payment?.isMounted()) throw integrationError('elements.submit() needs a mounted Payment Element.');
      const { error } = await payment.validate();
      return error ? { error } : { selectedPaymentMethod: 'card' };
    },
  };
  GROUPS.set(elements, { texts, payment: () => made.get('payment') });
  return elements;
}

function checkOptions({ mode, amount, currency }) {
  if (mode !== 'payment') throw integrationError(`The sandbox knows the mode payment only, not ${mode}.`);
  if (!Number.isInteger(amount) || amount <= 0) {
    throw integrationError('Invalid value for elements(): amount should be a positive integer.');
  }
  if (typeof currency !== 'string' || !/^[a-z]{3}$/.test(currency)) {
    throw integrationError('Invalid value for elements(): currency should be a lower-case ISO code.');
  }
}

/** `on` and `off`, like Stripe's elements. */
function eventsOf(elementType) {
  const handlers = new Map();
  const of = (event) => handlers.get(event) ?? [];
  return {
    emit(event, payload) {
      for (const handler of of(event)) handler({ elementType, ...payload });
    },
    on: (event, handler) => handlers.set(event, [...of(event), handler]),
    off: (event, handler) =>
      handlers.set(
        event,
        of(event).filter((one) => one !== handler),
      ),
  };
}

/** The card form is a frame of the sandbox, so that card numbers never enter the shop's page. */
function createPaymentElement({ base, texts, settings, onDestroy }) {
  const events = eventsOf('payment');
  let frame;
  let container;
  let needsSubmit = true;

  const sentSettings = () => ({
    ...settings(),
    colorScheme: getComputedStyle(container).colorScheme,
    background: backgroundOf(container),
  });
  const onEvent = (event, payload) => {
    if (event === 'resize') frame.element.style.height = `${payload.height}px`;
    else if (event === 'submit') container.closest('form')?.requestSubmit();
    else {
      if (event === 'change') needsSubmit = true;
      events.emit(event, payload);
    }
  };
  const onLoadError = () =>
    events.emit('loaderror', {
      error: { type: 'api_connection_error', message: 'The payment form did not load.' },
    });

  const element = {
    mount(target) {
      container = typeof target === 'string' ? document.querySelector(target) : target;
      if (!container) throw integrationError(`There is no element ${target} on the page.`);
      frame?.close();
      frame = openFrame({ base, path: '/elements/payment', title: texts().frame, onEvent, onLoadError });
      // Compensates for the frame's margin for focus rings, so that its fields line up with the page's.
      Object.assign(frame.element.style, { height: '220px', width: 'calc(100% + 8px)', margin: '-4px' });
      container.replaceChildren(frame.element);
      void frame.call('init', sentSettings());
    },
    destroy() {
      frame?.close();
      frame = undefined;
      onDestroy();
    },
    update: () => element,
    on: (event, handler) => (events.on(event, handler), element),
    off: (event, handler) => (events.off(event, handler), element),
  };
  return {
    element,
    isMounted: () => frame !== undefined,
    /** Whether the form has changed since elements.submit(). */
    needsSubmit: () => needsSubmit,
    /** Called after a change of locale, appearance or amount. */
    refresh() {
      if (!frame) return;
      frame.element.title = texts().frame;
      void frame.call('update', sentSettings());
    },
    /** @returns {} or { error }, which is also shown beside its field */
    async validate() {
      const result = await frame.call('validate');
      needsSubmit = Boolean(result.error);
      return result;
    },
    /** @returns { paymentMethod } or { error } */
    createPaymentMethod: (billing) => frame.call('createPaymentMethod', billing),
  };
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

/** The sandbox has no wallets: the element exists, reports that none is available, and stays empty. */
function createWalletsElement(onDestroy) {
  const events = eventsOf('expressCheckout');
  const element = {
    mount: () => queueMicrotask(() => events.emit('ready', { availablePaymentMethods: undefined })),
    destroy: onDestroy,
    update: () => element,
    on: (event, handler) => (events.on(event, handler), element),
    off: (event, handler) => (events.off(event, handler), element),
  };
  return { element, refresh: () => {} };
}
