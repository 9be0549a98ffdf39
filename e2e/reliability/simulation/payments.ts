import type { EventHandlers } from '@arboleda/chassis/ports/event-bus.ts';
import type { ArboledaEvent, NewEvent } from '@arboleda/contracts/events/index.ts';
import type { Actor, Customer } from '@arboleda/contracts/fields.ts';
import { ERASED_CUSTOMER, isErased } from '@arboleda/contracts/order.ts';
import type { PhotoPackageType } from '@arboleda/contracts/packages.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { type IntentSnapshot, observe, type Payment } from '@arboleda/payments/cards/payment.ts';
import { decideDispute } from '@arboleda/payments/money/dispute-decision.ts';
import {
  CURRENT_STATUSES,
  followAccount,
  observeSession,
  type PackagePurchase,
  type SessionSnapshot,
} from '@arboleda/payments/photo-packages/purchase.ts';
import {
  decideRefusal,
  decideRequest,
  decideSnapshot,
  type RefundDecision,
  refundOfRest,
  refundSeen,
} from '@arboleda/payments/money/refund-decisions.ts';
import {
  isGivenBack,
  isGoingBack,
  type Refund,
  type RefundSnapshot,
} from '@arboleda/payments/money/refund.ts';
import type { Purchase } from '@arboleda/contracts/purchase.ts';
import type { Subject } from '@arboleda/payments/money/subject.ts';
import {
  approve,
  reject,
  submitted,
  type Transfer,
  type TransferDecision,
} from '@arboleda/payments/transfers/transfer.ts';
import type { Service } from './simulator.ts';
import type { SeenDispute, Stripe } from './stripe.ts';

interface StoredDispute extends SeenDispute {
  subjectId: string;
  updatedAt: Date;
}

/** Columns beside a payment or a transfer. */
interface Row {
  createdAt: string;
  /** Time of the latest customer copy from orders. */
  customerAt?: string;
}
type Bought = (Payment | Transfer) & Row;

/** Earlier than every time. */
const NEVER_WITHDRAWN = { requestedAt: '', retractedAt: '' };

/** The tables of payments. */
export interface PaymentRecords {
  cards: ReadonlyMap<string, Payment>;
  /** By order. */
  transfers: ReadonlyMap<string, Transfer>;
  refunds: ReadonlyMap<string, Refund>;
  packages: ReadonlyMap<string, PackagePurchase>;
  disputes: ReadonlyMap<string, StoredDispute>;
}

export type Payments = ReturnType<typeof openPayments>;

/**
 * Payments' own decisions over tables in memory. Each function is one transaction of the real settler of its name, and each consumer
 * that of services/payments/consumers.ts. A `receipt` is the id of a webhook; the reconciler has none.
 */
export function openPayments(
  service: Service,
  stripe: Stripe,
  clock: () => Date,
  watch: (records: PaymentRecords, orderId: string) => void,
) {
  const cards = new Map<string, Payment & Row>();
  const transfers = new Map<string, Transfer & Row>();
  const refunds = new Map<string, Refund>();
  const packages = new Map<string, PackagePurchase>();
  const disputes = new Map<string, StoredDispute>();
  const records: PaymentRecords = { cards, transfers, refunds, packages, disputes };
  const receipts = new Set<string>();
  const consumed = new Set<string>();
  const withdrawals = new Map<string, { requestedAt: string; retractedAt: string }>();
  const erasedAccounts = new Map<string, { ordersToo: boolean }>();
  let counted = 0;

  /** Ends a transaction; a crash happens after it. */
  function commit(orderId: string, events: readonly NewEvent[], sequence = 0): void {
    service.commit(events, [], sequence);
    watch(records, orderId);
    service.mayCrash();
  }
  function isDuplicate(receipt: string | undefined): boolean {
    if (receipt === undefined) return false;
    const isKnown = receipts.has(receipt);
    receipts.add(receipt);
    return isKnown;
  }

  const paymentOf = (orderId: string) =>
    [...cards.values(), ...transfers.values()].find(({ purchase }) => purchase.orderId === orderId);
  function paymentSubject(paymentId: string): Subject | undefined {
    const card = cards.get(paymentId);
    const transfer = [...transfers.values()].find(({ purchase }) => purchase.paymentId === paymentId);
    const { purchase, state } = card ?? transfer ?? {};
    if (!purchase || !state) return undefined;
    const { amountMinor, currency } = 'received' in state ? state.received : purchase;
    const isOrder = state.status === 'succeeded' || state.status === 'approved';
    return {
      kind: 'payment',
      id: paymentId,
      orderId: purchase.orderId,
      amountMinor,
      currency,
      paidBy: card ? 'card' : 'transfer',
      isPaid: isOrder || state.status === 'mismatched',
      isOrder,
      intentId: card?.state.intentId,
      photoPackage: undefined,
    };
  }
  const purchaseSubject = (purchase: PackagePurchase | undefined): Subject | undefined =>
    purchase && {
      kind: 'purchase',
      id: purchase.purchaseId,
      orderId: purchase.orderId,
      paidBy: 'card',
      amountMinor: purchase.amountMinor,
      currency: purchase.currency,
      isPaid: purchase.transactionId !== undefined,
      isOrder: ['active', 'completed', 'stopped', 'surplus'].includes(purchase.status),
      intentId: purchase.transactionId,
      photoPackage: {
        photoPackageType: purchase.photoPackageType,
        isSurplus: purchase.status === 'surplus',
      },
    };
  const subjectNamed = (id: string) => paymentSubject(id) ?? purchaseSubject(packages.get(id));
  function subjectOfIntent(intentId: string | undefined): Subject | undefined {
    const card = [...cards.values()].find(({ state }) => state.intentId === intentId);
    if (card) return paymentSubject(card.purchase.paymentId);
    return purchaseSubject([...packages.values()].find(({ transactionId }) => transactionId === intentId));
  }
  const accountOf = (subject: Subject) => ({
    subject,
    refunds: [...refunds.values()].filter((one) => one.subjectId === subject.id),
    disputes: [...disputes.values()].filter((one) => one.subjectId === subject.id),
  });

  /** @returns undefined while the order is unpaid or its transfer is not approved */
  function paidOrder(orderId: string) {
    const purchase = paymentOf(orderId)?.purchase;
    const subject = purchase && paymentSubject(purchase.paymentId);
    if (!subject?.isOrder) return undefined;
    const { requestedAt, retractedAt } = withdrawals.get(orderId) ?? NEVER_WITHDRAWN;
    return {
      customer: purchase!.customer,
      language: purchase!.language,
      isRefunded: isGoingBack(accountOf(subject)),
      isWithdrawing: requestedAt > retractedAt,
    };
  }
  const packagesOf = (orderId: string, except?: string) =>
    [...packages.values()].filter((one) => one.orderId === orderId && one.purchaseId !== except);
  const currentPackage = (orderId: string, except?: string) =>
    packagesOf(orderId, except).find(({ status }) => CURRENT_STATUSES.includes(status));
  /** @returns the events to publish */
  function followMoney({ kind, id, orderId }: Subject): NewEvent[] {
    const purchase = kind === 'purchase' && packages.get(id);
    if (!purchase) return [];
    const account = accountOf(purchaseSubject(purchase)!);
    const around = { isGivenBack: isGivenBack(account), isTaken: currentPackage(orderId, id) !== undefined };
    const decision = followAccount(purchase, around, clock());
    if (decision) packages.set(id, decision.purchase);
    return decision?.events ?? [];
  }
  /** Writes down a refund of all that is left of a package. */
  function giveBack(purchase: PackagePurchase): Refund | undefined {
    const refundId = `refund-by-itself-${counted++}`;
    const refund = refundOfRest(accountOf(purchaseSubject(purchase)!), refundId, 'by itself', clock());
    if (refund) refunds.set(refundId, refund);
    return refund;
  }
  /** Requests a stored refund at Stripe and takes the answer. */
  function send(refund: Refund): void {
    const subject = subjectNamed(refund.subjectId)!;
    const made = stripe.refund(refund, subject.intentId!);
    if (made) return seeRefund(made);
    const refused = decideRefusal(accountOf(subject), refund, 'charge_already_refunded', clock());
    if (refused) store(refused);
  }
  /** Writes a refund, tells others, and lets a photo package follow its money. */
  function store({ refund, events }: RefundDecision): void {
    refunds.set(refund.refundId, refund);
    const subject = subjectNamed(refund.subjectId)!;
    commit(refund.orderId, [...events, ...followMoney(subject)]);
  }

  function begin(purchase: Purchase, intentId: string) {
    const state = { status: 'open', intentId } as const;
    cards.set(purchase.paymentId, { purchase, state, revision: 0, createdAt: clock().toISOString() });
  }
  function submit(transfer: Transfer) {
    transfers.set(transfer.purchase.orderId, { ...transfer, createdAt: transfer.submittedAt });
    commit(transfer.purchase.orderId, [submitted(transfer)]);
  }
  /** @throws Problem */
  function decideTransfer(orderId: string, decide: (transfer: Transfer) => TransferDecision) {
    const transfer = transfers.get(orderId);
    if (!transfer) throw new Problem('not-found');
    const decision = decide(transfer);
    if (decision.kind === 'unchanged') return;
    const revision = transfer.revision + 1;
    transfers.set(orderId, { ...transfer, state: decision.state, revision });
    commit(orderId, decision.events, revision);
  }

  /** An admin's refund of a payment or a photo package; of the whole rest without an amount. @throws Problem */
  function refund(
    subjectId: string,
    { amountMinor, key, by }: { amountMinor?: number; key: string; by: Actor },
  ) {
    const refundId = `refund-${key}`;
    if (refunds.has(refundId)) return;
    const subject = subjectNamed(subjectId);
    if (!subject) throw new Problem('not-found');
    const request = { amountMinor, reason: 'Changed their mind', by, byHand: false, claim: false };
    const decision = decideRequest(
      accountOf(subject),
      { ...request, idempotencyKey: key },
      refundId,
      clock(),
    );
    store(decision);
    if (decision.refund.method === 'card') send(decision.refund);
  }

  /** @throws Problem */
  function beginPackage(
    orderId: string,
    wanted: { photoPackageType: PhotoPackageType; amountMinor: number; purchaseId: string },
  ) {
    const order = paidOrder(orderId);
    if (!order) throw new Problem('not-found');
    if (order.isRefunded) throw new Problem('order-refunded');
    if (order.isWithdrawing) throw new Problem('order-withdrawing');
    if (currentPackage(orderId)) throw new Problem('photo-package-active');
    const { customer, language } = order;
    const purchase: PackagePurchase = {
      ...wanted,
      orderId,
      priceId: 'price-1',
      currency: 'USD',
      customer,
      language,
      status: 'creating',
      revision: 0,
      createdAt: clock(),
    };
    packages.set(purchase.purchaseId, purchase);
    service.mayCrash();
    seeSession(stripe.beginSession(purchase));
  }

  function seePayment(paymentId: string, seen: IntentSnapshot, receipt?: string): void {
    const payment = cards.get(paymentId);
    if (isDuplicate(receipt) || !payment) return;
    const decision = observe(payment, seen, clock().toISOString());
    if (decision.kind === 'ignored') return;
    const revision = payment.revision + 1;
    cards.set(paymentId, { ...payment, state: decision.state, revision });
    commit(payment.purchase.orderId, decision.events, revision);
  }

  /** The webhook of a refund or a dispute may arrive before that of its payment. */
  function settleIntent(intentId: string): void {
    if (subjectOfIntent(intentId)?.isPaid) return;
    const { paymentId, snapshot } = stripe.intent(intentId);
    if (paymentId !== undefined) return seePayment(paymentId, snapshot);
    const session = stripe.sessionOfIntent(intentId);
    if (session) seeSession(session);
  }

  function seeRefund(seen: RefundSnapshot, receipt?: string): void {
    if (seen.intentId !== undefined) settleIntent(seen.intentId);
    if (isDuplicate(receipt)) return;
    const subject = subjectOfIntent(seen.intentId);
    if (!subject) return;
    const ofStripe = [...refunds.values()].find((one) => one.stripeId === seen.stripeId);
    const named = refunds.get(seen.refundId ?? '');
    const { refund, isNew } = refundSeen(seen, subject, { ofStripe, named }, `refund-found-${counted}`);
    if (isNew) counted++;
    const decision = decideSnapshot(accountOf(subject), refund, seen, clock());
    if (decision) store(decision);
  }

  function seeDispute(seen: SeenDispute, receipt?: string): void {
    const { disputeId, intentId } = seen;
    settleIntent(intentId);
    if (isDuplicate(receipt)) return;
    const subject = subjectOfIntent(intentId);
    const before = disputes.get(disputeId);
    const decision = subject && decideDispute(seen, before, subject, clock());
    if (!decision) return;
    disputes.set(disputeId, { ...seen, subjectId: subject.id, updatedAt: decision.at });
    commit(subject.orderId, [...decision.events, ...followMoney(subject)]);
  }

  function seeSession(seen: SessionSnapshot, receipt?: string): void {
    if (isDuplicate(receipt)) return;
    const before = packages.get(seen.purchaseId ?? '');
    if (!before) return;
    const { orderId, purchaseId } = before;
    const others = packagesOf(orderId, purchaseId);
    const order = paidOrder(orderId);
    const around = {
      isTaken: others.some(({ status }) => status === 'active' || status === 'processing'),
      isStopped: order !== undefined && (order.isRefunded || order.isWithdrawing),
    };
    const decision = observeSession(before, seen, around, clock());
    if (!decision) return;
    packages.set(purchaseId, decision.purchase);
    const surplus = decision.purchase.status === 'surplus' ? giveBack(decision.purchase) : undefined;
    commit(orderId, decision.events);
    if (surplus) send(surplus);
  }

  /** Asks Stripe for everything that lost webhooks and crashes left open. */
  async function reconcile() {
    for (const { purchase, state } of [...cards.values()]) {
      const isOpen = state.status === 'open' || state.status === 'processing';
      if (isOpen) seePayment(purchase.paymentId, stripe.intent(state.intentId).snapshot);
    }
    for (const one of [...refunds.values()]) if (one.status === 'creating') send(one);
    for (const session of stripe.sessions()) seeSession(session);
    for (const one of stripe.refunds()) seeRefund(one);
    for (const dispute of stripe.disputes()) seeDispute(dispute);
  }

  async function consume<E extends ArboledaEvent>(event: E, run: (data: E['data']) => void): Promise<void> {
    if (consumed.has(event.id)) return;
    consumed.add(event.id);
    run(event.data);
    service.mayCrash();
  }
  /** Copies the buyer from orders; an erased buyer stays erased. */
  function follow(customer: Customer, at: string, isMeant: (one: Bought) => boolean) {
    for (const one of [...cards.values(), ...transfers.values()].filter(isMeant)) {
      const isNews = one.customerAt === undefined || one.customerAt <= at || isErased(customer.email);
      if (!isNews || isErased(one.purchase.customer.email)) continue;
      one.purchase = { ...one.purchase, customer };
      one.customerAt = at;
    }
  }
  /** A succeeded card payment follows its order instead. */
  const followsAccount =
    (email: string, at: string) =>
    ({ purchase, state, createdAt }: Bought): boolean =>
      purchase.customer.email === email && createdAt <= at && state.status !== 'succeeded';
  function forget({ email, ordersToo, at }: { email: string; ordersToo: boolean; at: string }) {
    if (ordersToo) follow({ ...ERASED_CUSTOMER }, at, followsAccount(email, at));
  }
  function keepWithdrawal(orderId: string, at: { requestedAt?: string; retractedAt?: string }) {
    const known = withdrawals.get(orderId) ?? NEVER_WITHDRAWN;
    const later = (one: string, other = '') => (other > one ? other : one);
    withdrawals.set(orderId, {
      requestedAt: later(known.requestedAt, at.requestedAt),
      retractedAt: later(known.retractedAt, at.retractedAt),
    });
  }

  const consumers: EventHandlers = {
    'order.updated': (event) =>
      consume(event, ({ orderId, customer, at }) =>
        follow(customer, at, ({ purchase }) => purchase.orderId === orderId),
      ),
    'customer.erased': (event) =>
      consume(event, (erased) => {
        erasedAccounts.set(erased.accountId, erased);
        forget(erased);
      }),
    'email.changed': (event) =>
      consume(event, ({ accountId, from: email, to, at }) => {
        const erased = erasedAccounts.get(accountId);
        if (erased) return forget({ email, ordersToo: erased.ordersToo, at });
        for (const card of [...cards.values()].filter(followsAccount(email, at)))
          card.purchase = { ...card.purchase, customer: { ...card.purchase.customer, email: to } };
      }),
    'order.withdrawal_requested': (event) =>
      consume(event, ({ orderId, requestedAt }) => keepWithdrawal(orderId, { requestedAt })),
    'order.withdrawal_retracted': (event) =>
      consume(event, ({ orderId, at: retractedAt }) => keepWithdrawal(orderId, { retractedAt })),
    'order.status_changed': (event) =>
      consume(event, ({ orderId, withdrawn }) => {
        const current = currentPackage(orderId);
        if (!withdrawn || current?.status !== 'active' || !paidOrder(orderId)?.isRefunded) return;
        const written = giveBack(current);
        service.mayCrash();
        if (written) send(written);
      }),
    'photo_package.completed': (event) =>
      consume(event, ({ purchaseId }) => {
        const purchase = packages.get(purchaseId);
        if (purchase?.status === 'active' || purchase?.status === 'stopped')
          packages.set(purchaseId, { ...purchase, status: 'completed' });
      }),
  };

  return {
    ...records,
    consumers,
    begin,
    submit,
    approve: (orderId: string, by: Actor) =>
      decideTransfer(orderId, (transfer) => approve(transfer, { by, at: clock().toISOString() }, {})),
    reject(orderId: string, by: Actor) {
      const rejection = { by, at: clock().toISOString(), reason: 'No such transfer' };
      decideTransfer(orderId, (transfer) => reject(transfer, rejection));
    },
    refund,
    beginPackage,
    seePayment,
    seeRefund,
    seeDispute,
    seeSession,
    reconcile,
  };
}
