import { describe, expect, test } from '@jest/globals';
import { type Debit, type Incoming, returnedBy, saysReturn } from './returns.ts';

const debit = (changes: Partial<Debit> = {}): Debit => ({
  id: 'debit',
  day: '2026-11-20',
  amountMinor: 28_805_000,
  currency: 'COP',
  text: 'TRANSFERENCIA ENVIADA',
  references: [],
  isReversal: false,
  ...changes,
});
const credit = (rowId: string, changes: Partial<Incoming> = {}): Incoming => ({
  rowId,
  day: '2026-11-19',
  amountMinor: 28_805_000,
  currency: 'COP',
  text: 'TRANSFERENCIA RECIBIDA',
  references: [],
  orders: [],
  ...changes,
});
const found = (of: Debit, ...all: Incoming[]) => {
  const returned = returnedBy(of, all);
  return returned && returned.candidates.map(({ incoming }) => incoming.rowId);
};

describe('a debit may have taken back', () => {
  test('the credit that it names by our reference, whatever else fits', () => {
    const named = credit('named', { references: ['ARB7K3Q9F'] });
    expect(found(debit({ references: ['ARB7K3Q9F'], text: 'DEVOLUCION' }), credit('other'), named)).toEqual([
      'named',
    ]);
    // Banks keep a fee.
    expect(found(debit({ references: ['ARB7K3Q9F'], amountMinor: 28_000_000 }), named)).toEqual(['named']);
    const exact = credit('exact', { references: ['ARB7K3Q9F'], amountMinor: 28_000_000 });
    expect(found(debit({ references: ['ARB7K3Q9F'], amountMinor: 28_000_000 }), named, exact)).toEqual([
      'exact',
    ]);
  });

  test('the credit of the same payer rather than others of the same sum', () => {
    const hers = credit('hers', { name: 'QUINTERO ANA LUCIA' });
    const his = credit('his', { name: 'Mateo Ríos' });
    expect(found(debit({ text: 'REVERSO ANA LUCIA QUINTERO' }), hers, his)).toEqual(['hers']);
    const order = { orderId: 'f'.repeat(24), customerName: 'Mateo Ríos', status: 'approved' as const };
    expect(found(debit({ name: 'MATEO RIOS' }), hers, credit('paid', { orders: [order] }))).toEqual(['paid']);
  });

  test('the credit whose number or words it repeats', () => {
    expect(found(debit({ text: 'NOTA 5550001234' }), credit('it', { number: '5550001234' }))).toEqual(['it']);
    expect(
      found(debit({ text: 'DEV CONSIGNACION SALENTO' }), credit('it', { text: 'CONSIGNACION CAJA SALENTO' })),
    ).toEqual(['it']);
    expect(
      returnedBy(debit({ text: 'NOTA 5550001234' }), [credit('it', { number: '5550001234' })])!.isStrong,
    ).toBe(true);
  });

  test('all credits of its sum when only a word says that money went back, the latest first', () => {
    const all = [credit('b'), credit('a'), credit('later', { day: '2026-11-20' })];
    expect(found(debit({ text: 'DEVOLUCION' }), ...all)).toEqual(['later', 'a', 'b']);
    expect(returnedBy(debit({ isReversal: true }), all)!.isStrong).toBe(true);
  });

  test('a credit of the last days by its sum alone, which is weak', () => {
    expect(returnedBy(debit(), [credit('it')])).toMatchObject({ isStrong: false });
    expect(found(debit({ day: '2026-11-25' }), credit('it'))).toBeUndefined();
  });

  test('nothing of another day, sum or currency', () => {
    const reversal = debit({ text: 'DEVOLUCION' });
    expect(found(reversal, credit('later', { day: '2026-11-21' }))).toBeUndefined();
    expect(found(reversal, credit('old', { day: '2026-09-20' }))).toBeUndefined();
    expect(found(reversal, credit('in time', { day: '2026-09-21' }))).toEqual(['in time']);
    expect(found(reversal, credit('more', { amountMinor: 1 }))).toBeUndefined();
    expect(found(reversal, credit('dollars', { currency: 'USD' }))).toBeUndefined();
  });
});

test.each([
  'DEVOLUCION TRANSFERENCIA',
  'Devolución ACH',
  'VALOR DEVUELTO',
  'REVERSO CONSIGNACION',
  'Reversión de abono',
  'REV. TRANSF',
  'DEV TRANSF ACH',
  'PAGO RECHAZADO',
  'Rechazo transferencia',
  'Returned item',
  'REVERSAL',
  'Transfer rejected',
  'ANULACION ABONO',
  'CONTRACARGO',
  'Chargeback',
  'EXTORNO',
])('%s says that money went back', (text) => expect(saysReturn(text)).toBe(true));

test.each([
  'PAGO PROVEEDOR',
  'COMPRA VIVERO EL RETIRO',
  'CUOTA DE MANEJO',
  'NOMINA',
  'TRANSFERENCIA A NEQUI',
])('%s says of no return', (text) => expect(saysReturn(text)).toBe(false));
