import { Problem } from '@arboleda/contracts/problems.ts';
import { describe, expect, test } from '@jest/globals';
import { isWithdrawn, type Order } from '../order.ts';
import { assigned, completed, minute, newOrderId, payment, planted } from '../test/builders.ts';
import { approved, disputed, LUCIA, refunded, refundFailed, submitted } from '../test/news.ts';
import { isToldToAnybody } from '../timeline.ts';
import { decidePayment, decideSubmission } from './creation.ts';
import { decideEdit, decideNote, type Edit } from './edit.ts';
import { decideDispute, decideRefund, decideRefundFailure } from './money.ts';
import { decideStep, type FieldStep } from './step.ts';

const orderId = newOrderId();

const pending = decidePayment(undefined, payment({ orderId }).data)!.document;

const after = (...steps: FieldStep[]): Order =>
  steps.reduce((order, step) => decideStep(order, step)!.document, pending);

const part = (refundId: string, amountMinor: number, refundedMinor: number, isFull = false) =>
  refunded(orderId, { refundId, amountMinor, refundedMinor, isFull }).data;

describe('a full refund', () => {
  test.each([
    ['pending', pending],
    ['assigned', after(assigned(orderId))],
  ])('of an order that is %s withdraws it: nobody plants it any more', (from, order) => {
    const { document, events } = decideRefund(order, refunded(orderId).data)!;
    expect(isWithdrawn(document)).toBe(true);
    expect(document).toMatchObject({
      ...{
        progress: { status: 'pending' },
        refundedMinor: 8_230_000,
        statusRevision: order.statusRevision + 1,
      },
    });
    expect(events).toMatchObject([
      {
        type: 'order.status_changed',
        data: { from, to: 'pending', withdrawn: true, reason: 'Bought twice', by: LUCIA },
      },
    ]);
    expect(document.timeline.slice(-2)).toMatchObject([
      { type: 'refunded', amountMinor: 8_230_000, currency: 'COP', isFull: true, by: LUCIA, at: minute(70) },
      { type: 'withdrawn', from, to: 'pending' },
    ]);
  });

  test.each([
    ['planted', after(assigned(orderId), planted(orderId))],
    ['completed', after(assigned(orderId), planted(orderId), completed(orderId))],
  ])('of an order that is %s is noted alone: the trees stand', (status, order) => {
    const { document, events } = decideRefund(order, refunded(orderId).data)!;
    expect(events).toBeUndefined();
    expect(document).toMatchObject({ progress: { status }, isFullyRefunded: true });
    expect(isWithdrawn(document)).toBe(false);
  });

  test('comes once', () => {
    const { document } = decideRefund(pending, refunded(orderId).data)!;
    expect(decideRefund(document, refunded(orderId).data)).toBeUndefined();
  });

  test('waits for the order, and for the approval of its transfer', () => {
    expect(() => decideRefund(undefined, refunded(orderId).data)).toThrow(/not been created/);
    const announced = decideSubmission(undefined, submitted(orderId).data)!.document;
    expect(() => decideRefund(announced, refunded(orderId).data)).toThrow(/not been created/);
    const paid = decidePayment(announced, approved(orderId).data)!.document;
    expect(isWithdrawn(decideRefund(paid, refunded(orderId).data)!.document)).toBe(true);
  });
});

test('refunds of parts add up, in whatever order they come, and the last withdraws', () => {
  const parts = [part('a', 1_000_000, 1_000_000), part('b', 7_230_000, 8_230_000, true)];
  const given = (...refunds: typeof parts) =>
    refunds.reduce((order, one) => decideRefund(order, one)!.document, pending);
  for (const order of [given(...parts), given(...parts.toReversed())]) {
    expect(order).toMatchObject({ refundedMinor: 8_230_000, statusRevision: 1 });
    expect(order.refunds.map(({ refundId }) => refundId).sort()).toEqual(['a', 'b']);
  }
  expect(given(parts[0]!)).toMatchObject({ refundedMinor: 1_000_000, statusRevision: 0 });
});

describe('a refund that the bank sends back', () => {
  const failed = (refundId: string, amountMinor: number) =>
    refundFailed(orderId, { refundId, amountMinor }).data;

  test('does not count any more, and the next one counts alone', () => {
    const given = decideRefund(pending, part('a', 3_000_000, 3_000_000))!.document;
    const { document, events } = decideRefundFailure(given, failed('a', 3_000_000))!;
    expect(events).toBeUndefined();
    expect(document).toMatchObject({ refunds: [], refundedMinor: 0 });
    expect(document.timeline.at(-1)).toMatchObject({
      ...{ type: 'refund_failed', reason: 'expired_or_canceled_card', amountMinor: 3_000_000 },
    });
    const again = decideRefund(document, part('b', 2_000_000, 2_000_000))!.document;
    expect(again).toMatchObject({ refundedMinor: 2_000_000, refunds: [{ refundId: 'b' }] });
  });

  test('leaves other refunds, also one that comes later and still counted it', () => {
    const both = [part('a', 1_000_000, 1_000_000), part('b', 2_000_000, 3_000_000)] as const;
    const known = both.reduce((order, one) => decideRefund(order, one)!.document, pending);
    const first = decideRefund(pending, both[0])!.document;
    const returned = decideRefundFailure(first, failed('a', 1_000_000))!.document;
    for (const document of [
      decideRefundFailure(known, failed('a', 1_000_000))!.document,
      decideRefund(returned, both[1])!.document,
    ]) {
      expect(document).toMatchObject({ refunds: [{ refundId: 'b' }], refundedMinor: 2_000_000 });
    }
    const none = decideRefundFailure(known, failed('a', 1_000_000))!.document;
    expect(decideRefundFailure(none, failed('b', 2_000_000))!.document.refundedMinor).toBe(0);
  });

  test('leaves an order withdrawn until an admin decides', () => {
    const withdrawn = decideRefund(pending, refunded(orderId).data)!.document;
    const { document } = decideRefundFailure(withdrawn, failed('refund-1', 8_230_000))!;
    expect(isWithdrawn(document)).toBe(true);
    expect(document.refundedMinor).toBe(0);
  });

  test('is one, waits for what it takes back, and is told to nobody but admins', () => {
    const given = decideRefund(pending, part('a', 3_000_000, 3_000_000))!.document;
    const { document } = decideRefundFailure(given, failed('a', 3_000_000))!;
    expect(decideRefundFailure(document, failed('a', 3_000_000))).toBeUndefined();
    expect(() => decideRefundFailure(undefined, failed('a', 1))).toThrow(/not been created/);
    expect(() => decideRefundFailure(pending, failed('a', 1))).toThrow(/not come yet/);
    expect(isToldToAnybody(document.timeline.at(-1)!)).toBe(false);
  });
});

describe('a dispute', () => {
  const opened = disputed(orderId).data;
  const won = disputed(orderId, { status: 'won', at: minute(90) }).data;
  const noted = (...news: (typeof opened)[]) =>
    news.reduce((order, one) => decideDispute(order, one)!.document, pending);

  test('stands as was said last, in whatever order it is said', () => {
    for (const order of [noted(opened, won), noted(won, opened)]) {
      expect(order.disputes).toMatchObject([{ disputeId: 'dispute-1', status: 'won', reason: 'fraudulent' }]);
      expect(order.timeline.filter(({ type }) => type === 'disputed')).toHaveLength(2);
    }
  });

  test('stands beside another one, the older first', () => {
    const other = disputed(orderId, { disputeId: 'dispute-2', at: minute(1) }).data;
    const order = noted(opened, other, won);
    expect(order.disputes).toMatchObject([
      { disputeId: 'dispute-2', status: opened.status },
      { disputeId: 'dispute-1', status: 'won' },
    ]);
    expect(decideDispute(order, other)).toBeUndefined();
  });

  test('is told to nobody, and the same news is one', () => {
    expect(decideDispute(pending, opened)!.events).toBeUndefined();
    expect(decideDispute(noted(opened, won), opened)).toBeUndefined();
    expect(() => decideDispute(undefined, opened)).toThrow(/not been created/);
  });
});

const order = { ...decidePayment(undefined, payment({ orderId }).data)!.document, version: 3 };

const at = minute(300);

const edit = (wanted: Edit, ifVersion?: string, current = order) =>
  decideEdit(current, wanted, { by: LUCIA, at, ifVersion });

describe('an admin’s edit', () => {
  test('changes what it names, and writes down what each field held before and after', () => {
    const { document, events } = edit({ trees: 6, customerName: 'María Pérez', notes: 'Steep' })!;
    expect(document).toMatchObject({ trees: 6, notes: 'Steep', amountMinor: 8_230_000 });
    expect(document.customer).toEqual({ ...order.customer, name: 'María Pérez' });
    expect(document.timeline.at(-1)).toEqual({
      ...{ at, type: 'edited', by: LUCIA },
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
          ...{ orderId, trees: 6, amountMinor: 8_230_000, currency: 'COP', language: 'es', notes: 'Steep' },
          ...{ customer: document.customer, changed: ['trees', 'customer.name', 'notes'], by: LUCIA, at },
        },
      },
    ]);
  });

  test('covers every field of the form', () => {
    const coordinates = { latitude: 4.637, longitude: -75.57 };
    const { document, events } = edit({
      ...{ amount: 100, currency: 'USD', customerEmail: 'maria@new.test', location: 'Salento', coordinates },
    })!;
    expect(document).toMatchObject({ amountMinor: 100, currency: 'USD', location: 'Salento', coordinates });
    expect(document.customer.email).toBe('maria@new.test');
    const changed = ['amountMinor', 'currency', 'customer.email', 'location', 'coordinates'];
    expect(events).toMatchObject([{ data: { changed, location: 'Salento', coordinates } }]);
  });

  test('empties what is empty or null', () => {
    const full = {
      ...order,
      location: 'Salento',
      notes: 'Steep',
      coordinates: { latitude: 1, longitude: 2 },
    };
    const { document } = edit({ location: '', notes: null, coordinates: null }, undefined, full)!;
    expect([document.location, document.notes, document.coordinates]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('that changes nothing is no edit', () => {
    expect(edit({})).toBeUndefined();
    expect(edit({ trees: 5, customerEmail: 'Maria@mail.test', notes: '' })).toBeUndefined();
    const placed = { ...order, coordinates: { latitude: 1, longitude: 2 } };
    expect(edit({ coordinates: { longitude: 2, latitude: 1 } }, undefined, placed)).toBeUndefined();
  });

  test('of a version that is no longer is refused, of the present one or any it is not', () => {
    expect(() => edit({ trees: 6 }, '2')).toThrow(Problem);
    expect(() => edit({ trees: 6 }, '2')).toThrow('precondition-failed');
    expect(() => edit({ trees: 6 }, 'damaged')).toThrow('precondition-failed');
    expect(edit({ trees: 6 }, '3')).toBeDefined();
  });
});

test('a note is kept with who wrote it and when; sent again it is one', () => {
  const note = { noteId: 'note-1', text: 'Called her', by: LUCIA, at };
  const { document, events } = decideNote(order, note)!;
  expect(events).toBeUndefined();
  expect(document.internalNotes).toEqual([note]);
  expect(document.timeline.at(-1)).toEqual({ at, type: 'noted', by: LUCIA });
  expect(decideNote(document, { ...note, at: minute(301) })).toBeUndefined();
});
