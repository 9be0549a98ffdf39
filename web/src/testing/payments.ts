import type { Payment, Refund } from '../admin/refund/refund.ts';

/** A paid card payment in the admin's view, without refunds. */
export const examplePayment = (changes: Partial<Payment> = {}): Payment => ({
  paymentId: '3a31a39d-ffa0-4c62-bdc0-1c8e980d093c',
  orderId: '65f0c0ffee0000000006bbe0',
  shortId: '06BBE0',
  status: 'succeeded',
  method: { kind: 'card' },
  packageType: 'grove',
  trees: 5,
  amount: 2000,
  currency: 'USD',
  refundedAmount: 0,
  isDisputed: false,
  isDisputeLost: false,
  isPackageRefunded: false,
  leftAmount: 2000,
  toReturnAmount: 0,
  customerName: 'Emma Clarke',
  customerEmail: 'emma@mail.test',
  transactionId: 'pi_1',
  createdAt: '2026-11-20T15:00:00Z',
  paidAt: '2026-11-20T15:00:10Z',
  language: 'en',
  card: { brand: 'visa', last4: '4242' },
  refunds: [],
  disputes: [],
  photoPackages: [],
  ...changes,
});

export const exampleRefund = (changes: Partial<Refund> = {}): Refund => ({
  refundId: 'refund-1',
  amount: 2000,
  currency: 'USD',
  reason: 'Ordered twice.',
  status: 'succeeded',
  method: 'card',
  by: { role: 'admin', id: 'a1', name: 'Lucía Restrepo' },
  createdAt: '2026-11-21T15:00:00Z',
  ...changes,
});

export const examplePackage = (changes: Partial<Payment['photoPackages'][number]> = {}) => ({
  purchaseId: '5b0c6f5e-2f0e-4d7e-8a55-0a1d2c3b4e5f',
  photoPackageType: 'first_year' as const,
  amount: 1500,
  currency: 'USD' as const,
  status: 'active' as const,
  transactionId: 'pi_2',
  createdAt: '2026-11-21T15:00:00Z',
  purchasedAt: '2026-11-21T15:00:10Z',
  leftAmount: 1500,
  toReturnAmount: 0,
  refunds: [],
  disputes: [],
  ...changes,
});
