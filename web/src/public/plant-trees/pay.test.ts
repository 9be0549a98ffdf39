import { describe, expect, test } from '@jest/globals';
import type { Stripe, StripeElements } from '@stripe/stripe-js';
import { ApiProblem } from '../../api/problem.ts';
import type { Attempt } from './draft.ts';
import { pay, type Purchase, type Tools } from './pay.ts';

const purchase: Purchase = {
  request: {
    trees: 5, packageType: 'grove', currency: 'COP', customerEmail: 'sofia@correo.co', customerName: 'Sofía',
    locale: 'es', quote: 'quote-1',
  },
  amountMinor: 8_230_000,
}; // prettier-ignore

const NO_ANSWER = { type: 'api_connection_error', message: 'x' };

type Answer = { error?: unknown; paymentIntent?: { status: string } };

interface Counter {
  tools: Tools;
  created: { key: string; quote: string | undefined }[];
  confirmed: string[];
}

/** A till with one draft: what Stripe and our server answer, and what they were asked. */
function till(answers: {
  confirm?: Answer[];
  status?: string;
  /** The provider cannot be asked. */
  silent?: boolean;
  submit?: unknown;
  create?: () => never;
}): Counter {
  const created: Counter['created'] = [];
  const confirmed: string[] = [];
  const confirms = [...(answers.confirm ?? [{ paymentIntent: { status: 'succeeded' } }])];
  const tools: Tools = {
    attempt: undefined,
    keep: (attempt) => (tools.attempt = attempt),
    newKey: () => `key-${created.length + 1}`,
    returnUrl: (token) => `https://arboleda.test/orders/${token}`,
    elements: { submit: () => Promise.resolve({ error: answers.submit }) } as unknown as StripeElements,
    stripe: {
      retrievePaymentIntent: () =>
        Promise.resolve(
          answers.silent
            ? { error: NO_ANSWER }
            : { paymentIntent: { status: answers.status ?? 'requires_payment_method' } },
        ),
      confirmPayment: ({ clientSecret }: { clientSecret: string }) => {
        confirmed.push(clientSecret);
        return Promise.resolve(confirms.shift());
      },
    } as unknown as Stripe,
    createIntent: (body, key) => {
      created.push({ key, quote: body.quote });
      answers.create?.();
      return Promise.resolve({
        client_secret: `secret-of-${key}`, orderId: 'a'.repeat(24), orderToken: `token-of-${key}`,
        amount: purchase.amountMinor, currency: 'COP',
      }); // prettier-ignore
    },
  };
  return { tools, created, confirmed };
}

describe('paying', () => {
  test('asks for one intent, confirms it, and knows the order', async () => {
    const { tools, created, confirmed } = till({});
    expect(await pay(purchase, tools)).toEqual({ kind: 'paid', orderToken: 'token-of-key-1' });
    expect(created).toEqual([{ key: 'key-1', quote: 'quote-1' }]);
    expect(confirmed).toEqual(['secret-of-key-1']);
  });

  test('fields that are not complete cost nothing', async () => {
    const { tools, created } = till({ submit: { type: 'validation_error' } });
    expect(await pay(purchase, tools)).toEqual({ kind: 'incomplete' });
    expect(created).toEqual([]);
  });

  test('after a declined card the same intent takes the next card', async () => {
    const declined = { error: { type: 'card_error', message: 'Your card was declined.' } };
    const { tools, created, confirmed } = till({
      confirm: [declined, { paymentIntent: { status: 'succeeded' } }],
    });
    expect(await pay(purchase, tools)).toMatchObject({ reason: 'card', message: 'Your card was declined.' });
    expect((await pay(purchase, tools)).kind).toBe('paid');
    expect(created).toHaveLength(1);
    expect(confirmed).toEqual(['secret-of-key-1', 'secret-of-key-1']);
  });

  test('when the answer to the first request was lost, the next one carries the same key and quote', async () => {
    const lost = till({
      create: () => {
        throw new ApiProblem({ type: 'network', status: 0, title: 'No answer' });
      },
    });
    expect(await pay(purchase, lost.tools)).toMatchObject({
      kind: 'refused',
      reason: 'intent',
      problem: { status: 0 },
    });
    const again = till({});
    again.tools.attempt = lost.tools.attempt;
    await pay({ ...purchase, request: { ...purchase.request, quote: 'quote-2' } }, again.tools);
    expect(again.created).toEqual([{ key: 'key-1', quote: 'quote-1' }]);
  });

  test('an intent that was paid before a reload is not followed by another', async () => {
    const { tools, created, confirmed } = till({ status: 'succeeded' });
    const attempt: Attempt = { key: 'k', fingerprint: 'x', clientSecret: 's', orderToken: 'token-1' };
    expect(await pay(purchase, { ...tools, attempt })).toEqual({ kind: 'paid', orderToken: 'token-1' });
    expect(created).toEqual([]);
    expect(confirmed).toEqual([]);
  });

  test('a payment whose answer was lost counts as paid when Stripe says so', async () => {
    const { tools } = till({
      confirm: [{ error: NO_ANSWER }],
      status: 'succeeded',
    });
    expect(await pay(purchase, tools)).toEqual({ kind: 'paid', orderToken: 'token-of-key-1' });
  });

  test('while nobody knows what became of a payment, no other one is started', async () => {
    const { tools, created } = till({ confirm: [{ error: NO_ANSWER }], silent: true });
    expect(await pay(purchase, tools)).toEqual({ kind: 'refused', reason: 'lost' });
    const other = {
      ...purchase,
      request: { ...purchase.request, trees: 1, packageType: 'individual' as const },
    };
    expect(await pay(other, tools)).toEqual({ kind: 'refused', reason: 'lost' });
    expect(created).toHaveLength(1);
  });

  test('another package is another intent', async () => {
    const pending = { paymentIntent: { status: 'requires_payment_method' } };
    const { tools, created } = till({ confirm: [pending, pending] });
    await pay(purchase, tools);
    await pay({ ...purchase, request: { ...purchase.request, trees: 20, packageType: 'patch' } }, tools);
    expect(created.map(({ key }) => key)).toEqual(['key-1', 'key-2']);
  });

  test('out-of-date prices end the attempt, so that the buyer agrees to the new ones first', async () => {
    const { tools, confirmed } = till({
      create: () => {
        throw new ApiProblem({ type: 'quote-expired', status: 409, title: 'Prices changed' });
      },
    });
    expect(await pay(purchase, tools)).toEqual({ kind: 'quote-expired' });
    expect(tools.attempt).toBeUndefined();
    expect(confirmed).toEqual([]);
  });

  test('a refusal of the server is told in its words, with the fields it names', async () => {
    const { tools } = till({
      create: () => {
        throw new ApiProblem({
          type: 'validation-failed', status: 422, title: 'Please check the marked fields.',
          errors: [{ path: 'customerEmail', message: 'Invalid' }],
        }); // prettier-ignore
      },
    });
    expect(await pay(purchase, tools)).toMatchObject({
      kind: 'refused', reason: 'intent',
      problem: { message: 'Please check the marked fields.', fields: [{ path: 'customerEmail' }] },
    }); // prettier-ignore
  });
});
