import type { Addresses } from '../harness/product.ts';

/** The part of the sandbox's state that tests read. */
export interface ProviderState {
  payment_intents: { id: string; metadata: Record<string, string>; status: string }[];
  charges: {
    id: string;
    payment_intent: string;
    status: string;
    amount: number;
    amount_refunded: number;
    billing_details: { email: string | null };
  }[];
  refunds: {
    payment_intent: string;
    status: string;
    amount: number;
    metadata: Record<string, string>;
  }[];
}

/** The sandbox's own controls: what its webhooks do, and what it charged. */
export function openProvider(at: Pick<Addresses, 'stripeApiUrl' | 'stripeSecretKey'>) {
  const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${at.stripeApiUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${at.stripeSecretKey}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  const state = () => ask<ProviderState>('GET', '/sandbox/state');
  return {
    state,
    /** How often somebody's card was charged; the web app sends the address with the card. */
    async chargesOf(email: string): Promise<number> {
      const { charges } = await state();
      const own = charges.filter(({ billing_details: details }) => details.email === email);
      return own.filter(({ status }) => status === 'succeeded').length;
    },
    /** The bank does not take the money of a refund. */
    failRefund: (id: string) => ask('POST', `/sandbox/refunds/${id}/fail`),
    /** The cardholder's bank takes a payment back, and decides if an outcome is given. */
    async dispute(intentId: string, outcome?: 'won' | 'lost'): Promise<void> {
      const charge = (await state()).charges.find((one) => one.payment_intent === intentId)!.id;
      const { id } = await ask<{ id: string }>('POST', '/sandbox/disputes', { charge });
      if (outcome) await ask('POST', `/sandbox/disputes/${id}/close`, { outcome });
    },
    webhooks: (mode: 'deliver' | 'hold' | 'lose') => ask('PUT', '/sandbox/webhooks', { mode }),
    /** How many webhooks are not delivered yet; held and lost ones do not count. */
    async webhooksPending(): Promise<number> {
      const { counts } = await ask<{ counts: { pending: number } }>('GET', '/sandbox/webhooks');
      return counts.pending;
    },
    events: (query: Record<string, string>) =>
      ask<{ events: { id: string; type: string }[] }>('GET', `/sandbox/events?${new URLSearchParams(query)}`),
    /** The event as it would be sent. */
    event: (id: string) => ask<Record<string, unknown>>('GET', `/v1/events/${id}`),
    repeat: (id: string, times: number) => ask('POST', `/sandbox/events/${id}/repeat`, { times }),
  };
}
