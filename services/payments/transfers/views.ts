import type { ApiResponse } from '@arboleda/contracts/api.ts';
import { shortId } from '@arboleda/contracts/order.ts';
import { type PaymentMethod, wireMethodOf } from '@arboleda/contracts/payment-method.ts';
import { type Flag, flagsOf, type Resemblance } from './flags.ts';
import { type Approval, type ApprovalRule, needsSecondAdmin, type Transfer } from './transfer.ts';

type TransferOrder = ApiResponse<'POST /api/admin/manual-payments/verify/{id}'>['order'];

/** A transfer as an admin sees it: in the product spec's shape of an order. */
export function transferOrder(
  transfer: Transfer,
  resemblance: Resemblance,
  rule: ApprovalRule,
): TransferOrder {
  const { purchase, bank, state, reference } = transfer;
  const method: PaymentMethod = { kind: 'transfer', bank };
  const { customer } = purchase;
  return {
    _id: purchase.orderId,
    shortId: shortId(purchase.orderId),
    ...(state.status !== 'approved' && { status: 'pending' as const }),
    trees: purchase.trees,
    packageType: purchase.packageType,
    amount: purchase.amountMinor,
    currency: purchase.currency,
    customerEmail: customer.email,
    customerName: customer.name,
    customerPhone: customer.phone,
    customerCountry: customer.country,
    createdAt: transfer.submittedAt,
    method,
    paymentMethod: wireMethodOf(method),
    manualPayment: {
      referenceNumber: reference,
      verificationStatus: state.status,
      evidenceFiles: evidenceFiles(transfer),
      evidenceRemoved: transfer.evidenceRemovedAt !== undefined,
      flags: flagsOf(transfer, resemblance).map(flagView),
      needsSecondAdmin: needsSecondAdmin(transfer, rule),
      ...decisionView(transfer),
    },
  };
}

const evidenceFiles = ({ evidence, evidenceRemovedAt }: Transfer) =>
  evidenceRemovedAt === undefined
    ? evidence.map(({ filename, originalName, sizeBytes }) => ({
        filename,
        originalName,
        fileSize: sizeBytes,
      }))
    : [];

function decisionView({ state }: Transfer) {
  switch (state.status) {
    case 'pending':
      return { firstApproval: approvalView(state.first) };
    case 'approved':
      return { firstApproval: approvalView(state.first), approval: approvalView(state.approval) };
    case 'rejected':
      return {
        firstApproval: approvalView(state.first),
        rejection: { by: state.by, at: state.at, reason: state.reason },
      };
  }
}

const approvalView = (approval: Approval | undefined) =>
  approval && {
    by: approval.by,
    at: approval.at,
    amountReceived: approval.amountReceivedMinor,
    note: approval.note,
  };

const flagView = ({ orders, ...flag }: Flag) => ({
  ...flag,
  ...(orders && {
    orders: orders.map(({ orderId, status }) => ({
      _id: orderId,
      shortId: shortId(orderId),
      verificationStatus: status,
    })),
  }),
});
