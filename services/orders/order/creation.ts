import type { Change } from '@arboleda/chassis/records.ts';
import type { EventData, NewEvent } from '@arboleda/contracts/events/index.ts';
import type { Actor } from '@arboleda/contracts/fields.ts';
import type { Gift } from '@arboleda/contracts/gift.ts';
import { ERASED_CUSTOMER, isErased } from '@arboleda/contracts/order.ts';
import { detailsOf } from '@arboleda/contracts/purchase.ts';
import { dayOf } from '@arboleda/contracts/time-zone.ts';
import { newGift } from '../gift/order-gift.ts';
import { isPaid, type ManualPayment, notYet, NOTHING_BACK, type Order } from './order.ts';
import { SYSTEM, type TimelineEntry } from './timeline.ts';

/** The event, and tokens for the private link and for the link of a gift, which no event carries. */
interface Tokens {
  orderToken: string;
  giftToken?: string | undefined;
}
export type Succeeded = EventData<'payment.succeeded'> & Tokens & { receiptNumber: string };
export type Submitted = EventData<'payment.submitted'> & Tokens;

/**
 * Creates the order of a card payment, or approves the submitted transfer; publishes the order in either
 * case.
 * Ignores further events about a paid order.
 */
export function decidePayment(current: Order | undefined, event: Succeeded): Change<Order> | undefined {
  if (!current) return withCreatedEvent(newlyPaid(event));
  if (isPaid(current)) return undefined;
  const payment = unlessErased(event, current);
  const { paidAt, transactionId, receiptNumber, approvedBy: by, referenceNumber } = payment;
  const approved: Order = {
    ...current,
    ...(payment.treesAsked !== undefined && {
      trees: payment.trees,
      amountMinor: payment.amountMinor,
      packageType: payment.packageType,
    }),
    transactionId,
    receiptNumber,
    manualPayment: {
      ...current.manualPayment!,
      ...(referenceNumber !== undefined && { referenceNumber }),
      ...approval(paidAt, by),
    },
    timeline: [...current.timeline, ...linesOfPayment(payment)],
  };
  return withCreatedEvent(approved);
}

/** Creates the order of a transfer. Until it is approved, only its buyer and admins see it. */
export function decideSubmission(current: Order | undefined, event: Submitted): Change<Order> | undefined {
  const submitted = unlessErased(event, current);
  const line: TimelineEntry = {
    at: submitted.submittedAt,
    type: 'submitted',
    by: { role: 'customer', name: submitted.customer.name },
  };
  if (!current) {
    const manualPayment: ManualPayment = { verificationStatus: 'pending', ...announced(submitted) };
    return { record: { ...blank(submitted, submitted.submittedAt), manualPayment, timeline: [line] } };
  }
  // The approval arrived first and created the order.
  if (!current.manualPayment || current.manualPayment.submittedAt !== undefined) return undefined;
  return {
    record: {
      ...current,
      createdAt: submitted.submittedAt,
      day: dayOf(submitted.submittedAt),
      manualPayment: { ...current.manualPayment, ...announced(submitted) },
      timeline: [line, ...current.timeline],
    },
  };
}

/** @throws Error when the transfer has not arrived yet; the event is retried */
export function decideRejection(
  current: Order | undefined,
  { orderId, reason, by, at }: EventData<'payment.rejected'>,
): Change<Order> | undefined {
  if (!current) throw notYet(orderId);
  if (current.manualPayment?.verificationStatus !== 'pending') return undefined;
  return {
    record: {
      ...current,
      manualPayment: {
        ...current.manualPayment,
        verificationStatus: 'rejected',
        rejectionReason: reason,
        decidedAt: at,
        decidedBy: by,
      },
      timeline: [...current.timeline, { at, type: 'rejected', by, reason }],
    },
  };
}

function newlyPaid(payment: Succeeded): Order {
  const { paidAt, transactionId, receiptNumber, card, referenceNumber } = payment;
  return {
    ...blank(payment, paidAt),
    transactionId,
    receiptNumber,
    ...(card && { card }),
    ...(payment.method.kind === 'transfer' && {
      manualPayment: {
        ...(referenceNumber !== undefined && { referenceNumber }),
        evidenceFiles: [],
        ...approval(paidAt, payment.approvedBy),
      },
    }),
    timeline: linesOfPayment(payment),
  };
}

/** An event of a buyer who was erased before it came, without what they typed; the event itself when they were not. */
function unlessErased<Event extends Succeeded | Submitted>(event: Event, current: Order | undefined): Event {
  if (!current || !isErased(current.customer.email)) return event;
  return {
    ...event,
    customer: { ...ERASED_CUSTOMER },
    referenceNumber: undefined,
    ...('evidenceFiles' in event && { evidenceFiles: [] }),
    // A transfer without a reference has its payment's id.
    ...('transactionId' in event &&
      event.transactionId === event.referenceNumber && { transactionId: event.paymentId }),
  };
}

const approval = (decidedAt: string, decidedBy: Actor | undefined) =>
  ({ verificationStatus: 'approved', decidedAt, ...(decidedBy && { decidedBy }) }) as const;

const announced = ({ referenceNumber, evidenceFiles, submittedAt }: Submitted) => ({
  ...(referenceNumber !== undefined && { referenceNumber }),
  evidenceFiles,
  submittedAt,
});

function linesOfPayment({ method, paidAt: at, approvedBy, customer }: Succeeded): TimelineEntry[] {
  const created: TimelineEntry = { at, type: 'created', by: SYSTEM };
  return method.kind === 'card'
    ? [{ at, type: 'paid', by: { role: 'customer', name: customer.name } }, created]
    : [{ at, type: 'approved', by: approvedBy ?? SYSTEM }, created];
}

/** A new order with only its purchase. */
function blank(bought: Succeeded | Submitted, createdAt: string): Order {
  const { orderId, orderToken, paymentId, method, trees, packageType, amountMinor, currency } = bought;
  const details = detailsOf(bought);
  return {
    id: orderId,
    token: orderToken,
    paymentId,
    method,
    trees,
    packageType,
    amountMinor,
    currency,
    createdAt,
    day: dayOf(createdAt),
    customer: bought.customer,
    language: bought.language,
    ...(bought.region !== undefined && { region: bought.region }),
    ...(details && { details }),
    ...(bought.gift && { gift: newGift(bought.gift, bought.giftToken!, createdAt) }),
    statusRevision: 0,
    progress: { status: 'pending' },
    photos: [],
    ...NOTHING_BACK,
    growth: [],
    internalNotes: [],
    timeline: [],
    version: 1,
    updatedAt: createdAt,
  };
}

/** Publishes the order: the start of assignments and emails. */
function withCreatedEvent(order: Order): Change<Order> {
  const { id: orderId, statusRevision, trees, packageType, amountMinor, currency } = order;
  const { customer, language, region, method, transactionId, receiptNumber, createdAt, card } = order;
  const event: NewEvent<'order.created'> = {
    type: 'order.created',
    data: {
      orderId,
      statusRevision,
      status: 'pending',
      trees,
      packageType,
      amountMinor,
      currency,
      customer,
      language,
      method,
      createdAt,
      ...(region !== undefined && { region }),
      transactionId: transactionId!,
      receiptNumber: receiptNumber!,
      ...(card && { card }),
      ...(order.gift && { gift: pickGift(order.gift) }),
    },
  };
  return { record: order, events: [event] };
}

/** The recipient and day of a gift, for the receipt. */
const pickGift = ({ recipientName, deliverOn }: Pick<Gift, 'recipientName' | 'deliverOn'>) => ({
  recipientName,
  deliverOn,
});
