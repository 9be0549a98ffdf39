import { CARD } from '@arboleda/contracts/payment-method.ts';
import { isFlagged, openReports, type Order, type Progress, standingOf } from './order.ts';
import { nameKeyOf, regionKeyOf, tsvector, wordsOf, workerKeyOf } from './search.ts';

/** Columns of `orders`: see migrations/. */
const COLUMNS = {
  token: (order) => order.token,
  status: (order) => order.progress.status,
  standing: standingOf,
  status_revision: (order) => order.statusRevision,
  edit_version: (order) => order.version,
  created_at: (order) => new Date(order.createdAt),
  updated_at: (order) => new Date(order.updatedAt),
  day: (order) => order.day,
  email_key: (order) => emailKeyOf(order.customer.email),
  name_key: nameKeyOf,
  words: (order) => tsvector(wordsOf(order)),
  customer: (order) => order.customer,
  language: (order) => order.language,
  trees: (order) => order.trees,
  package_type: (order) => order.packageType,
  region: (order) => order.region ?? null,
  details: (order) => order.details ?? null,
  currency: (order) => order.currency,
  amount_minor: (order) => order.amountMinor,
  payment_id: (order) => order.paymentId,
  payment_kind: (order) => order.method.kind,
  bank: (order) => (order.method.kind === 'transfer' ? order.method.bank : null),
  transaction_id: (order) => order.transactionId ?? null,
  receipt_number: (order) => order.receiptNumber ?? null,
  card: (order) => order.card ?? null,
  manual_payment: (order) => order.manualPayment ?? null,
  refunds: (order) => order.refunds,
  refund_states: (order) => order.refundStates ?? null,
  refunded_minor: (order) => order.refundedMinor,
  disputes: (order) => order.disputes,
  suspected_returns: (order) => order.suspectedReturns ?? null,
  lost_minor: (order) => order.lostMinor,
  is_given_back: (order) => order.isGivenBack,
  assignment_id: (order) => reached(order).assignmentId ?? null,
  worker: (order) => reached(order).worker ?? null,
  worker_id: (order) => reached(order).worker?.workerId ?? null,
  worker_key: workerKeyOf,
  region_key: regionKeyOf,
  is_flagged: isFlagged,
  assigned_at: (order) => dateOf(reached(order).assignedAt),
  planted_at: (order) => dateOf(reached(order).plantedAt),
  completed_at: (order) => dateOf(reached(order).completedAt),
  location: (order) => order.location ?? null,
  latitude: (order) => order.coordinates?.latitude ?? null,
  longitude: (order) => order.coordinates?.longitude ?? null,
  has_late_step: (order) => openReports(order).length > 0,
  notes: (order) => order.notes ?? null,
  photos: (order) => order.photos,
  growth: (order) => order.growth,
  internal_notes: (order) => order.internalNotes,
  certificate: (order) => order.certificate ?? null,
  gift: (order) => order.gift ?? null,
  gift_token: (order) => order.gift?.token ?? null,
  gift_state: (order) => order.gift?.state ?? null,
  gift_email: (order) => order.gift?.recipientEmail ?? null,
  gift_account: (order) => order.gift?.claim?.accountId ?? null,
  withdrawal: (order) => order.withdrawal ?? null,
  withdrawn_from_at: (order) => dateOf(openWithdrawal(order)?.requestedAt),
  refund_by: (order) => dateOf(openWithdrawal(order)?.refundBy),
  timeline: (order) => order.timeline,
} satisfies Record<string, (order: Order) => unknown>;

type Column = keyof typeof COLUMNS;
export type OrderRow = { [Name in Column]: ReturnType<(typeof COLUMNS)[Name]> };

export const columns = Object.keys(COLUMNS) as Column[];

export const toRow = (order: Order): OrderRow =>
  Object.fromEntries(Object.entries(COLUMNS).map(([name, read]) => [name, read(order)])) as OrderRow;

export const fromRow = (row: OrderRow & { id: string }): Order => ({
  id: row.id,
  token: row.token,
  customer: row.customer,
  language: row.language,
  trees: row.trees,
  packageType: row.package_type,
  region: row.region ?? undefined,
  details: row.details ?? undefined,
  currency: row.currency,
  amountMinor: Number(row.amount_minor),
  paymentId: row.payment_id,
  method: row.bank === null ? CARD : { kind: 'transfer', bank: row.bank },
  transactionId: row.transaction_id ?? undefined,
  receiptNumber: row.receipt_number ?? undefined,
  card: row.card ?? undefined,
  manualPayment: row.manual_payment ?? undefined,
  refunds: row.refunds,
  refundStates: row.refund_states ?? undefined,
  refundedMinor: Number(row.refunded_minor),
  disputes: row.disputes,
  suspectedReturns: row.suspected_returns ?? undefined,
  lostMinor: Number(row.lost_minor),
  isGivenBack: row.is_given_back,
  createdAt: row.created_at.toISOString(),
  day: row.day,
  statusRevision: row.status_revision,
  progress: progressOf(row),
  location: row.location ?? undefined,
  coordinates: coordinatesOf(row),
  notes: row.notes ?? undefined,
  photos: row.photos,
  growth: row.growth,
  internalNotes: row.internal_notes,
  certificate: row.certificate ?? undefined,
  gift: row.gift ?? undefined,
  withdrawal: row.withdrawal ?? undefined,
  timeline: row.timeline,
  version: row.edit_version,
  updatedAt: row.updated_at.toISOString(),
});

const coordinatesOf = ({ latitude, longitude }: OrderRow): Order['coordinates'] =>
  latitude === null || longitude === null ? undefined : { latitude, longitude };

function progressOf(row: OrderRow): Progress {
  const { status } = row;
  if (status === 'pending') return { status };
  const field = { assignmentId: row.assignment_id ?? undefined, worker: row.worker ?? undefined };
  const assignedAt = row.assigned_at?.toISOString();
  if (status === 'assigned') return { ...field, status, assignedAt: assignedAt! };
  const planted = { ...field, assignedAt, plantedAt: row.planted_at!.toISOString() };
  if (status === 'planted') return { ...planted, status };
  return { ...planted, status, completedAt: row.completed_at!.toISOString() };
}

type Reached = Partial<Omit<Extract<Progress, { status: 'completed' }>, 'status'>> & Pick<Progress, 'status'>;
const reached = ({ progress }: Order): Reached => progress;

const openWithdrawal = ({ withdrawal }: Order) =>
  withdrawal && withdrawal.answeredAt === undefined ? withdrawal : undefined;

const dateOf = (instant: string | undefined): Date | null =>
  instant === undefined ? null : new Date(instant);

/** Key for lookups by address. */
export const emailKeyOf = (email: string): string => email.toLowerCase();
