import type { Change } from '@arboleda/chassis/records.ts';
import type { Actor } from '@arboleda/contracts/fields.ts';
import { ERASED_CUSTOMER } from '@arboleda/contracts/order.ts';
import type { Order } from './order.ts';
import type { FieldChange, TimelineEntry } from './timeline.ts';
import { updated } from './edit.ts';

/** A later order under the same address is somebody else's. */
const wasTheirs = (order: Order, email: string, at: string): boolean =>
  order.customer.email.toLowerCase() === email.toLowerCase() && order.createdAt <= at;

/**
 * Erases the customer, also from the history; the purchase stays. @param email the address that the order
 * must have
 */
export function decideErasure(
  current: Order | undefined,
  { email, by, at }: { email: string; by: Actor; at: string },
): Change<Order> | undefined {
  if (!current || !wasTheirs(current, email, at)) return undefined;
  const { manualPayment, transactionId, paymentId } = current;
  const isTyped = transactionId !== undefined && transactionId === manualPayment?.referenceNumber;
  const erased: Order = {
    ...current,
    customer: { ...ERASED_CUSTOMER },
    details: undefined,
    ...(manualPayment && {
      manualPayment: { ...manualPayment, evidenceFiles: [], referenceNumber: undefined },
    }),
    // A transfer without a reference has its payment's id.
    ...(isTyped && { transactionId: paymentId }),
    ...(current.certificate && { certificate: { ...current.certificate, name: null } }),
    ...(current.withdrawal && { withdrawal: { ...current.withdrawal, reason: undefined } }),
    timeline: [...current.timeline.map(withoutPerson), { at, type: 'erased', by }],
  };
  return {
    record: erased,
    events: [updated(erased, { changed: ['customer.name', 'customer.email'], by, at })],
  };
}

/** Moves an order with its account's new address. @param from the address that the order must have */
export function decideAddress(
  current: Order | undefined,
  { from, to, by, at }: { from: string; to: string; by: Actor; at: string },
): Change<Order> | undefined {
  if (!current || !wasTheirs(current, from, at)) return undefined;
  const changed: Order = {
    ...current,
    customer: { ...current.customer, email: to },
    timeline: [...current.timeline, { at, type: 'address_changed', by }],
  };
  const saidAt = laterThan(current.updatedAt, at);
  return { record: changed, events: [updated(changed, { changed: ['customer.email'], by, at: saidAt })] };
}

/**
 * Copies keep the newest data: the account may have moved before the order's last change, while the
 * event about it comes later.
 */
const laterThan = (before: string, at: string): string =>
  before >= at ? new Date(Date.parse(before) + 1).toISOString() : at;

const PERSONAL: Record<string, string> = {
  'customer.name': ERASED_CUSTOMER.name,
  'customer.email': ERASED_CUSTOMER.email,
};

function withoutPerson(entry: TimelineEntry): TimelineEntry {
  const by = entry.by.role === 'customer' ? { ...entry.by, name: ERASED_CUSTOMER.name } : entry.by;
  return entry.type === 'edited'
    ? { ...entry, by, changes: entry.changes.map(withoutName) }
    : { ...entry, by };
}

function withoutName(change: FieldChange): FieldChange {
  const instead = PERSONAL[change.field];
  return instead === undefined ? change : { ...change, from: instead, to: instead };
}
