import type { Transfer } from '../admin/transfers/transfers.ts';

/** A transfer waiting for an admin. */
export const transfer = (
  changes: Partial<Omit<Transfer, 'manualPayment'>> & {
    manualPayment?: Partial<Transfer['manualPayment']>;
  } = {},
): Transfer => ({
  _id: '65f0c0ffee0000000006bbe0',
  shortId: '06BBE0',
  status: 'pending',
  trees: 20,
  packageType: 'patch',
  amount: 28_805_000,
  currency: 'COP',
  customerName: 'Felipe Barrera',
  customerEmail: 'felipe@mail.test',
  customerPhone: '+57 300 555 0188',
  customerCountry: 'CO',
  createdAt: '2026-11-20T20:05:00Z',
  method: { kind: 'transfer', bank: 'bancolombia' },
  paymentMethod: 'manual_bancolombia',
  ...changes,
  manualPayment: {
    referenceNumber: 'ARB-C41D08',
    verificationStatus: 'pending',
    evidenceFiles: [
      { filename: 'aaaaaaaaaaaaaaaaaaaaaa.jpg', originalName: 'IMG_1187.jpg', fileSize: 421_888 },
    ],
    evidenceRemoved: false,
    flags: [],
    needsSecondAdmin: false,
    ...changes.manualPayment,
  },
});
