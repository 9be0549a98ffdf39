import type { Purchase } from '@arboleda/contracts/purchase.ts';

/** A grove for Ana by default. */
export const aPurchase = (parts: Partial<Purchase> = {}): Purchase => ({
  paymentId: '7b0d4c0e-9d6c-4d8e-8d0b-5b7f6f1f6a01',
  orderId: '0123456789abcdef01234567',
  orderToken: 'AbCdEfGhIjKlMnOpQrStUv',
  packageType: 'grove',
  trees: 5,
  amountMinor: 2000,
  currency: 'USD',
  quote: { id: 'quote-1', rate: 1, ratesAsOf: '2026-11-20' },
  customer: { name: 'Ana García', email: 'ana@arboleda.test', country: 'CO' },
  language: 'es',
  locale: 'es-CO',
  ...parts,
});
