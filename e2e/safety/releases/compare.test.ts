import { describe, expect, test } from '@jest/globals';
import { differences, packed, unpacked } from './compare.ts';

const MADE_AT = '2026-11-30T12:00:00.000Z';
const LIST = 'owner GET /api/admin/orders/manage';
const told = (before: unknown, after: unknown, request = LIST) =>
  differences({ [request]: before }, { [request]: after }, MADE_AT);

describe('an answer', () => {
  const order = { _id: 'a', amount: 500, photos: [] };

  test('that gains a field is as it was', () => {
    expect(told({ orders: [order] }, { orders: [{ ...order, region: 'Cauca' }], more: 1 })).toEqual([]);
  });

  test('that has another value, or none, is told with its place', () => {
    expect(told({ orders: [order] }, { orders: [{ _id: 'a', amount: 400 }] })).toEqual([
      `${LIST}: orders.a.amount was 500, became 400`,
      `${LIST}: orders.a.photos became nothing`,
    ]);
  });

  test('that lists one thing more or twice is told, in any order', () => {
    const other = { _id: 'b', amount: 1 };
    expect(told({ orders: [order, other] }, { orders: [other, order] })).toEqual([]);
    expect(told({ orders: [order] }, { orders: [order, other] })).toHaveLength(1);
    expect(told({ orders: [order] }, { orders: [order, { ...order }] })).toHaveLength(1);
    expect(told({ mails: [] }, { mails: [{ id: 'm' }] }, 'owner GET /api/admin/mails')).toEqual([]);
  });

  test('that is not given any more is told', () => {
    expect(differences({ [LIST]: {} }, {}, MADE_AT)).toHaveLength(1);
    expect(told({ orders: [order] }, 'refused: 404 not-found')).toHaveLength(1);
  });

  test('may name another moment only after the backup, unless it was planned', () => {
    const at = (assignedAt: string) => ({ orders: [{ _id: 'a', assignedAt }] });
    expect(told(at('2026-11-30T12:00:01.000Z'), at('2031-01-01T00:00:00.000Z'))).toEqual([]);
    expect(told(at('2026-11-30T11:59:59.000Z'), at('2031-01-01T00:00:00.000Z'))).toHaveLength(1);
    const due = (dueAt: string) => ({ visits: [{ _id: 'v', dueAt }] });
    expect(told(due('2027-05-30T12:00:00.000Z'), due('2027-05-31T12:00:00.000Z'))).toHaveLength(1);
  });

  test('may write pesos without cents, and give more time to cancel, never less', () => {
    const mail = (text: string) => ({ mail: { content: { text } } });
    expect(told(mail('Pagado: COP\u00a082.300,00 · 5'), mail('Pagado: COP\u00a082.300 · 5'))).toEqual([]);
    expect(told(mail('Pagado: COP 82.300,00'), mail('Pagado: COP 8.230'))).toHaveLength(1);
    const until = (withdrawableUntil: string) => ({ order: { withdrawableUntil } });
    const [early, late] = ['2026-12-08T04:59:59.999Z', '2026-12-15T04:59:59.999Z'];
    expect(told(until(early), until(late))).toEqual([]);
    expect(told(until(late), until(early))).toHaveLength(1);
    expect(told(until(early), { order: {} })).toHaveLength(1);
  });

  test('may lack the reference of a transfer whose donor is erased, and no other', () => {
    const sent = (email: string, kind: string, reference?: string) => ({
      order: {
        customerEmail: email,
        method: { kind },
        transactionId: reference,
        manualPayment: { referenceNumber: reference, verificationStatus: 'pending' },
      },
    });
    const [erased, ana] = ['erased@arboleda.invalid', 'ana@arboleda.test'];
    expect(told(sent(erased, 'transfer', 'REF-77'), sent(erased, 'transfer'))).toEqual([]);
    expect(told(sent(erased, 'card', 'pi_1'), sent(erased, 'card'))).toHaveLength(2);
    expect(told(sent(ana, 'transfer', 'REF-77'), sent(ana, 'transfer'))).toHaveLength(2);
  });

  test('may say that a visit is due and a gift is sent once their day has come, and no sooner', () => {
    const gift = (state: string, deliverOn: string) => ({ gift: { state, deliverOn } });
    expect(told(gift('waiting', '2027-11-30'), gift('sent', '2027-11-30'))).toEqual([]);
    expect(told(gift('waiting', '2026-11-29'), gift('sent', '2026-11-29'))).toHaveLength(1);
    expect(told(gift('waiting', '2027-11-30'), gift('cancelled', '2027-11-30'))).toHaveLength(1);
    const visit = (state: string) => ({ visits: [{ _id: 'v', dueAt: MADE_AT, state }] });
    expect(told(visit('scheduled'), visit('due'))).toEqual([]);
    expect(told(visit('scheduled'), visit('done'))).toHaveLength(1);
  });
});

test('answers of other admins that are an owner’s are kept once', () => {
  const seen = { [LIST]: { orders: [] }, 'finance GET /api/admin/orders/manage': { orders: [] } };
  expect(JSON.stringify(packed(seen)).match(/orders":\[\]/g)).toHaveLength(1);
  expect(unpacked(packed(seen))).toEqual(seen);
});
