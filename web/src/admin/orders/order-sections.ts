import type { Formats } from '../../i18n/format.ts';
import type { OrderDetails } from './orders.ts';

export type FactName =
  | 'name'
  | 'email'
  | 'phone'
  | 'country'
  | 'language'
  | 'ordered'
  | 'assigned'
  | 'planted'
  | 'completed'
  | 'worker'
  | 'workerEmail'
  | 'region'
  | 'location'
  | 'latitude'
  | 'longitude'
  | 'method'
  | 'receiptNumber'
  | 'transaction'
  | 'reference'
  | 'refunded'
  | 'takenBack';

interface Row {
  label: FactName;
  value: string | undefined;
}

interface Words {
  formats: Formats;
  method: string;
  language: string;
  unassigned: string;
  noPlace: string;
}

/** Content of the order modal: product spec section 2. Future dates are shown as open. */
export function sectionsOf(
  order: OrderDetails,
  { formats, method, language, unassigned, noPlace }: Words,
): Record<'customer' | 'dates' | 'worker' | 'place' | 'payment', Row[]> {
  const { assignedWorker: worker, coordinates } = order;
  const day = (instant: string | undefined) => instant && formats.day(instant);
  const known = (rows: Row[]) => rows.filter(({ value }) => value);
  return {
    customer: known([
      { label: 'name', value: order.customerName },
      { label: 'email', value: order.customerEmail },
      { label: 'phone', value: order.customerPhone },
      { label: 'country', value: order.customerCountry && formats.country(order.customerCountry) },
      { label: 'language', value: language },
    ]),
    dates: [
      { label: 'ordered', value: day(order.createdAt) },
      { label: 'assigned', value: day(order.assignedDate) },
      { label: 'planted', value: day(order.plantingDate) },
      { label: 'completed', value: day(order.completionDate) },
    ],
    worker: known([
      { label: 'worker', value: worker ? `${worker.name} · ${worker.code}` : unassigned },
      { label: 'workerEmail', value: worker?.email },
      { label: 'region', value: worker?.region },
    ]),
    place: known([
      { label: 'location', value: order.location ?? noPlace },
      { label: 'latitude', value: coordinates?.latitude.toFixed(6) },
      { label: 'longitude', value: coordinates?.longitude.toFixed(6) },
    ]),
    payment: known([
      { label: 'method', value: method },
      { label: 'receiptNumber', value: order.receiptNumber },
      { label: 'transaction', value: order.transactionId },
      { label: 'reference', value: order.manualPayment?.referenceNumber },
      {
        label: 'refunded',
        value: order.refundedAmount ? formats.money(order.refundedAmount, order.currency) : undefined,
      },
      {
        label: 'takenBack',
        value: order.lostAmount ? formats.money(order.lostAmount, order.currency) : undefined,
      },
    ]),
  };
}
