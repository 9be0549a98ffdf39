import type { ApiResponse } from '@arboleda/contracts/api.ts';
import { shortId } from '@arboleda/contracts/order.ts';
import { wireMethodOf } from '@arboleda/contracts/payment-method.ts';
import { type Certificate, newestOf } from '../../certificate/versions.ts';
import { publicGiftView } from '../../gift/views.ts';
import { coordinatesOf, isWithdrawn, type Order, type Photo, photoDateOf } from '../order.ts';
import type { TimelineEntry } from '../timeline.ts';
import { isRefundBegun, lastMomentToWithdraw } from '../../withdrawal/withdrawal.ts';

export function common(order: Order) {
  const { progress, trees, packageType, currency, language, createdAt, location } = order;
  return {
    ...order.details,
    _id: order.id,
    shortId: shortId(order.id),
    token: order.token,
    receiptNumber: order.receiptNumber,
    status: progress.status,
    amount: order.amountMinor,
    trees,
    packageType,
    currency,
    language,
    createdAt,
    location,
    assignedDate: 'assignedAt' in progress ? progress.assignedAt : undefined,
    plantingDate: 'plantedAt' in progress ? progress.plantedAt : undefined,
    completionDate: 'completedAt' in progress ? progress.completedAt : undefined,
    photoDate: photoDateOf(order),
    coordinates: coordinatesOf(order),
    method: order.method,
    paymentMethod: wireMethodOf(order.method),
    ...(order.manualPayment && { manualPayment: manualPaymentView(order.manualPayment) }),
    ...(order.refundedMinor > 0 && { refundedAmount: order.refundedMinor }),
    ...(order.lostMinor > 0 && { lostAmount: order.lostMinor }),
    ...(isWithdrawn(order) && { withdrawn: true as const }),
    withdrawableUntil: lastMomentToWithdraw(order),
    ...(order.withdrawal && {
      withdrawal: { ...order.withdrawal, ...(isRefundBegun(order) && { isRefundBegun: true as const }) },
    }),
    ...(order.growth.length > 0 && { growth: order.growth.map(growthView) }),
    ...(order.certificate && { certificate: certificateView(order.certificate) }),
    ...(order.gift && { gift: publicGiftView(order.gift) }),
  };
}

/** The contract drops the name where it is not to be shown. */
export function certificateView(
  certificate: Certificate,
): ApiResponse<'POST /api/track/{token}/certificate'>['certificate'] {
  const { name, language, versions, revoked } = certificate;
  const { code, issuedAt } = newestOf(certificate);
  return {
    code,
    version: versions.length,
    state: revoked ? 'revoked' : 'valid',
    language,
    issuedAt,
    name,
    ...(revoked && { revoked }),
  };
}

/** Payment fields for the buyer and admins. An admin's message is for the donor only. */
export const paymentOf = ({ transactionId, card, manualPayment }: Order) => ({
  transactionId,
  card,
  ...(manualPayment && {
    manualPayment: {
      ...manualPaymentView(manualPayment),
      rejectionReason: manualPayment.rejectionReason,
    },
  }),
});

const manualPaymentView = (payment: NonNullable<Order['manualPayment']>) => {
  const { verificationStatus, referenceNumber, submittedAt, evidenceFiles } = payment;
  return { verificationStatus, referenceNumber, submittedAt, evidenceCount: evidenceFiles.length };
};

export const growthView = (purchase: Order['growth'][number]) => ({
  photoPackageType: purchase.photoPackageType,
  purchasedAt: purchase.purchasedAt,
  completedAt: purchase.completedAt,
  stoppedAt: purchase.stoppedAt,
  currency: purchase.currency,
  ...(purchase.refundedMinor > 0 && { refundedAmount: purchase.refundedMinor }),
  ...(purchase.lostMinor > 0 && { lostAmount: purchase.lostMinor }),
  visits: purchase.visits.map(({ number, of, dueAt, completedAt }) => ({ number, of, dueAt, completedAt })),
});

export function photoView(order: Order, photo: Photo) {
  const { filename, width, height, takenAt, uploadedAt, coordinates } = photo;
  const visit = order.growth
    .flatMap(({ visits }) => visits)
    .find(({ visitId }) => visitId === photo.growthVisitId);
  return {
    filename,
    width,
    height,
    takenAt,
    uploadedAt,
    coordinates,
    ...(visit && { growthUpdate: visit.number }),
  };
}

export const statusOf = (entry: TimelineEntry) =>
  entry.type === 'status_changed' || entry.type === 'withdrawn' ? { status: entry.to } : {};
