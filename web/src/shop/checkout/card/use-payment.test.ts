import { describe, expect, test } from '@jest/globals';
import type { Stripe, StripeElements } from '@stripe/stripe-js';
import { ApiProblem } from '../../../api/problem.ts';
import type { Attempt } from '../../../order/purchase/draft.ts';
import { pay, type Purchase, type Tools } from './use-payment.ts';

const purchase: Purchase = {
  request: {
    trees: 5,
    packageType: 'grove',
    currency: 'COP',
    customerEmail: 'sofia@correo.co',
    customerName: 'Sofía',
    locale: 'es',
    quote: 'quote-1',
  },
  amountMinor: 8_230_000,
};

const NO_ANSWER = { type: 'api_connection_error', message: 'x' };

type Answer = { error?: unknown; paymentIntent?: { status: string } };

interface Counter {
  tools: Tools;
  created: { key: string; quote: string | undefined }[];
  confirmed: string[];
}

/** Payment elements with one draft and the scripted answers of Stripe and our server. */
function setUp(answers: {
  confirm?: Answer[];
  status?: string;
  /** Stripe is unreachable. */
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
        client_secret: `secret-of-${key}`,
        orderId: 'a'.repeat(24),
        orderToken: `token-of-${key}`,
        amount: purchase.amountMinor,
        currency: 'COP',
      });
    },
  };
  return { tools, created, confirmed };
}

describe('paying', () => {
  test('creates one intent, confirms it, and returns the order', async () => {
    const { tools, created, confirmed } = setUp({});
    expect(await pay(purchase, tools)).toEqual({ kind: 'paid', orderToken: 'token-of-key-1' });
    expect(created).toEqual([{ key: 'key-1', quote: 'quote-1' }]);
    expect(confirmed).toEqual(['secret-of-key-1']);
  });

  test('incomplete fields create no intent', async () => {
    const { tools, created } = setUp({ submit: { type: 'validation_error' } });
    expect(await pay(purchase, tools)).toEqual({ kind: 'incomplete' });
    expect(created).toEqual([]);
  });

  test('after a declined card the same intent takes the next card', async () => {
    const declined = { error: { type: 'card_error', message: 'Your card was declined.' } };
    const { tools, created, confirmed } = setUp({
      confirm: [declined, { paymentIntent: { status: 'succeeded' } }],
    });
    expect(await pay(purchase, tools)).toMatchObject({ reason: 'card', message: 'Your card was declined.' });
    expect((await pay(purchase, tools)).kind).toBe('paid');
    expect(created).toHaveLength(1);
    expect(confirmed).toEqual(['secret-of-key-1', 'secret-of-key-1']);
  });

  test('after a lost answer the next request carries the same key and quote', async () => {
    const lost = setUp({
      create: () => {
        throw new ApiProblem({ type: 'network', status: 0, title: 'No answer' });
      },
    });
    expect(await pay(purchase, lost.tools)).toMatchObject({
      kind: 'refused',
      reason: 'intent',
      problem: { status: 0 },
    });
    const again = setUp({});
    again.tools.attempt = lost.tools.attempt;
    await pay({ ...purchase, request: { ...purchase.request, quote: 'quote-2' } }, again.tools);
    expect(again.created).toEqual([{ key: 'key-1', quote: 'quote-1' }]);
  });

  test('an intent paid before a reload is not followed by another', async () => {
    const { tools, created, confirmed } = setUp({ status: 'succeeded' });
    const attempt: Attempt = { key: 'k', fingerprint: 'x', clientSecret: 's', orderToken: 'token-1' };
    expect(await pay(purchase, { ...tools, attempt })).toEqual({ kind: 'paid', orderToken: 'token-1' });
    expect(created).toEqual([]);
    expect(confirmed).toEqual([]);
  });

  test('a payment with a lost answer counts as paid when Stripe says so', async () => {
    const { tools } = setUp({
      confirm: [{ error: NO_ANSWER }],
      status: 'succeeded',
    });
    expect(await pay(purchase, tools)).toEqual({ kind: 'paid', orderToken: 'token-of-key-1' });
  });

  test('while a payment is unresolved no other one starts', async () => {
    const { tools, created } = setUp({ confirm: [{ error: NO_ANSWER }], silent: true });
    expect(await pay(purchase, tools)).toEqual({ kind: 'refused', reason: 'lost' });
    const other = {
      ...purchase,
      request: { ...purchase.request, trees: 1, packageType: 'individual' as const },
    };
    expect(await pay(other, tools)).toEqual({ kind: 'refused', reason: 'lost' });
    expect(created).toHaveLength(1);
  });

  test('another package creates another intent', async () => {
    const pending = { paymentIntent: { status: 'requires_payment_method' } };
    const { tools, created } = setUp({ confirm: [pending, pending] });
    await pay(purchase, tools);
    await pay({ ...purchase, request: { ...purchase.request, trees: 20, packageType: 'patch' } }, tools);
    expect(created.map(({ key }) => key)).toEqual(['key-1', 'key-2']);
  });

  test('out-of-date prices end the attempt, so that the buyer confirms the new ones first', async () => {
    const { tools, confirmed } = setUp({
      create: () => {
        throw new ApiProblem({ type: 'quote-expired', status: 409, title: 'Prices changed' });
      },
    });
    expect(await pay(purchase, tools)).toEqual({ kind: 'quote-expired' });
    expect(tools.attempt).toBeUndefined();
    expect(confirmed).toEqual([]);
  });

  test('shows the server’s refusal with its fields', async () => {
    const { tools } = setUp({
      create: () => {
        throw new ApiProblem({
          type: 'validation-failed',
          status: 422,
          title: 'Please check the marked fields.',
          errors: [{ path: 'customerEmail', message: 'Invalid' }],
        });
      },
    });
    expect(await pay(purchase, tools)).toMatchObject({
      kind: 'refused',
      reason: 'intent',
      problem: { message: 'Please check the marked fields.', fields: [{ path: 'customerEmail' }] },
    });
  });
});
