import { describe, expect, test } from '@jest/globals';
import { decidePayment } from '../decisions/creation.ts';
import type { Order } from '../order.ts';
import { minute, payment } from '../test/builders.ts';
import { receiptOf } from './receipt.ts';

const ORGANISATION = { name: 'Fundación Arboleda', taxId: '900.123.456-7' };
const NBSP = '\u00a0';

/** Twenty trees for 288,050 pesos by card. */
const bought = (changes: Partial<Order> = {}): Order => ({
  ...decidePayment(
    undefined,
    payment({ orderId: '65f0c0ffee0123456789abcd', trees: 20, packageType: 'patch', amountMinor: 28_805_000 })
      .data,
  )!.document,
  ...changes,
});
const purchase = (amountMinor: number, currency: 'COP' | 'USD') => ({
  ...{ purchaseId: 'purchase-1', photoPackageType: 'three_year' as const, amountMinor, currency },
  ...{ purchasedAt: minute(24 * 60), visits: [] },
});

describe('a receipt', () => {
  test('names who received what from whom, when and how, in the reader’s language', () => {
    expect(receiptOf(bought(), 'es', ORGANISATION)).toMatchObject({
      title: 'Recibo',
      taxId: 'NIT 900.123.456-7',
      head: [
        ['Número de recibo', '65F0C0FFEE0123456789ABCD'],
        ['Fecha', '21 de noviembre de 2026'],
        ['Pedido', '89ABCD'],
      ],
      payment: [
        ['Recibido de', 'María José Pérez'],
        ['', 'Maria@mail.test'],
        ['Medio de pago', 'Tarjeta Visa •••• 4242'],
        ['Transacción', 'pi_1'],
      ],
      items: [{ text: 'Árboles nativos – Parche de bosque', quantity: '20', amount: `COP${NBSP}288.050,00` }],
      totals: [['Total', `COP${NBSP}288.050,00`]],
      refunds: undefined,
    });
    const english = receiptOf(bought(), 'en', { name: 'Arboleda' });
    expect(english.taxId).toBeUndefined();
    expect(english.head[1]).toEqual(['Date', 'November 21, 2026']);
    expect(english.items[0]).toMatchObject({
      ...{ text: 'Native trees – Forest patch', unit: `COP${NBSP}14,402.50`, amount: `COP${NBSP}288,050.00` },
    });
  });

  test('is of the day in Colombia, however late it is elsewhere', () => {
    const late = bought({ createdAt: '2026-12-01T04:59:00.000Z' });
    expect(receiptOf(late, 'en', ORGANISATION).head[1]).toEqual(['Date', 'November 30, 2026']);
  });

  test('of a transfer is of the day its money was found, and gives its reference', () => {
    const { payment: facts, issuedAt } = receiptOf(
      bought({
        paymentMethod: 'manual_bancolombia',
        card: undefined,
        manualPayment: {
          ...{ verificationStatus: 'approved', referenceNumber: 'ARB-7F3A', evidenceFiles: [] },
          decidedAt: minute(24 * 60),
        },
      }),
      'en',
      ORGANISATION,
    );
    expect(issuedAt.toISOString()).toBe(minute(24 * 60));
    expect(facts).toContainEqual(['Payment method', 'Bancolombia bank transfer']);
    expect(facts).toContainEqual(['Reference', 'ARB-7F3A']);
  });

  test('says of a unit price that does not divide evenly that it is about that', () => {
    const { items } = receiptOf(bought({ trees: 3, amountMinor: 1000 }), 'en', ORGANISATION);
    expect(items[0]!.unit).toBe(`~ COP${NBSP}3.33`);
  });

  test('adds growth updates, and sums up each currency by itself', () => {
    const same = receiptOf(bought({ growth: [purchase(10_287_500, 'COP')] }), 'en', ORGANISATION);
    expect(same.items[1]).toMatchObject({
      ...{
        text: 'Growth updates – Three-year story (7)',
        note: 'Bought on November 22, 2026',
        quantity: '1',
      },
    });
    expect(same.totals).toEqual([['Total', `COP${NBSP}390,925.00`]]);
    const mixed = receiptOf(bought({ growth: [purchase(2500, 'USD')] }), 'en', ORGANISATION);
    expect(mixed.totals.map(([, amount]) => amount)).toEqual([`COP${NBSP}288,050.00`, `USD${NBSP}25.00`]);
  });

  test('shows what was given back, oldest first, and what is left', () => {
    const refund = (refundId: string, amountMinor: number, at: string) => ({
      ...{ refundId, amountMinor, currency: 'COP' as const, reason: 'Kindness', at },
    });
    const { refunds } = receiptOf(
      bought({
        refunds: [refund('b', 1_000_000, minute(48 * 60)), refund('a', 5_000_000, minute(24 * 60))],
        refundedMinor: 6_000_000,
        growth: [purchase(10_287_500, 'COP')],
      }),
      'en',
      ORGANISATION,
    );
    expect(refunds).toEqual({
      title: 'Refunds',
      rows: [
        ['November 22, 2026', `−COP${NBSP}50,000.00`],
        ['November 23, 2026', `−COP${NBSP}10,000.00`],
      ],
      left: ['Total after refunds', `COP${NBSP}330,925.00`],
    });
  });
});
