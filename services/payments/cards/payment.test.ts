import { openMetrics } from '@arboleda/chassis/http/metrics.ts';
import { EVENTS, type NewEvent } from '@arboleda/contracts/events/index.ts';
import { describe, expect, test } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import type Stripe from 'stripe';
import { aPurchase } from '../test/builders.ts';
import { type Settlers, webhookReceiver } from '../webhook.ts';
import {
  observe,
  type Payment,
  paymentIdOf,
  type PaymentState,
  type IntentSnapshot,
  intentSnapshotOf,
} from './payment.ts';
import type { CardProvider } from './provider.ts';
import type { PaymentStore, StoredPayment } from './store.ts';

const NOW = '2026-11-21T12:00:00.000Z';

const intentId = 'pi_1';

const purchase = aPurchase({ amountMinor: 8_230_000, currency: 'COP' });

const received = { amountMinor: 8_230_000, currency: 'COP' };

const waiting: IntentSnapshot = { intentId, outcome: 'waiting' };

const processing: IntentSnapshot = { intentId, outcome: 'processing' };

const canceled: IntentSnapshot = { intentId, outcome: 'canceled' };

const declined = (attemptId: string): IntentSnapshot => ({
  intentId,
  outcome: 'failed',
  failure: { attemptId, reason: 'card_declined' },
});

const succeeded: IntentSnapshot = {
  intentId,
  outcome: 'succeeded',
  received,
  card: { brand: 'visa', last4: '4242' },
  paidAt: '2026-11-21T11:59:58.000Z',
};

const inState = (state: PaymentState): Payment => ({ purchase, state, revision: 3 });

const open = inState({ status: 'open', intentId });

/** Applies a history of snapshots to a payment, as the store does. */
function live(history: readonly IntentSnapshot[], start: PaymentState = open.state) {
  let state = start;
  const events: NewEvent[] = [];
  for (const snapshot of history) {
    const decision = observe(inState(state), snapshot, NOW);
    if (decision.kind === 'ignored') continue;
    state = decision.state;
    events.push(...decision.events);
  }
  return { state, types: events.map(({ type }) => type), events };
}

function* permutations<T>(items: readonly T[]): Generator<T[]> {
  if (items.length === 0) yield [];
  for (const [index, item] of items.entries()) {
    for (const rest of permutations(items.toSpliced(index, 1))) yield [item, ...rest];
  }
}

describe('a payment that succeeds', () => {
  test('becomes succeeded and publishes everything an order needs', () => {
    const decision = observe(open, succeeded, NOW);
    expect(decision).toMatchObject({
      kind: 'changed',
      state: {
        status: 'succeeded',
        intentId,
        paidAt: '2026-11-21T11:59:58.000Z',
        card: { brand: 'visa', last4: '4242' },
      },
      events: [
        {
          type: 'payment.succeeded',
          data: {
            orderId: purchase.orderId,
            paymentId: purchase.paymentId,
            method: { kind: 'card' },
            transactionId: intentId,
            trees: purchase.trees,
            packageType: purchase.packageType,
            amountMinor: 8_230_000,
            currency: 'COP',
            customer: purchase.customer,
            language: purchase.language,
          },
        },
      ],
    });
  });

  test('publishes an event that matches the contract exactly', () => {
    const [event] = live([succeeded]).events;
    expect(EVENTS['payment.succeeded'].data.strict().parse(event!.data)).toBeTruthy();
  });

  test('needs neither the card nor the moment of the charge', () => {
    const { state, types } = live([{ intentId, outcome: 'succeeded', received }]);
    expect(state).toEqual({ status: 'succeeded', intentId, paidAt: NOW, card: undefined });
    expect(types).toEqual(['payment.succeeded']);
  });

  test('is published once, however often it is seen', () => {
    expect(live([succeeded, succeeded, succeeded]).types).toEqual(['payment.succeeded']);
    expect(observe(inState(live([succeeded]).state), succeeded, NOW)).toEqual({
      kind: 'ignored',
      why: 'settled',
    });
  });

  test('counts after a decline, and after Stripe reported a cancellation', () => {
    expect(live([declined('ch_1'), succeeded]).types).toEqual(['payment.failed', 'payment.succeeded']);
    expect(live([canceled, succeeded]).state.status).toBe('succeeded');
  });
});

describe('a payment with the wrong amount or currency', () => {
  test.each([
    ['too little', { amountMinor: 8_229_999, currency: 'COP' }],
    ['too much', { amountMinor: 8_230_001, currency: 'COP' }],
    ['another currency', { amountMinor: 8_230_000, currency: 'USD' }],
  ])('(%s) is never an order', (_what, wrong) => {
    const { state, types } = live([{ intentId, outcome: 'succeeded', received: wrong }]);
    expect(state).toEqual({ status: 'mismatched', intentId, noticedAt: NOW, received: wrong });
    expect(types).toEqual([]);
  });

  test('stays mismatched whatever comes after', () => {
    const wrong: IntentSnapshot = {
      intentId,
      outcome: 'succeeded',
      received: { ...received, amountMinor: 1 },
    };
    const { state, types } = live([wrong, succeeded, canceled, declined('ch_1')]);
    expect(state.status).toBe('mismatched');
    expect(types).toEqual([]);
  });
});

describe('a payment that fails', () => {
  test('stays open, keeps the reason and publishes the failure', () => {
    const { state, events } = live([declined('ch_1')]);
    expect(state).toEqual({
      status: 'open',
      intentId,
      failure: { attemptId: 'ch_1', reason: 'card_declined' },
    });
    expect(events).toEqual([
      {
        type: 'payment.failed',
        data: {
          orderId: purchase.orderId,
          paymentId: purchase.paymentId,
          reason: 'card_declined',
          at: NOW,
        },
      },
    ]);
  });

  test('publishes each failed attempt once', () => {
    const history = [declined('ch_1'), declined('ch_1'), processing, declined('ch_1'), declined('ch_2')];
    expect(live(history).types).toEqual(['payment.failed', 'payment.failed']);
  });

  test('is not set to processing by late news of an earlier attempt', () => {
    const { state, types } = live([declined('ch_1'), processing, declined('ch_1')]);
    expect(state).toMatchObject({ status: 'open', failure: { attemptId: 'ch_1' } });
    expect(types).toEqual(['payment.failed']);
  });
});

describe('a payment that is processing', () => {
  test('keeps the reason of the previous failure', () => {
    const { state } = live([declined('ch_1'), processing]);
    expect(state).toMatchObject({ status: 'processing', intentId, failure: { attemptId: 'ch_1' } });
  });

  test.each([
    ['processing', [processing], processing],
    ['open', [], waiting],
    ['failed', [declined('ch_1')], declined('ch_1')],
  ] as const)('that is %s as before is no news', (_status, history, again) => {
    const payment = inState(live(history).state);
    expect(observe(payment, again, NOW)).toEqual({ kind: 'ignored', why: 'no-news' });
  });

  test('changes nothing after a cancellation', () => {
    const payment = inState(live([canceled]).state);
    expect(observe(payment, processing, NOW)).toEqual({ kind: 'ignored', why: 'settled' });
  });
});

describe('an intent of another payment', () => {
  test('changes nothing, whatever its status', () => {
    for (const state of [open.state, live([succeeded]).state, live([canceled]).state]) {
      expect(observe(inState(state), { ...succeeded, intentId: 'pi_2' }, NOW)).toEqual({
        kind: 'ignored',
        why: 'not-ours',
      });
    }
  });
});

describe('webhooks in any order', () => {
  const successful = [waiting, processing, declined('ch_1'), declined('ch_2'), succeeded];
  const abandoned = [waiting, processing, declined('ch_1'), canceled];

  test('a success always wins; it and each decline are published once', () => {
    let count = 0;
    for (const history of permutations([...successful, succeeded])) {
      const { state, types } = live(history);
      expect(state).toMatchObject({ status: 'succeeded', intentId });
      expect(types.filter((type) => type === 'payment.succeeded')).toHaveLength(1);
      expect(types.filter((type) => type === 'payment.failed').length).toBeLessThanOrEqual(2);
      expect(types.indexOf('payment.succeeded')).toBe(types.length - 1);
      count++;
    }
    expect(count).toBe(720);
  });

  test('a cancellation without a success ends without an order', () => {
    for (const history of permutations([...abandoned, canceled])) {
      const { state, types } = live(history);
      expect(state.status).toBe('canceled');
      expect(types).not.toContain('payment.succeeded');
    }
  });

  test('no history without a success makes an order', () => {
    for (const history of permutations([waiting, processing, declined('ch_1'), declined('ch_2')])) {
      const { state, types } = live(history);
      expect(['open', 'processing']).toContain(state.status);
      expect(types).toEqual(['payment.failed', 'payment.failed']);
    }
  });

  test('a repeated history changes nothing', () => {
    for (const history of permutations(successful)) {
      const first = live(history);
      const again = live(history, first.state);
      expect(again.state).toEqual(first.state);
      expect(again.types).toEqual([]);
    }
  });
});

const intent = (parts: object): Stripe.PaymentIntent =>
  ({
    id: 'pi_1',
    object: 'payment_intent',
    status: 'requires_payment_method',
    currency: 'cop',
    amount: 8_230_000,
    amount_received: 0,
    last_payment_error: null,
    latest_charge: null,
    metadata: { paymentId: 'p-1' },
    ...parts,
  }) as unknown as Stripe.PaymentIntent;

const charge = {
  id: 'ch_1',
  object: 'charge',
  created: 1_795_262_400,
  payment_method_details: { type: 'card', card: { brand: 'visa', last4: '4242' } },
};

describe('a snapshot of a Stripe intent', () => {
  test.each(['requires_payment_method', 'requires_confirmation', 'requires_action', 'requires_capture'])(
    'with %s that it waits',
    (status) =>
      expect(intentSnapshotOf(intent({ status }))).toEqual({ intentId: 'pi_1', outcome: 'waiting' }),
  );

  test.each(['processing', 'canceled'] as const)('keeps the status %s', (status) => {
    expect(intentSnapshotOf(intent({ status }))).toEqual({ intentId: 'pi_1', outcome: status });
  });

  test('has the amount in our units, and the card', () => {
    expect(
      intentSnapshotOf(
        intent({ status: 'succeeded', amount_received: 18_720, currency: 'clp', latest_charge: charge }),
      ),
    ).toEqual({
      intentId: 'pi_1',
      outcome: 'succeeded',
      received: { amountMinor: 1_872_000, currency: 'CLP' },
      card: { brand: 'visa', last4: '4242' },
      paidAt: '2026-11-21T12:00:00.000Z',
    });
  });

  test.each([
    ['is only named', 'ch_1'],
    ['is absent', null],
  ])('nothing of the card when the charge %s', (_what, latest_charge) => {
    const seen = intentSnapshotOf(intent({ status: 'succeeded', amount_received: 8_230_000, latest_charge }));
    expect(seen).toMatchObject({ outcome: 'succeeded', card: undefined, paidAt: undefined });
  });

  test('has no card when another method paid', () => {
    const link = { ...charge, payment_method_details: { type: 'link', link: {} } };
    expect(intentSnapshotOf(intent({ status: 'succeeded', latest_charge: link }))).toMatchObject({
      card: undefined,
    });
  });

  test.each([
    [
      { type: 'card_error', code: 'card_declined', decline_code: 'lost_card', charge: 'ch_1' },
      'ch_1',
      'lost_card',
    ],
    [{ type: 'card_error', code: 'expired_card', charge: 'ch_2' }, 'ch_2', 'expired_card'],
    [
      {
        type: 'invalid_request_error',
        code: 'payment_intent_authentication_failure',
        payment_method: { id: 'pm_1' },
      },
      'pm_1',
      'payment_intent_authentication_failure',
    ],
    [{ type: 'api_error' }, 'api_error', 'api_error'],
  ])('why the last attempt failed: %j', (last_payment_error, attemptId, reason) => {
    expect(intentSnapshotOf(intent({ last_payment_error }))).toEqual({
      intentId: 'pi_1',
      outcome: 'failed',
      failure: { attemptId, reason },
    });
  });

  test('has no earlier failure while the next attempt is under way', () => {
    const last_payment_error = { type: 'card_error', code: 'card_declined', charge: 'ch_1' };
    for (const status of ['requires_action', 'requires_confirmation', 'processing']) {
      expect(intentSnapshotOf(intent({ status, last_payment_error })).outcome).not.toBe('failed');
    }
  });
});

test('has no payment when somebody else made the intent', () => {
  expect(paymentIdOf(intent({}))).toBe('p-1');
  expect(paymentIdOf(intent({ metadata: {} }))).toBeUndefined();
  expect(paymentIdOf(intent({ metadata: undefined }))).toBeUndefined();
});

/** Lists the lookups that one webhook causes, in order; each takes a moment. */
async function askedAbout(intent: object): Promise<string[]> {
  const asked: string[] = [];
  const answering = async <T>(what: string, answer: T): Promise<T> => {
    asked.push(`${what}?`);
    await turn();
    asked.push(what);
    return answer;
  };
  const object = {
    object: 'payment_intent',
    id: 'pi_1',
    currency: 'usd',
    amount_received: 100,
    metadata: { paymentId: 'p' },
    ...intent,
  };
  const receive = webhookReceiver({
    store: { unlessTaken: () => answering('ours', {} as StoredPayment) } as unknown as PaymentStore,
    provider: { lookUp: () => answering('Stripe', object) } as unknown as CardProvider,
    settlers: { payment: async () => 'changed' } as unknown as Settlers,
    logger: pino({ level: 'silent' }),
    metrics: openMetrics('payments'),
    detailWithinMs: 3_000,
  });
  await receive({ id: 'evt_1', type: 'payment_intent', data: { object } } as unknown as Stripe.Event);
  return asked;
}

test('a webhook looks a succeeded payment up while it reads the database', async () => {
  const paid = { status: 'succeeded', latest_charge: 'ch_1', currency: 'usd', amount_received: 2000 };
  expect((await askedAbout(paid)).slice(0, 2)).toEqual(['Stripe?', 'ours?']);
});

test.each([{ status: 'processing' }, { status: 'requires_payment_method', last_payment_error: {} }])(
  'one that goes on is looked up when it has been read: decided is on what is younger (%j)',
  async (intent) => {
    expect(await askedAbout(intent)).toEqual(['ours?', 'ours', 'Stripe?', 'Stripe']);
  },
);

test('a webhook of a payment that waits for its buyer asks neither the store nor Stripe', async () => {
  expect(await askedAbout({ status: 'requires_action' })).toEqual([]);
});
