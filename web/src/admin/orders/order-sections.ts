import type { Fact } from '../../design/components/Facts.tsx';
import type { Formats } from '../../i18n/format.ts';
import type { OrderDetails } from './orders.ts';

// prettier-ignore
type FactName =
  | 'name' | 'email' | 'phone' | 'country' | 'ordered' | 'assigned' | 'planted' | 'completed'
  | 'worker' | 'workerEmail' | 'region' | 'location' | 'latitude' | 'longitude' | 'method' | 'transaction';

export interface Section {
  name: 'customer' | 'dates' | 'worker' | 'place' | 'payment';
  rows: { label: FactName; value: Fact['value'] }[];
}

interface Words {
  formats: Formats;
  /** How it was paid, in the reader's language. */
  method: string;
  unassigned: string;
  noPlace: string;
}

/** What the product spec's order modal shows, section 2; a date that has not come yet is left open. */
export function sectionsOf(order: OrderDetails, { formats, method, unassigned, noPlace }: Words): Section[] {
  const { assignedWorker: worker, coordinates } = order;
  const day = (instant: string | undefined) => instant && formats.day(instant);
  const known = (rows: Section['rows']) => rows.filter(({ value }) => value);
  return [
    {
      name: 'customer',
      rows: known([
        { label: 'name', value: order.customerName },
        { label: 'email', value: order.customerEmail },
        { label: 'phone', value: order.customerPhone },
        { label: 'country', value: order.customerCountry },
      ]),
    },
    {
      name: 'dates',
      rows: [
        { label: 'ordered', value: day(order.createdAt) },
        { label: 'assigned', value: day(order.assignedDate) },
        { label: 'planted', value: day(order.plantingDate) },
        { label: 'completed', value: day(order.completionDate) },
      ],
    },
    {
      name: 'worker',
      rows: known([
        { label: 'worker', value: worker ? `${worker.name} · ${worker.code}` : unassigned },
        { label: 'workerEmail', value: worker?.email },
        { label: 'region', value: worker?.region },
      ]),
    },
    {
      name: 'place',
      rows: known([
        { label: 'location', value: order.location ?? noPlace },
        { label: 'latitude', value: coordinates?.latitude.toFixed(6) },
        { label: 'longitude', value: coordinates?.longitude.toFixed(6) },
      ]),
    },
    {
      name: 'payment',
      rows: [
        { label: 'method', value: method },
        { label: 'transaction', value: order.transactionId },
      ],
    },
  ];
}
