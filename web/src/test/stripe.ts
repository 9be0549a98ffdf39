import { act, waitFor } from '@testing-library/react';

type Handler = (event: object) => void;
type Answer = { error?: object; paymentIntent?: { status: string } };

interface Behaviour {
  confirm?: Answer[];
  wallets?: object;
  withoutCard?: boolean;
}

let current: object | undefined;

/** Fake of Stripe.js: the app's elements, and scripted answers to confirmations. */
export function fakeStripe({ confirm = [], wallets, withoutCard = false }: Behaviour = {}) {
  const confirmed: { clientSecret: string; confirmParams: object }[] = [];
  const handlers = new Map<string, Handler>();

  const elementOf = (type: string) => {
    const element = {
      on: (event: string, handler: Handler) => (handlers.set(`${type}.${event}`, handler), element),
      off: () => element,
      once: () => element,
      mount: () =>
        queueMicrotask(() =>
          handlers.get(`${type}.ready`)?.(
            type === 'expressCheckout' ? { availablePaymentMethods: wallets } : element,
          ),
        ),
      update: () => element,
      destroy: () => undefined,
      unmount: () => undefined,
    };
    return element;
  };
  const elements = () => {
    const made = new Map<string, object>();
    return {
      create: (type: string) => {
        const element = elementOf(type);
        made.set(type, element);
        return element;
      },
      getElement: (type: string) => (withoutCard ? null : (made.get(type) ?? null)),
      update: () => undefined,
      on: () => undefined,
      off: () => undefined,
      submit: () => Promise.resolve({}),
    };
  };
  const stripe = {
    elements,
    createToken: () => undefined,
    createPaymentMethod: () => undefined,
    confirmCardPayment: () => undefined,
    retrievePaymentIntent: () => Promise.resolve({ paymentIntent: { status: 'requires_payment_method' } }),
    confirmPayment: (options: (typeof confirmed)[number]) => {
      confirmed.push(options);
      return Promise.resolve(confirm.shift() ?? { paymentIntent: { status: 'succeeded' } });
    },
  };
  current = stripe;
  // The library keeps the first script that it found.
  Object.assign(window, { Stripe: Object.assign(() => current, { version: 'endive' }) });

  /** Fires load or error of the script; a loaded script stays for the whole file. */
  const script = async (event: 'load' | 'error') => {
    const found = await waitFor(() => document.head.querySelector('script[src*="stripe"]')!);
    if (!found) throw new Error('nobody asked for the script');
    act(() => void found.dispatchEvent(new Event(event)));
  };
  return {
    confirmed,
    script,
    /** The buyer approves the payment in their wallet. */
    approve: (event: object) => act(async () => handlers.get('expressCheckout.confirm')?.(event)),
  };
}
