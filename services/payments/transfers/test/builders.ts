import { aPurchase } from '../../test/builders.ts';
import type { Approval, EvidenceFile, Transfer } from '../transfer.ts';

export const aFile = (parts: Partial<EvidenceFile> = {}): EvidenceFile => ({
  filename: 'AbCdEfGhIjKlMnOpQrStUv.jpg',
  originalName: 'comprobante.png',
  contentType: 'image/png',
  sizeBytes: 1234,
  sha256: 'a'.repeat(64),
  ...parts,
});

/** Ana's grove for 82,300 pesos, pending. */
export const aTransfer = (parts: Partial<Transfer> = {}): Transfer => ({
  purchase: aPurchase({
    amountMinor: 8_230_000,
    currency: 'COP',
    quote: { id: 'quote-1', rate: 4115, ratesAsOf: '2026-11-20' },
  }),
  bank: 'bancolombia',
  reference: 'ARB-234679',
  evidence: [aFile()],
  submittedAt: '2026-11-22T10:00:00.000Z',
  state: { status: 'pending' },
  revision: 0,
  ...parts,
});

/** An approval by Clara, an hour later. */
export const anApproval = (parts: Partial<Approval> = {}): Approval => ({
  by: { role: 'admin', id: 'clara', name: 'Clara' },
  at: '2026-11-22T11:00:00.000Z',
  ...parts,
});
