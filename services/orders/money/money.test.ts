import { Problem } from '@arboleda/contracts/problems.ts';
import { describe, expect, test } from '@jest/globals';
import { isWithdrawn, type Order } from '../order/order.ts';
import { assigned, completed, minute, newOrderId, payment, planted } from '../test/builders.ts';
import {
  approved,
  disputed,
  growthBought,
  LUCIA,
  refunded,
  refundFailed,
  submitted,
} from '../test/event-builders.ts';
import { isPublicEntry } from '../order/timeline.ts';
import { decidePayment, decideSubmission } from '../order/creation.ts';
import { decideEdit, decideNote, type Edit } from '../order/edit.ts';
import { decideGrowthPurchase, decideGrowthStatus } from '../growth/growth.ts';
import { decideDispute, decideRefund, decideRefundFailure } from './money.ts';
import { decideStatus } from '../order/status.ts';
import { decideStep, type FieldStep } from '../order/step.ts';

const orderId = newOrderId();

const pending = decidePayment(undefined, payment({ orderId }).data)!.record;

const after = (...steps: FieldStep[]): Order =>
  steps.reduce((order, step) => decideStep(order, step)!.record, pending);

const part = (refundId: string, amountMinor: number, refundedMinor: number, isFull = false) =>
  refunded(orderId, { refundId, amountMinor, refundedMinor, isFull }).data;

describe('a full refund', () => {
  test.each([
    ['pending', pending],
    ['assigned', after(assigned(orderId))],
  ])('withdraws an order that is %s, so that nobody plants it', (from, order) => {
    const { record, events } = decideRefund(order, refunded(orderId).data)!;
    expect(isWithdrawn(record)).toBe(true);
    expect(record).toMatchObject({
      progress: { status: 'pending' },
      refundedMinor: 8_230_000,
      statusRevision: order.statusRevision + 1,
    });
    expect(events).toMatchObject([
      {
        type: 'order.status_changed',
        data: { from, to: 'pending', withdrawn: true, reason: 'Bought twice', by: LUCIA },
      },
    ]);
    expect(record.timeline.slice(-2)).toMatchObject([
      { type: 'refunded', amountMinor: 8_230_000, currency: 'COP', isFull: true, by: LUCIA, at: minute(70) },
      { type: 'withdrawn', from, to: 'pending' },
    ]);
  });

  test.each([
    ['planted', after(assigned(orderId), planted(orderId))],
    ['completed', after(assigned(orderId), planted(orderId), completed(orderId))],
  ])('is only recorded on an order that is %s', (status, order) => {
    const { record, events } = decideRefund(order, refunded(orderId).data)!;
    expect(events).toBeUndefined();
    expect(record).toMatchObject({ progress: { status }, isGivenBack: true });
    expect(isWithdrawn(record)).toBe(false);
  });

  test('counts once when it is repeated', () => {
    const { record } = decideRefund(pending, refunded(orderId).data)!;
    expect(decideRefund(record, refunded(orderId).data)).toBeUndefined();
  });

  test('waits for the order, and for the approval of its transfer', () => {
    expect(() => decideRefund(undefined, refunded(orderId).data)).toThrow(/not been created/);
    const announced = decideSubmission(undefined, submitted(orderId).data)!.record;
    expect(() => decideRefund(announced, refunded(orderId).data)).toThrow(/not been created/);
    const paid = decidePayment(announced, approved(orderId).data)!.record;
    expect(isWithdrawn(decideRefund(paid, refunded(orderId).data)!.record)).toBe(true);
  });
});

test('of parts adds up in any order, and the last part withdraws', () => {
  const parts = [part('a', 1_000_000, 1_000_000), part('b', 7_230_000, 8_230_000, true)];
  const given = (...refunds: typeof parts) =>
    refunds.reduce((order, one) => decideRefund(order, one)!.record, pending);
  for (const order of [given(...parts), given(...parts.toReversed())]) {
    expect(order).toMatchObject({ refundedMinor: 8_230_000, statusRevision: 1 });
    expect(order.refunds.map(({ refundId }) => refundId).sort()).toEqual(['a', 'b']);
  }
  expect(given(parts[0]!)).toMatchObject({ refundedMinor: 1_000_000, statusRevision: 0 });
});

describe('a refund returned by the bank', () => {
  const failed = (refundId: string, amountMinor: number) =>
    refundFailed(orderId, { refundId, amountMinor }).data;

  test('no longer counts, and the next refund counts alone', () => {
    const given = decideRefund(pending, part('a', 3_000_000, 3_000_000))!.record;
    const { record, events } = decideRefundFailure(given, failed('a', 3_000_000))!;
    expect(events).toBeUndefined();
    expect(record).toMatchObject({ refunds: [], refundedMinor: 0 });
    expect(record.timeline.at(-1)).toMatchObject({
      type: 'refund_failed',
      reason: 'expired_or_canceled_card',
      amountMinor: 3_000_000,
    });
    const again = decideRefund(record, part('b', 2_000_000, 2_000_000))!.record;
    expect(again).toMatchObject({ refundedMinor: 2_000_000, refunds: [{ refundId: 'b' }] });
  });

  test('leaves other refunds, even a later one that still included it', () => {
    const both = [part('a', 1_000_000, 1_000_000), part('b', 2_000_000, 3_000_000)] as const;
    const known = both.reduce((order, one) => decideRefund(order, one)!.record, pending);
    const first = decideRefund(pending, both[0])!.record;
    const returned = decideRefundFailure(first, failed('a', 1_000_000))!.record;
    for (const record of [
      decideRefundFailure(known, failed('a', 1_000_000))!.record,
      decideRefund(returned, both[1])!.record,
    ]) {
      expect(record).toMatchObject({ refunds: [{ refundId: 'b' }], refundedMinor: 2_000_000 });
    }
    const none = decideRefundFailure(known, failed('a', 1_000_000))!.record;
    expect(decideRefundFailure(none, failed('b', 2_000_000))!.record.refundedMinor).toBe(0);
  });

  test('reinstates a withdrawn order', () => {
    const withdrawn = decideRefund(after(assigned(orderId)), refunded(orderId).data)!.record;
    const { record, events } = decideRefundFailure(withdrawn, failed('refund-1', 8_230_000))!;
    expect(isWithdrawn(record)).toBe(false);
    expect(record).toMatchObject({ refundedMinor: 0, refunds: [], progress: { status: 'pending' } });
    expect(record.timeline.slice(-2)).toMatchObject([{ type: 'refund_failed' }, { type: 'reinstated' }]);
    expect(events).toMatchObject([
      {
        type: 'order.status_changed',
        data: { from: 'pending', to: 'pending', statusRevision: withdrawn.statusRevision + 1 },
      },
    ]);
    expect(events![0]!.data).not.toHaveProperty('withdrawn');
  });

  test('leaves an order that an admin has set to planted meanwhile', () => {
    const withdrawn = decideRefund(pending, refunded(orderId).data)!.record;
    const set = decideStatus(withdrawn, { status: 'planted' }, LUCIA, minute(72))!.record;
    const { record, events } = decideRefundFailure(set, failed('refund-1', 8_230_000))!;
    expect(events).toBeUndefined();
    expect(record).toMatchObject({ isGivenBack: false, progress: { status: 'planted' } });
  });

  test('counts once, waits for its refund, and is shown to everybody', () => {
    const given = decideRefund(pending, part('a', 3_000_000, 3_000_000))!.record;
    const { record } = decideRefundFailure(given, failed('a', 3_000_000))!;
    expect(decideRefundFailure(record, failed('a', 3_000_000))).toBeUndefined();
    expect(() => decideRefundFailure(undefined, failed('a', 1))).toThrow(/not been created/);
    expect(() => decideRefundFailure(pending, failed('a', 1))).toThrow(/not come yet/);
    expect(isPublicEntry(record.timeline.at(-1)!)).toBe(true);
  });
});

describe('a lost dispute', () => {
  const lost = (changes = {}) =>
    disputed(orderId, { status: 'lost', lostMinor: 8_230_000, at: minute(85), ...changes }).data;

  test.each([
    ['pending', pending],
    ['assigned', after(assigned(orderId))],
  ])('withdraws an order that is %s, and winning the appeal reinstates it', (from, order) => {
    const { record, events } = decideDispute(order, lost())!;
    expect(isWithdrawn(record)).toBe(true);
    expect(record).toMatchObject({ lostMinor: 8_230_000, isGivenBack: true, refundedMinor: 0 });
    expect(events).toMatchObject([
      { type: 'order.status_changed', data: { from, to: 'pending', withdrawn: true } },
    ]);
    const won = decideDispute(record, lost({ status: 'won', lostMinor: 0, at: minute(95) }))!;
    expect(isWithdrawn(won.record)).toBe(false);
    expect(won.record.lostMinor).toBe(0);
    expect(won.events).toHaveLength(1);
  });

  test('is only recorded on a planted order', () => {
    const { record, events } = decideDispute(after(assigned(orderId), planted(orderId)), lost())!;
    expect(events).toBeUndefined();
    expect(record).toMatchObject({ isGivenBack: true, lostMinor: 8_230_000 });
  });

  test('of the rest after a partial refund withdraws, too', () => {
    const given = decideRefund(pending, part('a', 3_000_000, 3_000_000))!.record;
    const { record } = decideDispute(given, lost({ lostMinor: 5_230_000 }))!;
    expect(isWithdrawn(record)).toBe(true);
  });
});

describe('money of a photo package', () => {
  const photoPackage = { purchaseId: 'purchase-1', photoPackageType: 'first_year' } as const;
  const ofPackage = { paymentId: undefined, photoPackage, paidMinor: 1500, currency: 'USD' } as const;
  const bought = decideGrowthPurchase(pending, growthBought(orderId).data)!.record;
  const back = (amountMinor: number, refundId = 'r') =>
    refunded(orderId, { ...ofPackage, refundId, amountMinor, refundedMinor: amountMinor }).data;

  test('that is refunded is recorded with the package; the trees are still planted', () => {
    const { record, events } = decideRefund(bought, back(1500))!;
    expect(events).toBeUndefined();
    expect(record).toMatchObject({ refunds: [], refundedMinor: 0, isGivenBack: false });
    expect(record.growth).toMatchObject([
      { refundedMinor: 1500, isGivenBack: true, refunds: [{ refundId: 'r', reason: 'Bought twice' }] },
    ]);
    expect(record.timeline.at(-1)).toMatchObject({ type: 'refunded', purchaseId: 'purchase-1' });
    expect(decideRefund(record, back(1500))).toBeUndefined();
  });

  test('in part, returned by the bank, or lost in a dispute counts like that of trees', () => {
    const given = decideRefund(bought, back(500))!.record;
    expect(given.growth).toMatchObject([{ refundedMinor: 500, isGivenBack: false }]);
    const failed = refundFailed(orderId, { ...ofPackage, refundId: 'r', amountMinor: 500 }).data;
    expect(decideRefundFailure(given, failed)!.record.growth).toMatchObject([{ refundedMinor: 0 }]);
    const lost = disputed(orderId, { ...ofPackage, status: 'lost', amountMinor: 1000, lostMinor: 1000 }).data;
    expect(decideDispute(given, lost)!.record.growth).toMatchObject([
      { refundedMinor: 500, lostMinor: 1000, isGivenBack: true, disputes: [{ status: 'lost' }] },
    ]);
  });

  test('waits for the package', () => {
    expect(() => decideRefund(pending, back(1500))).toThrow(/not come yet/);
  });

  test('that the order never had changes nothing', () => {
    const surplus = { ...back(1500), photoPackage: { ...photoPackage, isSurplus: true as const } };
    expect(decideRefund(pending, surplus)).toBeUndefined();
  });

  test('stops the package when payments says so; the newest event wins', () => {
    const changed = (status: 'active' | 'stopped', revision: number) =>
      ({ orderId, purchaseId: 'purchase-1', status, revision, at: minute(80 + revision) }) as const;
    const { record } = decideGrowthStatus(bought, changed('stopped', 1))!;
    expect(record.growth).toMatchObject([{ stoppedAt: minute(81) }]);
    expect(record.timeline.at(-1)).toMatchObject({ type: 'growth_stopped' });
    const again = decideGrowthStatus(record, changed('active', 2))!.record;
    expect(again.growth[0]!.stoppedAt).toBeUndefined();
    expect(decideGrowthStatus(again, changed('stopped', 1))).toBeUndefined();
    expect(() => decideGrowthStatus(pending, changed('stopped', 1))).toThrow(/not come yet/);
  });
});

describe('a dispute', () => {
  const opened = disputed(orderId).data;
  const won = disputed(orderId, { status: 'won', at: minute(90) }).data;
  const noted = (...news: (typeof opened)[]) =>
    news.reduce((order, one) => decideDispute(order, one)!.record, pending);

  test('has the newest status, whatever order the events come in', () => {
    for (const order of [noted(opened, won), noted(won, opened)]) {
      expect(order.disputes).toMatchObject([{ disputeId: 'dispute-1', status: 'won', reason: 'fraudulent' }]);
      expect(order.timeline.filter(({ type }) => type === 'disputed')).toHaveLength(2);
    }
  });

  test('is listed after an older one', () => {
    const other = disputed(orderId, { disputeId: 'dispute-2', at: minute(1) }).data;
    const order = noted(opened, other, won);
    expect(order.disputes).toMatchObject([
      { disputeId: 'dispute-2', status: opened.status },
      { disputeId: 'dispute-1', status: 'won' },
    ]);
    expect(decideDispute(order, other)).toBeUndefined();
  });

  test('publishes nothing, and a repeated event counts once', () => {
    expect(decideDispute(pending, opened)!.events).toBeUndefined();
    expect(decideDispute(noted(opened, won), opened)).toBeUndefined();
    expect(() => decideDispute(undefined, opened)).toThrow(/not been created/);
  });
});

const order = { ...decidePayment(undefined, payment({ orderId }).data)!.record, version: 3 };

const at = minute(300);

const edit = (wanted: Edit, ifVersion?: string, current = order) =>
  decideEdit(current, wanted, { by: LUCIA, at, ifVersion });

describe('an admin’s edit', () => {
  test('changes the named fields and records their values before and after', () => {
    const { record, events } = edit({ trees: 6, customerName: 'María Pérez', notes: 'Steep' })!;
    expect(record).toMatchObject({ trees: 6, notes: 'Steep', amountMinor: 8_230_000 });
    expect(record.customer).toEqual({ ...order.customer, name: 'María Pérez' });
    expect(record.timeline.at(-1)).toEqual({
      at,
      type: 'edited',
      by: LUCIA,
      changes: [
        { field: 'trees', from: 5, to: 6 },
        { field: 'customer.name', from: 'María José Pérez', to: 'María Pérez' },
        { field: 'notes', to: 'Steep' },
      ],
    });
    expect(events).toEqual([
      {
        type: 'order.updated',
        data: {
          orderId,
          trees: 6,
          amountMinor: 8_230_000,
          currency: 'COP',
          language: 'es',
          notes: 'Steep',
          customer: record.customer,
          changed: ['trees', 'customer.name', 'notes'],
          by: LUCIA,
          at,
        },
      },
    ]);
  });

  test('covers every field of the form', () => {
    const coordinates = { latitude: 4.637, longitude: -75.57 };
    const { record, events } = edit({
      amount: 100,
      currency: 'USD',
      customerEmail: 'maria@new.test',
      location: 'Salento',
      coordinates,
    })!;
    expect(record).toMatchObject({ amountMinor: 100, currency: 'USD', location: 'Salento', coordinates });
    expect(record.customer.email).toBe('maria@new.test');
    const changed = ['amountMinor', 'currency', 'customer.email', 'location', 'coordinates'];
    expect(events).toMatchObject([{ data: { changed, location: 'Salento', coordinates } }]);
  });

  test('clears empty and null fields', () => {
    const full = {
      ...order,
      location: 'Salento',
      notes: 'Steep',
      coordinates: { latitude: 1, longitude: 2 },
    };
    const { record } = edit({ location: '', notes: null, coordinates: null }, undefined, full)!;
    expect([record.location, record.notes, record.coordinates]).toEqual([undefined, undefined, undefined]);
  });

  test('without a change is no edit', () => {
    expect(edit({})).toBeUndefined();
    expect(edit({ trees: 5, customerEmail: 'Maria@mail.test', notes: '' })).toBeUndefined();
    const placed = { ...order, coordinates: { latitude: 1, longitude: 2 } };
    expect(edit({ coordinates: { longitude: 2, latitude: 1 } }, undefined, placed)).toBeUndefined();
  });

  test('of an outdated version is refused; without a version it is accepted', () => {
    expect(() => edit({ trees: 6 }, '2')).toThrow(Problem);
    expect(() => edit({ trees: 6 }, '2')).toThrow('precondition-failed');
    expect(() => edit({ trees: 6 }, 'damaged')).toThrow('precondition-failed');
    expect(edit({ trees: 6 }, '3')).toBeDefined();
  });
});

test('a note keeps its author and time; a repeated note counts once', () => {
  const note = { noteId: 'note-1', text: 'Called her', by: LUCIA, at };
  const { record, events } = decideNote(order, note)!;
  expect(events).toBeUndefined();
  expect(record.internalNotes).toEqual([note]);
  expect(record.timeline.at(-1)).toEqual({ at, type: 'noted', by: LUCIA });
  expect(decideNote(record, { ...note, at: minute(301) })).toBeUndefined();
});
