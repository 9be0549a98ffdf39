import type { Addresses } from './product.ts';
import { waitFor } from './wait.ts';

export interface StartedPayment {
  client_secret: string;
  orderId: string;
  orderToken: string;
  amount: number;
  currency: string;
}

const intentIdOf = (clientSecret: string): string => clientSecret.slice(0, clientSecret.indexOf('_secret_'));

/** Somebody who buys without a browser: the same calls in the same order, the card confirmed at the provider. */
export function openBuyer(at: Addresses) {
  /** What a page says that shows prices: it holds for half an hour. */
  const quote = async (): Promise<string> => {
    const response = await fetch(`${at.url}/api/pricing/packages?currency=USD`);
    if (!response.ok) throw new Error(`packages: ${response.status} ${await response.text()}`);
    return ((await response.json()) as { quote: string }).quote;
  };

  const start = async (email: string, trees = 5): Promise<StartedPayment> => {
    const response = await fetch(`${at.url}/api/pricing/create-payment-intent`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
      body: JSON.stringify({
        trees,
        packageType: trees === 5 ? 'grove' : 'custom',
        currency: 'USD',
        customerEmail: email,
        customerName: 'Bench Buyer',
        locale: 'en',
      }),
    });
    if (!response.ok) throw new Error(`create-payment-intent: ${response.status} ${await response.text()}`);
    return (await response.json()) as StartedPayment;
  };

  const confirm = async (payment: Pick<StartedPayment, 'client_secret'>): Promise<void> => {
    const intent = intentIdOf(payment.client_secret);
    const response = await fetch(`${at.stripeApiUrl}/v1/payment_intents/${intent}/confirm`, {
      method: 'POST',
      headers: { authorization: `Bearer ${at.stripePublishableKey}` },
      body: new URLSearchParams({ client_secret: payment.client_secret, payment_method: 'pm_card_visa' }),
    });
    if (!response.ok) throw new Error(`confirm: ${response.status} ${await response.text()}`);
  };

  const isVisible = async (token: string): Promise<boolean> => {
    const response = await fetch(`${at.url}/api/track/${token}`);
    await response.arrayBuffer();
    return response.ok;
  };

  return {
    quote,
    start,
    confirm,
    isVisible,
    /** From nothing to an order that its private link shows. */
    async buy(email: string, trees?: number): Promise<StartedPayment> {
      const payment = await start(email, trees);
      await confirm(payment);
      await waitFor(`order ${payment.orderId}`, () => isVisible(payment.orderToken));
      return payment;
    },
  };
}
export type Buyer = ReturnType<typeof openBuyer>;

/** The provider's own levers: what webhooks do, and what was charged. */
export function openProvider(at: Addresses) {
  const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${at.stripeApiUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${at.stripeSecretKey}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  return {
    webhooks: (mode: 'deliver' | 'hold' | 'lose') => ask('PUT', '/sandbox/webhooks', { mode }),
    state: () => ask<{ charges: { payment_intent: string; status: string }[] }>('GET', '/sandbox/state'),
    events: (query: Record<string, string>) =>
      ask<{ events: { id: string; type: string }[] }>('GET', `/sandbox/events?${new URLSearchParams(query)}`),
    /** The event as it would be sent. */
    event: (id: string) => ask<Record<string, unknown>>('GET', `/v1/events/${id}`),
    repeat: (id: string, times: number) => ask('POST', `/sandbox/events/${id}/repeat`, { times }),
  };
}
