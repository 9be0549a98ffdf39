import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import type Stripe from 'stripe';
import type { CardProvider } from './card-provider.ts';
import type { PaymentStore, StoredPayment } from './store.ts';
import { type Settlers, webhookReceiver } from './webhook.ts';

/** What is asked about a webhook of an intent, in its order; whoever is asked takes a moment. */
async function askedAbout(intent: object): Promise<string[]> {
  const asked: string[] = [];
  const answering = async <T>(what: string, answer: T): Promise<T> => {
    asked.push(`${what}?`);
    await new Promise((resolve) => setTimeout(resolve, 5));
    asked.push(what);
    return answer;
  };
  const object = { object: 'payment_intent', id: 'pi_1', metadata: { paymentId: 'p' }, ...intent };
  const receive = webhookReceiver({
    store: { unlessTaken: () => answering('ours', {} as StoredPayment) } as unknown as PaymentStore,
    provider: { lookUp: () => answering('Stripe', object) } as unknown as CardProvider,
    settlers: { payment: async () => 'changed' } as unknown as Settlers,
    logger: pino({ level: 'silent' }),
  });
  await receive({ id: 'evt_1', type: 'payment_intent', data: { object } } as unknown as Stripe.Event);
  return asked;
}

test('a payment that succeeded is looked up at Stripe while it is read', async () => {
  const paid = { status: 'succeeded', latest_charge: 'ch_1', currency: 'usd', amount_received: 2000 };
  expect((await askedAbout(paid)).slice(0, 2)).toEqual(['Stripe?', 'ours?']);
});

test.each([{ status: 'processing' }, { status: 'requires_payment_method', last_payment_error: {} }])(
  'one that goes on is looked up when it has been read: decided is on what is younger (%j)',
  async (intent) => {
    expect(await askedAbout(intent)).toEqual(['ours?', 'ours', 'Stripe?', 'Stripe']);
  },
);

test('one that waits for its buyer is not looked up', async () => {
  expect(await askedAbout({ status: 'requires_action' })).toEqual(['ours?', 'ours']);
});
