import type { ApiResponse } from '@arboleda/contracts/api.ts';
import { readFile } from 'node:fs/promises';
import { findAssignment, type Line } from './line.ts';
import { PHOTOS } from './photos.ts';
import { isRefusedAs } from './refused.ts';
import type { DemoTransfer } from './transfers.ts';
import { until } from './until.ts';

type Decided = ApiResponse<'POST /api/admin/manual-payments/verify/{id}'>;

/** Submits a transfer with its evidence, and decides on it as an admin. It is idempotent. */
export async function transferAlong(line: Line, transfer: DemoTransfer): Promise<void> {
  const { orderId } = await announce(line, transfer);
  const decided = await decide(line, transfer, orderId);
  // Without a second admin, larger amounts stay undecided.
  if (decided?.order.manualPayment.verificationStatus !== 'approved') return;
  await until(`a worker for order ${orderId}`, line.signal, () => findAssignment(line, orderId));
}

async function announce(line: Line, { key, language, evidence, ...transfer }: DemoTransfer) {
  const body = new FormData();
  for (const [name, value] of Object.entries({
    trees: String(transfer.trees),
    packageType: transfer.packageType,
    currency: 'COP',
    customerEmail: transfer.customer.email,
    customerName: transfer.customer.name,
    customerPhone: transfer.phone,
    paymentMethod: 'manual_bancolombia',
    bankName: 'bancolombia',
    referenceNumber: transfer.reference,
    locale: language,
  })) {
    body.append(name, value);
  }
  const receipt = await readFile(new URL(evidence, PHOTOS));
  body.append('evidenceFiles', new Blob([new Uint8Array(receipt)], { type: 'image/jpeg' }), evidence);
  return line.api('POST /api/manual-payments/create-order', {
    // Transfers come from Colombia.
    language: `${language}-CO`,
    idempotencyKey: `demo-${line.seed}-${key}`,
    body,
  });
}

/** @returns undefined when nothing was decided, now or before */
async function decide(line: Line, { decision }: DemoTransfer, id: string): Promise<Decided | undefined> {
  const by = { token: line.adminToken, params: { id } };
  try {
    if (decision.kind === 'approved') {
      const { note } = decision;
      return await line.api('POST /api/admin/manual-payments/verify/{id}', { ...by, body: { note } });
    }
    if (decision.kind === 'rejected') {
      const { reason } = decision;
      return await line.api('POST /api/admin/manual-payments/reject/{id}', { ...by, body: { reason } });
    }
  } catch (error) {
    if (!isRefusedAs(error, 'transfer-already-approved', 'transfer-already-rejected')) throw error;
  }
  return undefined;
}
