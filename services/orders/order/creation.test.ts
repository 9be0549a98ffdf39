import type { NewEvent } from '@arboleda/contracts/events/index.ts';
import { describe, expect, test } from '@jest/globals';
import { isPaid, type Order } from './order.ts';
import { minute, newOrderId, payment } from '../test/builders.ts';
import { approved, giftTo, LUCIA, rejected, submitted } from '../test/event-builders.ts';
import { decidePayment, decideRejection, decideSubmission } from './creation.ts';
import { decideErasure } from './person.ts';

const orderId = newOrderId();

const paid = payment({ orderId });

const fresh = (): Order => decidePayment(undefined, paid.data)!.record;

describe('a payment', () => {
  test('makes a pending order with the purchase', () => {
    expect(fresh()).toMatchObject({
      id: orderId,
      token: paid.data.orderToken,
      trees: 5,
      amountMinor: 8_230_000,
      createdAt: minute(0),
      statusRevision: 0,
      progress: { status: 'pending' },
      photos: [],
    });
  });

  test('is published once, with all that other services need', () => {
    const { events } = decidePayment(undefined, paid.data)!;
    const { paymentId: _paymentId, paidAt: _paidAt, orderToken: _token, ...bought } = paid.data;
    expect(events).toEqual([
      {
        type: 'order.created',
        data: { ...bought, statusRevision: 0, status: 'pending', createdAt: minute(0) },
      },
    ]);
  });

  test('starts the history with the payment and the creation', () => {
    expect(fresh().timeline).toEqual([
      { at: minute(0), type: 'paid', by: { role: 'customer', name: 'María José Pérez' } },
      { at: minute(0), type: 'created', by: { role: 'system' } },
    ]);
  });

  test('for an existing order changes nothing', () => {
    expect(decidePayment(fresh(), payment({ orderId, trees: 20, amountMinor: 1 }).data)).toBeUndefined();
  });

  test('keeps the region and the gift, and publishes whom the gift is for and when', () => {
    const gift = giftTo();
    const { record, events } = decidePayment(undefined, payment({ orderId, gift, region: 'Quindío' }).data)!;
    expect(record).toMatchObject({ region: 'Quindío', gift: { recipientEmail: 'olga@mail.test' } });
    const { recipientName, deliverOn } = gift;
    expect(events).toMatchObject([{ data: { region: 'Quindío' } }]);
    expect((events![0] as NewEvent<'order.created'>).data.gift).toEqual({ recipientName, deliverOn });
  });
});

describe('a transfer', () => {
  const sent = submitted(orderId).data;
  const seen = approved(orderId).data;
  const announced = (): Order => decideSubmission(undefined, sent)!.record;

  test('makes an order that is not published until its money is found', () => {
    const { record, events } = decideSubmission(undefined, sent)!;
    expect(events).toBeUndefined();
    expect(isPaid(record)).toBe(false);
    expect(record).toMatchObject({
      progress: { status: 'pending' },
      createdAt: minute(-60),
      trees: 5,
      statusRevision: 0,
      manualPayment: {
        verificationStatus: 'pending',
        referenceNumber: 'ARB-7F3A',
        evidenceFiles: [{ fileSize: 1234 }],
      },
      timeline: [{ type: 'submitted', at: minute(-60) }],
    });
    expect(record).not.toHaveProperty('transactionId');
  });

  test('that is approved is published once, like a card payment', () => {
    const { record, events } = decidePayment(announced(), seen)!;
    expect(isPaid(record)).toBe(true);
    expect(record).toMatchObject({
      transactionId: 'transfer-1',
      createdAt: minute(-60),
      manualPayment: { verificationStatus: 'approved', decidedAt: minute(0), decidedBy: LUCIA },
    });
    expect(record.timeline.map(({ type }) => type)).toEqual(['submitted', 'approved', 'created']);
    expect(events).toMatchObject([
      {
        type: 'order.created',
        data: { orderId, status: 'pending', method: { kind: 'transfer', bank: 'bancolombia' } },
      },
    ]);
    expect(decidePayment(record, seen)).toBeUndefined();
  });

  test('ends the same when the approval comes before the submission', () => {
    const first = decidePayment(undefined, seen)!;
    expect(first.events).toHaveLength(1);
    const { record, events } = decideSubmission(first.record, sent)!;
    expect(events).toBeUndefined();
    expect(record).toEqual({
      ...decidePayment(announced(), seen)!.record,
      updatedAt: record.updatedAt,
    });
    expect(decideSubmission(record, sent)).toBeUndefined();
  });

  test('that is rejected keeps the reason and the admin; it waits for the submission', () => {
    const { record, events } = decideRejection(announced(), rejected(orderId).data)!;
    expect(events).toBeUndefined();
    expect(isPaid(record)).toBe(false);
    expect(record.manualPayment).toMatchObject({
      verificationStatus: 'rejected',
      rejectionReason: 'No such transfer',
      decidedBy: LUCIA,
    });
    expect(record.timeline.at(-1)).toMatchObject({
      type: 'rejected',
      by: LUCIA,
      reason: 'No such transfer',
    });
    expect(decideRejection(record, rejected(orderId).data)).toBeUndefined();
    expect(() => decideRejection(undefined, rejected(orderId).data)).toThrow(/not been created/);
  });

  test('that was approved cannot be rejected, and a card payment never', () => {
    expect(decideRejection(decidePayment(announced(), seen)!.record, rejected(orderId).data)).toBeUndefined();
    expect(decideRejection(fresh(), rejected(orderId).data)).toBeUndefined();
    expect(decideSubmission(fresh(), sent)).toBeUndefined();
  });

  test('whose buyer was erased before its events came learns nothing of them', () => {
    const reference = 'María José paga';
    const late = submitted(orderId, { referenceNumber: reference }).data;
    const found = approved(orderId, { referenceNumber: reference, transactionId: reference }).data;
    const erased = (order: Order): Order =>
      decideErasure(order, {
        email: order.customer.email,
        by: { role: 'customer', id: 'account-1' },
        at: minute(400),
      })!.record;
    const submittedFirst = decidePayment(erased(decideSubmission(undefined, late)!.record), found)!;
    const approvedFirst = decideSubmission(erased(decidePayment(undefined, found)!.record), late)!;
    for (const change of [submittedFirst, approvedFirst]) {
      expect(JSON.stringify(change)).not.toMatch(/mar[ií]a|p[eé]rez|paga|recibo/i);
      expect(change.record).toMatchObject({
        transactionId: 'payment-1',
        manualPayment: { verificationStatus: 'approved', evidenceFiles: [], submittedAt: minute(-60) },
      });
    }
  });

  test('keeps an admin’s corrections when it is approved', () => {
    const { events } = decidePayment({ ...announced(), trees: 6 }, seen)!;
    expect(events).toMatchObject([{ data: { trees: 6 } }]);
  });

  test('has the trees, the amount and the reference that were approved', () => {
    const changed = { trees: 3, treesAsked: 5, amountMinor: 4_938_000, packageType: 'patch' } as const;
    const data = { ...approved(orderId, { ...changed, referenceNumber: 'ARB-OTHER' }).data };
    const { record, events } = decidePayment(announced(), data)!;
    const { treesAsked: _treesAsked, ...bought } = changed;
    expect(record).toMatchObject({ ...bought, manualPayment: { referenceNumber: 'ARB-OTHER' } });
    expect(events).toMatchObject([{ data: bought }]);
  });

  test('approved first is in nobody’s name when no admin approved it, and has no evidence yet', () => {
    const { approvedBy: _approvedBy, ...found } = seen;
    const { record } = decidePayment(undefined, found)!;
    expect(record.manualPayment).toEqual({
      verificationStatus: 'approved',
      referenceNumber: 'ARB-7F3A',
      evidenceFiles: [],
      decidedAt: minute(0),
    });
    expect(record.timeline).toEqual([
      { at: minute(0), type: 'approved', by: { role: 'system' } },
      { at: minute(0), type: 'created', by: { role: 'system' } },
    ]);
  });
});
