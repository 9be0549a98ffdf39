import type { Problem } from '@arboleda/contracts/problems.ts';
import { describe, expect, test } from '@jest/globals';
import { decideDispute } from './dispute-decision.ts';
import {
  decideByHand,
  decideRefusal,
  decideRequest,
  decideSent,
  decideSnapshot,
  type RefundAccount,
  type RefundRequest,
  refundOfRest,
  refundSeen,
} from './refund-decisions.ts';
import type { Refund, RefundSnapshot } from './refund.ts';
import type { Subject } from './subject.ts';

const now = new Date('2026-11-30T10:00:00Z');
const at = now.toISOString();
const LUCIA = { role: 'admin' as const, id: 'a1', name: 'Lucía' };
const subject: Subject = {
  kind: 'payment',
  id: 'p-1',
  orderId: 'o-1',
  amountMinor: 2000,
  currency: 'USD',
  paidBy: 'card',
  isPaid: true,
  isOrder: true,
  photoPackage: undefined,
  intentId: 'pi_1',
};
const account = (changes: Partial<Subject> = {}, refunds: Refund[] = []): RefundAccount => ({
  subject: { ...subject, ...changes },
  refunds,
  disputes: [],
});
const request = (changes: Partial<RefundRequest> = {}): RefundRequest => ({
  amountMinor: 500,
  reason: 'asked for',
  byHand: false,
  claim: false,
  by: LUCIA,
  idempotencyKey: undefined,
  ...changes,
});
const aRefund = (changes: Partial<Refund> = {}): Refund => ({
  refundId: 'r-1',
  subject: 'payment',
  subjectId: 'p-1',
  orderId: 'o-1',
  amountMinor: 500,
  currency: 'USD',
  reason: 'asked for',
  method: 'card',
  by: LUCIA,
  status: 'creating',
  createdAt: now,
  ...changes,
});
const snapshot = (changes: Partial<RefundSnapshot> = {}): RefundSnapshot => ({
  stripeId: 're_1',
  refundId: 'r-1',
  intentId: 'pi_1',
  amountMinor: 500,
  currency: 'USD',
  reason: 'requested_by_customer',
  status: 'succeeded',
  failureReason: undefined,
  createdAt: new Date('2026-11-30T09:59:00Z'),
  ...changes,
});
const refusal = (decide: () => unknown): [string, unknown] | undefined => {
  try {
    decide();
  } catch (error) {
    return [(error as Problem).type, (error as Problem).fields];
  }
  return undefined;
};
const asked = (changes: Partial<RefundRequest> = {}, from = account()) =>
  decideRequest(from, request(changes), 'r-1', now);

describe('a refund that an admin asks for', () => {
  test('goes through Stripe for a card, and is told as under way', () => {
    const decision = asked();
    expect(decision.refund).toEqual(aRefund());
    expect(decision.account.refunds).toEqual([aRefund()]);
    expect(decision.events).toEqual([
      {
        type: 'payment.refund_status_changed',
        data: { orderId: 'o-1', refundId: 'r-1', amountMinor: 500, currency: 'USD', status: 'pending', at },
      },
    ]);
    expect(asked({ amountMinor: undefined }).refund.amountMinor).toBe(2000);
  });

  test('by hand is sent already, or claimed until it is', () => {
    for (const from of [account({ paidBy: 'transfer' }), account()]) {
      const byHand = from.subject.paidBy === 'card';
      const done = asked({ byHand }, from);
      expect(done.refund).toEqual(aRefund({ method: 'hand', status: 'succeeded', settledAt: now }));
      expect(done.events).toMatchObject([
        { type: 'payment.refunded', data: { refundId: 'r-1', refundedMinor: 500, isFull: false, at } },
      ]);
      const claimed = asked({ byHand, claim: true }, from);
      expect(claimed.refund).toEqual(aRefund({ method: 'hand', status: 'pending' }));
      expect(claimed.events).toMatchObject([{ type: 'payment.refund_status_changed' }]);
    }
  });

  test('is told to nobody for what is no order', () => {
    expect(asked({}, account({ isOrder: false })).events).toEqual([]);
    expect(asked({ byHand: true }, account({ isOrder: false })).events).toEqual([]);
  });

  test.each([
    ['a claim through Stripe', { claim: true }, {}, [{ path: 'claim', type: 'invalid' }]],
    [
      'cents that Stripe has not',
      { amountMinor: 501 },
      { currency: 'CLP' },
      [{ path: 'amount', type: 'invalid' }],
    ],
    ['more than is left', { amountMinor: 2001 }, {}, [{ path: 'amount', type: 'too-big' }]],
  ] as const)('is refused: %s', (_what, changes, of, fields) => {
    expect(refusal(() => asked(changes, account({ ...of })))).toEqual(['validation-failed', fields]);
  });

  test('may be of any sum by hand', () => {
    const clp = account({ currency: 'CLP' });
    expect(asked({ amountMinor: 501, byHand: true }, clp).refund.amountMinor).toBe(501);
    expect(asked({ amountMinor: 500 }, clp).refund.amountMinor).toBe(500);
  });

  test('waits for one that is under way, unless its key tells them apart', () => {
    const under = account({}, [aRefund({ refundId: 'r-0', status: 'pending' })]);
    expect(refusal(() => asked({}, under))?.[0]).toBe('refund-in-hand');
    expect(asked({ idempotencyKey: 'key' }, under).account.refunds).toHaveLength(2);
  });
});

describe('money that went back by other means', () => {
  const said = { reason: 'returned', by: LUCIA };

  test('is noted at most as far as it is left', () => {
    const decision = decideSent(account(), { ...said, amountMinor: 5000 }, 'r-1', now)!;
    expect(decision.refund).toEqual(
      aRefund({ reason: 'returned', amountMinor: 2000, method: 'hand', status: 'succeeded', settledAt: now }),
    );
    expect(decision.events).toMatchObject([{ type: 'payment.refunded', data: { isFull: true } }]);
    expect(decideSent(account(), { ...said, amountMinor: 300 }, 'r-1', now)!.refund.amountMinor).toBe(300);
    expect(decideSent(decision.account, { ...said, amountMinor: 1 }, 'r-2', now)).toBeUndefined();
  });

  test('may come while a refund through Stripe is under way, and not while one is claimed', () => {
    const under = (method: 'card' | 'hand') =>
      account({}, [aRefund({ method, status: 'pending', refundId: 'r-0' })]);
    expect(decideSent(under('card'), { ...said, amountMinor: 1 }, 'r-1', now)).toBeDefined();
    expect(refusal(() => decideSent(under('hand'), { ...said, amountMinor: 1 }, 'r-1', now))?.[0]).toBe(
      'refund-in-hand',
    );
  });
});

describe('a claimed refund', () => {
  const claimed = aRefund({ method: 'hand', status: 'pending' });
  const said = (refund: Refund, isSent: boolean) => decideByHand(account({}, [refund]), refund, isSent, now);

  test('was sent, or is not sent after all, once', () => {
    for (const [isSent, status, type] of [
      [true, 'succeeded', 'payment.refunded'],
      [false, 'canceled', 'payment.refund_status_changed'],
    ] as const) {
      const decision = said(claimed, isSent)!;
      expect(decision.refund).toEqual({ ...claimed, status, settledAt: now });
      expect(decision.account.refunds).toEqual([decision.refund]);
      expect(decision.events).toMatchObject([{ type }]);
      expect(said(decision.refund, isSent)).toBeUndefined();
      expect(refusal(() => said(decision.refund, !isSent))?.[0]).toBe('conflict');
    }
  });

  test('is no refund through Stripe', () => {
    for (const status of ['pending', 'succeeded', 'canceled'] as const)
      for (const isSent of [true, false])
        expect(refusal(() => said(aRefund({ status }), isSent))?.[0]).toBe('conflict');
  });
});

describe('a refund at Stripe', () => {
  test('is refused once', () => {
    const decision = decideRefusal(account({}, [aRefund()]), aRefund(), 'charge_disputed', now)!;
    expect(decision.refund).toEqual(
      aRefund({ status: 'failed', failureReason: 'charge_disputed', settledAt: now }),
    );
    expect(decision.events).toMatchObject([{ data: { status: 'failed' } }]);
    for (const status of ['pending', 'failed', 'succeeded'] as const)
      expect(decideRefusal(account(), aRefund({ status }), 'x', now)).toBeUndefined();
  });

  test('is ours when Stripe knows it, or its metadata name one of this money that Stripe does not know', () => {
    const seen = (ofStripe: Refund | undefined, named: Refund | undefined) =>
      refundSeen(snapshot(), subject, { ofStripe, named }, 'r-new');
    const known = aRefund({ stripeId: 're_1' });
    expect(seen(known, undefined)).toEqual({ refund: known, isNew: false });
    expect(seen(undefined, aRefund())).toEqual({ refund: aRefund(), isNew: false });
    const made = {
      ...aRefund({ refundId: 'r-new', reason: 'requested_by_customer', stripeId: 're_1' }),
      createdAt: snapshot().createdAt,
    };
    delete made.by;
    for (const named of [undefined, aRefund({ stripeId: 're_0' }), aRefund({ subjectId: 'p-2' })])
      expect(seen(undefined, named)).toEqual({ refund: made, isNew: true });
  });

  test.each([
    ['pending', undefined, ['payment.refund_status_changed']],
    ['requires_action', undefined, ['payment.refund_status_changed']],
    ['succeeded', now, ['payment.refunded']],
    ['failed', now, ['payment.refund_status_changed']],
    ['canceled', now, ['payment.refund_status_changed']],
  ] as const)('becomes %s', (status, settledAt, types) => {
    const known = aRefund();
    const other = aRefund({ refundId: 'r-0', status: 'succeeded' });
    const decision = decideSnapshot(
      account({}, [known, other]),
      known,
      snapshot({ status, failureReason: status === 'failed' ? 'expired card' : undefined }),
      now,
    )!;
    expect(decision.refund).toEqual({
      ...known,
      status,
      stripeId: 're_1',
      settledAt,
      failureReason: status === 'failed' ? 'expired card' : undefined,
    });
    expect(decision.account.refunds).toEqual([other, decision.refund]);
    expect(decision.events.map(({ type }) => type).sort()).toEqual([...types].sort());
  });

  test('that the bank returned is told as failed', () => {
    const known = aRefund({ status: 'succeeded', stripeId: 're_1', settledAt: now });
    const seen = snapshot({ status: 'failed', failureReason: 'closed account' });
    expect(decideSnapshot(account({}, [known]), known, seen, now)!.events).toMatchObject([
      { type: 'payment.refund_failed' },
    ]);
  });

  test('is no news the second time', () => {
    const known = aRefund({ status: 'succeeded' });
    expect(decideSnapshot(account({}, [known]), known, snapshot(), now)).toBeUndefined();
  });
});

test('the product gives back all that is left, and nothing when nothing is', () => {
  const some = account({}, [aRefund({ status: 'succeeded' })]);
  expect(refundOfRest(some, 'r-2', 'surplus', now)).toEqual(
    aRefund({ refundId: 'r-2', amountMinor: 1500, reason: 'surplus', by: { role: 'system' } }),
  );
  const none = account({}, [aRefund({ status: 'succeeded', amountMinor: 2000 })]);
  expect(refundOfRest(none, 'r-2', 'surplus', now)).toBeUndefined();
});

describe('a dispute', () => {
  const seen = { disputeId: 'd-1', amountMinor: 700, currency: 'USD', reason: 'fraudulent', status: 'lost' };

  test('is told with a moment that is later than the one before', () => {
    expect(decideDispute(seen, undefined, subject, now)).toMatchObject({
      at: now,
      events: [{ type: 'payment.disputed', data: { orderId: 'o-1', status: 'lost', at } }],
    });
    const before = { status: 'needs_response', updatedAt: new Date(now.getTime() + 5) };
    expect(decideDispute(seen, before, subject, now)!.at).toEqual(new Date(now.getTime() + 6));
  });

  test('is told to nobody for what is no order, and not twice', () => {
    expect(decideDispute(seen, undefined, { ...subject, isOrder: false }, now)).toEqual({
      at: now,
      events: [],
    });
    expect(decideDispute(seen, { status: 'lost', updatedAt: now }, subject, now)).toBeUndefined();
  });
});
