import type { EventData } from '@arboleda/contracts/events/index.ts';
import type { Problem } from '@arboleda/contracts/problems.ts';
import { afterEach, describe, expect, test } from '@jest/globals';
import { decideEdit } from '../order/edit.ts';
import { decideGrowthPurchase } from '../growth/growth.ts';
import { decidePayment, decideRejection, decideSubmission } from '../order/creation.ts';
import { decideDispute, decideRefund, decideRefundFailure, decideRefundStatus } from '../money/money.ts';
import { decideErasure } from '../order/person.ts';
import { decideStatus } from '../order/status.ts';
import { decideStep } from '../order/step.ts';
import { decideSendAgain } from '../gift/gift.ts';
import {
  isFlagged,
  isHeld,
  isStopped,
  isWithdrawn,
  openReports,
  type Order,
  standingOf,
} from '../order/order.ts';
import { ANA, assigned, minute, newOrderId, payment, planted } from '../test/builders.ts';
import {
  approved,
  disputed,
  giftTo,
  growthBought,
  LUCIA,
  refunded,
  refundFailed,
  rejected,
  submitted,
} from '../test/event-builders.ts';
import { withReactions } from '../reactions.ts';
import {
  decideRetraction,
  decideWithdrawal,
  isRefundBegun,
  lastMomentToWithdraw,
  withAnswer,
} from './withdrawal.ts';

const orderId = newOrderId();
const paid = (): Order => decidePayment(undefined, payment({ orderId }).data)!.record;
const taken = (): Order => decideStep(paid(), assigned(orderId))!.record;
const withdrawn = (order = paid(), at = minute(5)): Order => decideWithdrawal(order, { at })!.record;
const givenBack = (order: Order, changes: Partial<EventData<'payment.refunded'>> = {}): Order =>
  withAnswer(order, decideRefund(order, refunded(orderId, changes).data)!, { at: minute(71) }).record;
const refusal = (decide: () => unknown): string | undefined => {
  try {
    decide();
  } catch (error) {
    return (error as Problem).type;
  }
  return undefined;
};

/** Paid on Saturday, 21 November 2026. */
const LAST = '2026-12-06T04:59:59.999Z';
const TOO_LATE = '2026-12-06T05:00:00.000Z';

describe('a withdrawal', () => {
  test('holds the order, and says until when the money is back', () => {
    const { record, events } = decideWithdrawal(taken(), { at: minute(5), reason: 'Too many' })!;
    expect(record).toMatchObject({
      progress: { status: 'pending' },
      statusRevision: 2,
      withdrawal: { requestedAt: minute(5), reason: 'Too many', refundBy: '2026-12-06T04:59:59.999Z' },
    });
    expect([isHeld(record), isStopped(record), isWithdrawn(record)]).toEqual([true, true, false]);
    expect(standingOf(record)).toBe('withdrawn');
    const by = { role: 'customer', name: 'María José Pérez' };
    expect(record.timeline.at(-1)).toEqual({
      at: minute(5),
      type: 'withdrawal_requested',
      by,
      from: 'assigned',
      to: 'pending',
    });
    expect(events).toEqual([
      {
        type: 'order.status_changed',
        data: {
          orderId,
          statusRevision: 2,
          from: 'assigned',
          to: 'pending',
          by,
          at: minute(5),
          held: true,
        },
      },
      {
        type: 'order.withdrawal_requested',
        data: {
          orderId,
          method: { kind: 'card' },
          requestedAt: minute(5),
          refundBy: '2026-12-06T04:59:59.999Z',
          amountMinor: 8_230_000,
          currency: 'COP',
        },
      },
    ]);
  });

  test('a second time changes nothing', () => {
    expect(decideWithdrawal(withdrawn(), { at: minute(6) })).toBeUndefined();
    expect(decideWithdrawal(withdrawn(), { at: TOO_LATE })).toBeUndefined();
  });

  test('is possible until the last moment of the fourteenth day, and not after it', () => {
    expect(lastMomentToWithdraw(paid())).toBe(LAST);
    expect(withdrawn(paid(), LAST).withdrawal).toBeDefined();
    expect(refusal(() => decideWithdrawal(paid(), { at: TOO_LATE }))).toBe('withdrawal-too-late');
  });

  afterEach(() => void delete process.env.ORGANISATION_TIME_ZONE);
  test.each([undefined, 'Europe/Madrid', 'Asia/Tokyo', 'America/Los_Angeles'])(
    'says the last day in Colombia when it is too late, with an organisation in %s',
    (zone) => {
      if (zone) process.env.ORGANISATION_TIME_ZONE = zone;
      try {
        decideWithdrawal(paid(), { at: TOO_LATE });
        throw new Error('was accepted');
      } catch (error) {
        expect(error).toMatchObject({ type: 'withdrawal-too-late', lastDay: '2026-12-05' });
      }
    },
  );

  test('of a transfer counts from its approval', () => {
    const sent = decideSubmission(undefined, submitted(orderId).data)!.record;
    const paidAt = '2026-11-23T15:00:00.000Z';
    const found = decidePayment(sent, approved(orderId, { paidAt }).data)!.record;
    expect(lastMomentToWithdraw(found)).toBe('2026-12-08T04:59:59.999Z');
  });

  const sent = () => decideSubmission(undefined, submitted(orderId).data)!.record;
  const refused: readonly [string, () => Order, string][] = [
    ['before the transfer is approved', sent, 'order-unpaid'],
    ['of a rejected transfer', () => decideRejection(sent(), rejected(orderId).data)!.record, 'order-unpaid'],
    ['once planted', () => decideStep(taken(), planted(orderId))!.record, 'withdrawal-planted'],
    [
      'once an admin set it to planted',
      () => decideStatus(paid(), { status: 'planted' }, LUCIA, minute(2))!.record,
      'withdrawal-planted',
    ],
    ['once refunded', () => decideRefund(paid(), refunded(orderId).data)!.record, 'order-refunded'],
    ['once withdrawn from and refunded', () => givenBack(withdrawn()), 'order-refunded'],
    [
      'while the bank decides about the payment',
      () => decideDispute(paid(), disputed(orderId).data)!.record,
      'order-disputed',
    ],
  ];
  test.each(refused)('is refused %s', (_name, order, problem) => {
    expect(refusal(() => decideWithdrawal(order(), { at: minute(90) }))).toBe(problem);
    expect(lastMomentToWithdraw(order())).toBeUndefined();
  });

  test('is possible after a dispute that the organisation won', () => {
    const order = decideDispute(paid(), disputed(orderId, { status: 'won' }).data)!.record;
    expect(decideWithdrawal(order, { at: minute(90) })).toBeDefined();
  });

  test('keeps an order from its worker, whose steps come too late', () => {
    const order = withdrawn(taken());
    expect(decideStep(order, assigned(orderId, { statusRevision: 1 }))).toBeUndefined();
    const { record, events } = decideStep(order, planted(orderId, { statusRevision: 2 }))!;
    expect(record.progress.status).toBe('pending');
    expect(events).toMatchObject([{ data: { statusRevision: 3, to: 'pending', held: true } }]);
    expect(decideStep(order, assigned(orderId, { statusRevision: 2 }))!.record.progress.status).toBe(
      'pending',
    );
  });

  test.each([
    ['had left the worker’s phone before', 1],
    ['followed an assignment that came too late, too', 2],
  ])('shows admins a planting that %s', (_what, statusRevision) => {
    const order = withdrawn(taken());
    const step = planted(orderId, { statusRevision });
    const { record } = decideStep(order, step)!;
    expect(record.progress.status).toBe('pending');
    expect(record.timeline.find(({ type }) => type === 'reported')).toEqual({
      at: minute(20),
      type: 'reported',
      by: { role: 'worker', id: ANA.workerId, name: ANA.name },
      to: 'planted',
      note: 'Finca La Esperanza, Salento',
    });
    expect([openReports(record).length, isFlagged(record)]).toEqual([1, true]);
    expect(decideStep(record, planted(orderId, { statusRevision: 1 }))).toBeUndefined();
  });

  test('keeps admins from moving the order before they keep it', () => {
    const set = (status: 'assigned' | 'planted' | 'completed') => () =>
      decideStatus(withdrawn(), { status }, LUCIA, minute(9));
    for (const status of ['assigned', 'planted', 'completed'] as const)
      expect(refusal(set(status))).toBe('withdrawal-open');
    expect(decideEdit(withdrawn(), { notes: 'Called' }, { by: LUCIA, at: minute(9) })).toBeDefined();
  });

  test('loses its reason with the data of its donor', () => {
    const order = decideWithdrawal(paid(), { at: minute(5), reason: 'I, María, moved' })!.record;
    const { email } = order.customer;
    const erased = decideErasure(order, { email, by: LUCIA, at: minute(60) })!.record;
    expect(erased.withdrawal).toMatchObject({ requestedAt: minute(5) });
    expect(JSON.stringify(erased)).not.toContain('María');
  });
});

describe('a refund of all the money', () => {
  test('answers a withdrawal', () => {
    const order = givenBack(withdrawn());
    expect(order.withdrawal!.answeredAt).toBe(minute(71));
    expect([isHeld(order), isWithdrawn(order)]).toEqual([false, true]);
  });

  test('tells payments, which refunds the growth updates', () => {
    const { events } = decideRefund(withdrawn(), refunded(orderId).data)!;
    expect(events).toMatchObject([{ type: 'order.status_changed', data: { withdrawn: true } }]);
    expect(events![0]!.data).not.toHaveProperty('held');
  });

  test('answers it once the growth updates are refunded, too', () => {
    const bought = growthBought(orderId).data;
    const order = decideGrowthPurchase(withdrawn(), bought)!.record;
    const trees = givenBack(order);
    expect(trees.withdrawal!.answeredAt).toBeUndefined();
    const { purchaseId, photoPackageType, amountMinor, currency } = bought;
    const all = givenBack(trees, {
      refundId: 'refund-2',
      amountMinor,
      currency,
      paidMinor: amountMinor,
      photoPackage: { purchaseId, photoPackageType },
    });
    expect(all.withdrawal!.answeredAt).toBe(minute(71));
  });

  test('in part does not answer it', () => {
    const order = givenBack(withdrawn(), { amountMinor: 1_000_00, isFull: false });
    expect(order.withdrawal!.answeredAt).toBeUndefined();
    expect(isHeld(order)).toBe(true);
  });

  test('that fails reopens it, and nobody plants meanwhile', () => {
    const failed = decideRefundFailure(givenBack(withdrawn()), refundFailed(orderId).data)!;
    const { record } = withAnswer(undefined, failed, { at: minute(76) });
    expect(record.withdrawal!.answeredAt).toBeUndefined();
    expect(isHeld(record)).toBe(true);
    expect(failed.events ?? []).toEqual([]);
    expect(record.timeline.at(-1)!.type).toBe('refund_failed');
  });
});

describe('keeping the order', () => {
  test('lets it wait for a worker again, and withdraw again in time', () => {
    const { record, events } = decideRetraction(withdrawn(taken()), { at: minute(10) })!;
    expect(record.withdrawal).toBeUndefined();
    expect([record.progress.status, isStopped(record), standingOf(record)]).toEqual([
      'pending',
      false,
      'paid',
    ]);
    expect(events).toMatchObject([
      { type: 'order.status_changed', data: { statusRevision: 3, to: 'pending' } },
      { type: 'order.withdrawal_retracted', data: { at: minute(10) } },
    ]);
    expect(events![0]!.data).not.toHaveProperty('held');
    expect(lastMomentToWithdraw(record)).toBe(LAST);
  });

  test('is noted with the donor, or the admin and their reason', () => {
    expect(decideRetraction(withdrawn(), { at: minute(10) })!.record.timeline.at(-1)).toEqual({
      at: minute(10),
      type: 'withdrawal_retracted',
      by: { role: 'customer', name: 'María José Pérez' },
    });
    const { record } = decideRetraction(withdrawn(), {
      by: LUCIA,
      at: minute(10),
      reason: 'They called',
    })!;
    expect(record.timeline.at(-1)).toEqual({
      at: minute(10),
      type: 'withdrawal_retracted',
      by: LUCIA,
      reason: 'They called',
    });
  });

  test('changes nothing without a withdrawal, and is refused once the money is back', () => {
    expect(decideRetraction(paid(), { at: minute(10) })).toBeUndefined();
    expect(refusal(() => decideRetraction(givenBack(withdrawn()), { at: minute(80) }))).toBe(
      'order-refunded',
    );
  });
});

describe('once a refund has begun, the order', () => {
  type Status = EventData<'payment.refund_status_changed'>['status'];
  const said = (order: Order, status: Status, refundId = 'refund-1'): Order => {
    const data = { orderId, refundId, amountMinor: 100, currency: 'COP' as const, status, at: minute(6) };
    return decideRefundStatus(order, data)?.record ?? order;
  };
  const keep = (order: Order) => refusal(() => decideRetraction(order, { at: minute(80) }));

  test('can no longer be kept, unless that refund ends without money going back', () => {
    const begun = said(withdrawn(), 'pending');
    expect([isRefundBegun(begun), keep(begun)]).toEqual([true, 'refund-begun']);
    for (const status of ['failed', 'canceled'] as const) expect(keep(said(begun, status))).toBeUndefined();
    expect(keep(said(said(begun, 'canceled'), 'pending', 'refund-2'))).toBe('refund-begun');
  });

  test('does not begin it again when the news of its end came first', () => {
    expect(keep(said(said(withdrawn(), 'canceled'), 'pending'))).toBeUndefined();
  });

  test('cannot be kept when a part of the money is back since, of its growth updates too', () => {
    const part = { amountMinor: 1_000_00, isFull: false };
    expect(keep(givenBack(withdrawn(), part))).toBe('refund-begun');
    const bought = growthBought(orderId).data;
    const { purchaseId, photoPackageType, amountMinor, currency } = bought;
    const photoPackage = { purchaseId, photoPackageType };
    const grown = withdrawn(decideGrowthPurchase(paid(), bought)!.record);
    expect(keep(givenBack(grown, { amountMinor, currency, paidMinor: amountMinor, photoPackage }))).toBe(
      'refund-begun',
    );
  });

  test('may be kept when a part was refunded before the donor withdrew', () => {
    const before = decideRefund(
      paid(),
      refunded(orderId, { amountMinor: 1_000_00, isFull: false, at: minute(2) }).data,
    );
    const known = said(before!.record, 'pending');
    expect(keep(withdrawn(known))).toBeUndefined();
    expect(keep(said(withdrawn(known), 'pending', 'refund-2'))).toBe('refund-begun');
  });

  test('may be kept when its bank returned the refund', () => {
    const back = givenBack(said(withdrawn(), 'pending'));
    const returned = decideRefundFailure(back, refundFailed(orderId).data)!.record;
    expect(keep(returned)).toBeUndefined();
    expect(keep(said(returned, 'pending', 'refund-2'))).toBe('refund-begun');
  });
});

describe('a gift whose buyer withdraws', () => {
  /** The store's write, over one order. */
  async function storeOf(first: Order) {
    let order = first;
    const store = withReactions(
      {
        get: async () => order,
        async change(_id, decide) {
          const change = decide(order);
          if (change) order = change.record;
          types.push(...(change?.events ?? []).map(({ type }) => type));
          return order;
        },
      },
      () => new Date(minute(6)),
    );
    const types: string[] = [];
    await store.change(orderId, (current) => ({ record: current! }));
    return { store, types };
  }

  test('is not delivered, unless the order is kept after all', async () => {
    const given = decidePayment(undefined, payment({ orderId, gift: giftTo() }).data)!.record;
    const { store, types } = await storeOf(given);
    const held = await store.change(orderId, (order) => decideWithdrawal(order!, { at: minute(5) }));
    expect([held!.gift!.state, types.at(-1)]).toEqual(['cancelled', 'gift.cancelled']);
    const kept = await store.change(orderId, (order) => decideRetraction(order!, { at: minute(6) }));
    expect([kept!.gift!.state, types.at(-1)]).toEqual(['waiting', 'gift.scheduled']);
  });

  test('is not sent again after its delivery, unless the order is kept after all', () => {
    const { record: given } = decidePayment(undefined, payment({ orderId, gift: giftTo() }).data)!;
    const sent: Order = { ...given, gift: { ...given.gift!, state: 'sent', sentAt: minute(1) } };
    const later = '2026-12-24T15:00:00.000Z';
    const held = withdrawn(sent);
    expect(refusal(() => decideSendAgain(held, later))).toBe('gift-cancelled');
    expect(refusal(() => decideSendAgain(givenBack(held), later))).toBe('gift-cancelled');
    const kept = decideRetraction(held, { at: minute(6) })!.record;
    expect(decideSendAgain(kept, later).events).toMatchObject([{ type: 'gift.scheduled' }]);
  });
});
