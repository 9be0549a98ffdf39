/* global window */
import { textsFor } from '../texts.js';
import { emitter } from './emitter.js';
import { integrationError } from './errors.js';
import { createPaymentElement, createWalletsElement } from './payment-element.js';

/** Groups created by `stripe.elements()`, with the private state of each. */
const GROUPS = new WeakMap();

export function groupOf(elements) {
  const group = GROUPS.get(elements);
  if (group) return group;
  throw integrationError('Invalid value for elements: it should be an object created by stripe.elements().');
}

export function createElements({ base, key, stripeOptions }, given = {}) {
  checkOptions(given);
  const events = emitter();
  const made = new Map();
  let options = { ...given };
  const texts = () => textsFor(options.locale ?? stripeOptions.locale, window.navigator.language);

  const elements = {
    create(type, elementOptions = {}) {
      if (made.has(type)) {
        throw integrationError(`Can only create one Element of type ${type} through an Elements instance.`);
      }
      const onDestroy = () => made.delete(type);
      if (type === 'payment') {
        const context = {
          base,
          key,
          texts,
          groupOptions: () => ({ ...options, locale: texts().lang }),
          onDestroy,
        };
        made.set(type, createPaymentElement(context, elementOptions));
      } else if (type === 'expressCheckout') {
        made.set(type, createWalletsElement(onDestroy));
      } else {
        throw integrationError(
          `The sandbox offers no Element of type ${type}: only payment and expressCheckout.`,
        );
      }
      return made.get(type).element;
    },
    getElement(type) {
      const name = typeof type === 'string' ? type : type?.__elementType;
      return made.get(name)?.element ?? null;
    },
    async update(changes) {
      const next = { ...options, ...changes };
      checkOptions(next);
      options = next;
      for (const inner of made.values()) (inner.refresh ?? inner.element.refresh)();
      events.emit('update-end');
    },
    fetchUpdates: async () => ({}),
    async submit() {
      const payment = made.get('payment');
      if (!payment?.mounted) {
        throw integrationError('elements.submit() needs a mounted Payment Element.');
      }
      const { error } = await payment.validate();
      return error ? { error } : { selectedPaymentMethod: 'card' };
    },
    on: (event, handler) => events.on(event, handler),
    off: (event, handler) => events.off(event, handler),
  };
  GROUPS.set(elements, {
    texts,
    deferred: given.mode !== undefined,
    clientSecret: given.clientSecret,
    get options() {
      return options;
    },
    get payment() {
      return made.get('payment');
    },
  });
  return elements;
}

function checkOptions({ mode, amount, currency, clientSecret }) {
  if (clientSecret !== undefined && typeof clientSecret !== 'string') {
    throw integrationError(
      'Invalid value for elements(): clientSecret should be a client secret of the form ${id}_secret_${secret}.',
    );
  }
  if (mode === undefined) return;
  if (mode !== 'payment') throw integrationError(`The sandbox knows the mode payment only, not ${mode}.`);
  if (!Number.isInteger(amount) || amount <= 0) {
    throw integrationError('Invalid value for elements(): amount should be a positive integer.');
  }
  if (typeof currency !== 'string' || !/^[a-z]{3}$/.test(currency)) {
    throw integrationError('Invalid value for elements(): currency should be a lower-case ISO code.');
  }
}
