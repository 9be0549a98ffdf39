import { describe, expect, test } from '@jest/globals';
import { isPaid, type Order } from '../order.ts';
import { minute, newOrderId, payment } from '../test/builders.ts';
import { approved, LUCIA, rejected, submitted } from '../test/news.ts';
import { decidePayment, decideRejection, decideSubmission } from './creation.ts';

const orderId = newOrderId();
const paid = payment({ orderId });

const fresh = (): Order => decidePayment(undefined, paid.data)!.document;

describe('a payment', () => {
  test('makes a pending order that carries what was bought', () => {
    expect(fresh()).toMatchObject({
      _id: orderId,
      token: paid.data.orderToken,
      trees: 5,
      amountMinor: 8_230_000,
      createdAt: minute(0),
      statusRevision: 0,
      progress: { status: 'pending' },
      photos: [],
    });
  });

  test('is told to the world once, with all that others need', () => {
    const { events } = decidePayment(undefined, paid.data)!;
    const { paymentId: _paymentId, paidAt: _paidAt, ...bought } = paid.data;
    expect(events).toEqual([
      {
        type: 'order.created',
        data: { ...bought, statusRevision: 0, status: 'pending', createdAt: minute(0) },
      },
    ]);
  });

  test('starts the history with who paid, and that there is an order', () => {
    expect(fresh().timeline).toEqual([
      { at: minute(0), type: 'paid', by: { role: 'customer', name: 'María José Pérez' } },
      { at: minute(0), type: 'created', by: { role: 'system' } },
    ]);
  });

  test('for an order that is there changes nothing, whatever it says', () => {
    expect(decidePayment(fresh(), payment({ orderId, trees: 20, amountMinor: 1 }).data)).toBeUndefined();
  });
});

describe('a transfer', () => {
  const sent = submitted(orderId).data;
  const seen = approved(orderId).data;
  const announced = (): Order => decideSubmission(undefined, sent)!.document;

  test('makes an order that the world does not hear of while nobody has seen the money', () => {
    const { document, events } = decideSubmission(undefined, sent)!;
    expect(events).toBeUndefined();
    expect(isPaid(document)).toBe(false);
    expect(document).toMatchObject({
      ...{ progress: { status: 'pending' }, createdAt: minute(-60), trees: 5, statusRevision: 0 },
      manualPayment: {
        verificationStatus: 'pending',
        referenceNumber: 'ARB-7F3A',
        evidenceFiles: [{ fileSize: 1234 }],
      },
      timeline: [{ type: 'submitted', at: minute(-60) }],
    });
    expect(document).not.toHaveProperty('transactionId');
  });

  test('that is approved is told to the world as a card’s payment is, once', () => {
    const { document, events } = decidePayment(announced(), seen)!;
    expect(isPaid(document)).toBe(true);
    expect(document).toMatchObject({
      ...{ transactionId: 'transfer-1', createdAt: minute(-60) },
      manualPayment: { verificationStatus: 'approved', decidedAt: minute(0), decidedBy: LUCIA },
    });
    expect(document.timeline.map(({ type }) => type)).toEqual(['submitted', 'approved', 'created']);
    expect(events).toMatchObject([
      { type: 'order.created', data: { orderId, status: 'pending', paymentMethod: 'manual_bancolombia' } },
    ]);
    expect(decidePayment(document, seen)).toBeUndefined();
  });

  test('ends the same when the approval comes before the announcement', () => {
    const first = decidePayment(undefined, seen)!;
    expect(first.events).toHaveLength(1);
    const { document, events } = decideSubmission(first.document, sent)!;
    expect(events).toBeUndefined();
    expect(document).toEqual({
      ...decidePayment(announced(), seen)!.document,
      updatedAt: document.updatedAt,
    });
    expect(decideSubmission(document, sent)).toBeUndefined();
  });

  test('that is rejected says why, and by whom; it waits for the announcement', () => {
    const { document, events } = decideRejection(announced(), rejected(orderId).data)!;
    expect(events).toBeUndefined();
    expect(isPaid(document)).toBe(false);
    expect(document.manualPayment).toMatchObject({
      ...{ verificationStatus: 'rejected', rejectionReason: 'No such transfer', decidedBy: LUCIA },
    });
    expect(document.timeline.at(-1)).toMatchObject({
      type: 'rejected',
      by: LUCIA,
      reason: 'No such transfer',
    });
    expect(decideRejection(document, rejected(orderId).data)).toBeUndefined();
    expect(() => decideRejection(undefined, rejected(orderId).data)).toThrow(/not been created/);
  });

  test('whose money was seen is not rejected any more, and a card’s payment never is', () => {
    expect(
      decideRejection(decidePayment(announced(), seen)!.document, rejected(orderId).data),
    ).toBeUndefined();
    expect(decideRejection(fresh(), rejected(orderId).data)).toBeUndefined();
    expect(decideSubmission(fresh(), sent)).toBeUndefined();
  });

  test('is approved with what an admin corrected meanwhile', () => {
    const { events } = decidePayment({ ...announced(), trees: 6 }, seen)!;
    expect(events).toMatchObject([{ data: { trees: 6 } }]);
  });
});
