import { type CsvCell, openCsv, withoutFormula } from '@arboleda/chassis/csv.ts';
import { minorPerMajor } from '@arboleda/contracts/money.ts';
import { shortId } from '@arboleda/contracts/order.ts';
import { bankNameOf } from '@arboleda/contracts/payment-method.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import { momentOf, organisationTimeZone } from '@arboleda/contracts/time-zone.ts';
import type { Readable } from 'node:stream';
import { coordinatesOf, type Order, photoDateOf, shownPhotos, workerOf } from '../order/order.ts';

interface Column {
  key: string;
  /** Column heading in both languages. */
  en: string;
  es: string;
  /** Instants are written in the organisation's time zone, which the heading names. */
  isMoment?: true;
  read: (order: Order) => CsvCell;
}

const COLUMNS: readonly Column[] = [
  { key: 'id', en: 'Order', es: 'Pedido', read: (order) => order.id },
  { key: 'shortId', en: 'Short id', es: 'Código corto', read: (order) => shortId(order.id) },
  { key: 'status', en: 'Status', es: 'Estado', read: (order) => order.progress.status },
  { key: 'createdAt', en: 'Ordered', es: 'Pedido el', isMoment: true, read: (order) => order.createdAt },
  { key: 'customerName', en: 'Customer', es: 'Cliente', read: (order) => order.customer.name },
  { key: 'customerEmail', en: 'Email', es: 'Correo', read: (order) => order.customer.email },
  { key: 'customerPhone', en: 'Phone', es: 'Teléfono', read: (order) => order.customer.phone },
  { key: 'customerCountry', en: 'Country', es: 'País', read: (order) => order.customer.country },
  { key: 'trees', en: 'Trees', es: 'Árboles', read: (order) => order.trees },
  { key: 'packageType', en: 'Package', es: 'Paquete', read: (order) => order.packageType },
  {
    key: 'amount',
    en: 'Amount',
    es: 'Valor',
    read: (order) => order.amountMinor / minorPerMajor(order.currency),
  },
  { key: 'currency', en: 'Currency', es: 'Moneda', read: (order) => order.currency },
  {
    key: 'refunded',
    en: 'Refunded',
    es: 'Reembolsado',
    read: (order) => order.refundedMinor / minorPerMajor(order.currency),
  },
  {
    key: 'lost',
    en: 'Lost in disputes',
    es: 'Perdido en disputas',
    read: (order) => order.lostMinor / minorPerMajor(order.currency),
  },
  { key: 'paymentMethod', en: 'Payment method', es: 'Medio de pago', read: (order) => order.method.kind },
  { key: 'bank', en: 'Bank', es: 'Banco', read: (order) => bankNameOf(order.method) },
  { key: 'transactionId', en: 'Transaction', es: 'Transacción', read: (order) => order.transactionId },
  {
    key: 'receiptNumber',
    en: 'Receipt number',
    es: 'Número de recibo',
    read: (order) => order.receiptNumber,
  },
  {
    key: 'reference',
    en: 'Reference',
    es: 'Referencia',
    read: (order) => order.manualPayment?.referenceNumber,
  },
  { key: 'worker', en: 'Worker', es: 'Trabajador', read: (order) => workerOf(order)?.name },
  { key: 'region', en: 'Region', es: 'Región', read: (order) => workerOf(order)?.region },
  {
    key: 'assignedAt',
    en: 'Assigned',
    es: 'Asignado el',
    isMoment: true,
    read: ({ progress }) => ('assignedAt' in progress ? progress.assignedAt : undefined),
  },
  {
    key: 'plantedAt',
    en: 'Planted',
    es: 'Sembrado el',
    isMoment: true,
    read: ({ progress }) => ('plantedAt' in progress ? progress.plantedAt : undefined),
  },
  { key: 'photoAt', en: 'First photo', es: 'Primera foto', isMoment: true, read: photoDateOf },
  {
    key: 'completedAt',
    en: 'Completed',
    es: 'Terminado el',
    isMoment: true,
    read: ({ progress }) => ('completedAt' in progress ? progress.completedAt : undefined),
  },
  { key: 'location', en: 'Location', es: 'Lugar', read: (order) => order.location },
  { key: 'latitude', en: 'Latitude', es: 'Latitud', read: (order) => coordinatesOf(order)?.latitude },
  { key: 'longitude', en: 'Longitude', es: 'Longitud', read: (order) => coordinatesOf(order)?.longitude },
  { key: 'photos', en: 'Photos', es: 'Fotos', read: (order) => shownPhotos(order).length },
  { key: 'notes', en: 'Notes', es: 'Notas', read: (order) => order.notes },
];

/** Streams orders as CSV. Ends with an error when an order cannot be read. */
export const toCsv = (orders: AsyncIterable<Order>, language: Language): Readable =>
  openCsv(
    COLUMNS.map(({ key, isMoment, ...head }) => ({
      key,
      header: isMoment ? `${head[language]} (${organisationTimeZone()})` : head[language],
    })),
    rows(orders),
    language,
  );

async function* rows(orders: AsyncIterable<Order>): AsyncIterable<Record<string, CsvCell>> {
  for await (const order of orders) {
    yield Object.fromEntries(COLUMNS.map((column) => [column.key, cellOf(column, order)]));
  }
}

function cellOf({ key, read, isMoment }: Column, order: Order): CsvCell {
  const value = read(order);
  if (typeof value !== 'string') return value;
  if (isMoment) return momentOf(value);
  return key === 'customerPhone' ? phone(value) : withoutFormula(value);
}

/** "+57 300 123 4567" is no formula, though it starts like one. With a hyphen, a spreadsheet would subtract. */
const phone = (text: string): string =>
  /^\+[\d\s().\-‐‑–]+$/u.test(text) ? `+${(text.match(/\d+/g) ?? []).join(' ')}` : withoutFormula(text);
