import type { Person } from '@arboleda/chassis/http/identity.ts';
import type { ApiResponse } from '@arboleda/contracts/api.ts';
import type { Actor } from '@arboleda/contracts/fields.ts';
import { mayDo } from '@arboleda/contracts/permissions.ts';
import { adminGiftView } from '../../gift/views.ts';
import { type Dispute, isFlagged, type Order, type Photo, regionOf, workerOf } from '../order.ts';
import { asItHappened, type TimelineEntry } from '../timeline.ts';
import { common, growthView, paymentOf, photoView, statusOf } from './common.ts';

type AdminOrder = ApiResponse<'GET /api/admin/orders/{id}'>['order'];
type ListedOrder = ApiResponse<'GET /api/admin/orders/manage'>['orders'][number];

type Reader = Pick<Person, 'adminRole'>;

export function listView(order: Order, { adminRole }: Reader): ListedOrder {
  const { customer } = order;
  return {
    ...common(order),
    ...paymentOf(order),
    token: mayDo(adminRole, 'orders:write') ? order.token : undefined,
    customerName: customer.name,
    customerEmail: customer.email,
    gift: order.gift && adminGiftView(order.gift),
    customerPhone: customer.phone,
    customerCountry: customer.country,
    assignedWorker: workerOf(order),
    region: regionOf(order),
    ...(isFlagged(order) && { flagged: true as const }),
    notes: order.notes,
    photos: order.photos.map((photo) => adminPhoto(order, photo)),
    revision: order.statusRevision,
  };
}

export function adminView(order: Order, reader: Reader): AdminOrder {
  const { manualPayment } = order;
  const { manualPayment: listedPayment, ...listed } = listView(order, reader);
  return {
    ...listed,
    version: order.version,
    updatedAt: order.updatedAt,
    paymentId: order.paymentId,
    ...(manualPayment &&
      listedPayment && {
        manualPayment: {
          ...listedPayment,
          evidenceFiles: [...manualPayment.evidenceFiles],
          decidedAt: manualPayment.decidedAt,
          decidedBy: manualPayment.decidedBy,
        },
      }),
    refunds: order.refunds.map(withAmount),
    disputes: order.disputes.map(disputeView),
    growthPurchases: order.growth.map((purchase) => ({
      ...growthView(purchase),
      purchaseId: purchase.purchaseId,
      amount: purchase.amountMinor,
      refunds: purchase.refunds.map(withAmount),
      disputes: purchase.disputes.map(disputeView),
    })),
    ...(order.suspectedReturns && { suspectedReturns: order.suspectedReturns.map(withAmount) }),
    internalNotes: [...order.internalNotes],
    timeline: asItHappened(order.timeline).map((entry) => timelineLine(order, entry)),
  };
}

function adminPhoto(order: Order, photo: Photo) {
  const { shown } = photo;
  return {
    ...photoView(order, photo),
    photoId: photo.photoId,
    flags: [...(photo.flags ?? [])],
    ...(shown?.hidden && { hidden: { at: shown.at, by: shown.by, reason: shown.reason } }),
  };
}

function timelineLine(order: Order, entry: TimelineEntry): AdminOrder['timeline'][number] {
  const line = 'amountMinor' in entry ? withAmount(entry) : entry;
  return { ...line, by: named(entry.by, order), ...statusOf(entry) };
}

const withAmount = <T extends { amountMinor: number }>({ amountMinor: amount, ...rest }: T) => ({
  ...rest,
  amount,
});

const disputeView = ({ lostMinor: _lost, ...dispute }: Dispute) => withAmount(dispute);

/** Photos carry only the worker's id, and may arrive before the order has the worker. */
function named(by: Actor, order: Order): Actor {
  const worker = workerOf(order);
  return by.name === undefined && worker && by.id === worker.workerId ? { ...by, name: worker.name } : by;
}
