import type { EventHandlers } from '@arboleda/chassis/ports/event-bus.ts';
import type { ArboledaEvent, NewEvent } from '@arboleda/contracts/events/index.ts';
import type { Actor, Customer } from '@arboleda/contracts/fields.ts';
import { ERASED_CUSTOMER, isErased } from '@arboleda/contracts/order.ts';
import type { PhotoPackageType } from '@arboleda/contracts/packages.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { isDisputeNews } from '@arboleda/payments/disputes/dispute.ts';
import {
  disputedEvent,
  refundedEvent,
  refundFailedEvent,
  refundStatusEvents,
} from '@arboleda/payments/money-events.ts';
import {
  observe,
  type Payment,
  type Purchase,
  type IntentSnapshot,
} from '@arboleda/payments/cards/payment.ts';
import {
  CURRENT_STATUSES,
  followAccount,
  observeSession,
  type PackagePurchase,
  type SessionSnapshot,
} from '@arboleda/payments/photo-packages/purchase.ts';
import {
  type Account,
  amountToRefund,
  isGivenBack,
  isGoingBack,
  leftMinor,
  observeRefund,
  type Refund,
  type RefundSnapshot,
} from '@arboleda/payments/refunds/refund.ts';
import type { Subject } from '@arboleda/payments/subject.ts';
import {
  approve,
  reject,
  submitted,
  type Transfer,
  type TransferDecision,
} from '@arboleda/payments/transfers/transfer.ts';
import type { SeenDispute, Stripe } from './stripe.ts';
import type { Service } from './simulator.ts';

interface StoredDispute extends SeenDispute {
  subjectId: string;
  atMs: number;
}

interface Bought {
  purchase: Purchase;
  createdAt: string;
  /** Time of the latest customer copy from orders. */
  customerAt?: string;
}

/** The operations and tables of payments that the simulation uses. */
export interface Payments {
  cards: ReadonlyMap<string, Payment>;
  transfers: ReadonlyMap<string, Transfer>;
  refunds: ReadonlyMap<string, Refund>;
  packages: ReadonlyMap<string, PackagePurchase>;
  disputes: ReadonlyMap<string, StoredDispute>;
  consumers: EventHandlers;
  begin(purchase: Purchase, intentId: string): void;
  submit(transfer: Transfer): void;
  /** @throws Problem */
  approve(orderId: string, by: Actor): void;
  /** @throws Problem */
  reject(orderId: string, by: Actor): void;
  /** An admin's refund of a payment or a photo package; of the whole rest without an amount. @throws Problem */
  refund(subjectId: string, asked: { amountMinor?: number; key: string; by: Actor }): void;
  /** @throws Problem */
  beginPackage(
    orderId: string,
    wanted: { photoPackageType: PhotoPackageType; amountMinor: number; purchaseId: string },
  ): void;
  /** Takes the state of an object at Stripe. @param receipt id of the webhook; absent for the reconciler */
  seePayment(paymentId: string, seen: IntentSnapshot, receipt?: string): void;
  seeRefund(seen: RefundSnapshot, receipt?: string): void;
  seeDispute(seen: SeenDispute, receipt?: string): void;
  seeSession(seen: SessionSnapshot, receipt?: string): void;
  /** Asks Stripe for everything that lost webhooks and crashes left open. */
  reconcile(): Promise<void>;
}

/**
 * Payments' own decisions over tables in memory. Each function is one transaction of the real settler of its name, and each consumer
 * that of services/payments/consumers.ts.
 */
export function openPayments(
  service: Service,
  stripe: Stripe,
  clock: () => Date,
  watch: (payments: Payments, orderId: string) => void,
): Payments {
  const cards = new Map<string, Payment & Bought>();
  const transfers = new Map<string, Transfer & Bought>();
  const refunds = new Map<string, Refund>();
  const packages = new Map<string, PackagePurchase>();
  const disputes = new Map<string, StoredDispute>();
  const receipts = new Set<string>();
  const consumed = new Set<string>();
  const withdrawals = new Map<string, { requestedAt?: string; retractedAt?: string }>();
  const erasedAccounts = new Map<string, { ordersToo: boolean }>();
  let counted = 0;

  /** Ends a transaction; a crash happens after it. */
  function commit(orderId: string, events: readonly NewEvent[], sequence = 0) {
    service.commit(events, [], sequence);
    watch(self, orderId);
    service.mayCrash();
  }
  const isTaken = (receipt: string | undefined): boolean => {
    if (receipt === undefined) return false;
    if (receipts.has(receipt)) return true;
    receipts.add(receipt);
    return false;
  };

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
  function subjectOfIntent(intentId: string | undefined): Subject | undefined {
    const card = [...cards.values()].find(({ state }) => state.intentId === intentId);
    if (card) return paymentSubject(card.purchase.paymentId);
    return purchaseSubject([...packages.values()].find(({ transactionId }) => transactionId === intentId));
  }
  const subjectNamed = (id: string) => paymentSubject(id) ?? purchaseSubject(packages.get(id));
  const accountOf = (subject: Subject): Account => ({
    subject,
    refunds: [...refunds.values()].filter((one) => one.subjectId === subject.id),
    disputes: [...disputes.values()].filter((one) => one.subjectId === subject.id),
  });
  /** @returns the events to publish */
  function followMoney({ kind, id, orderId }: Subject): NewEvent[] {
    const purchase = kind === 'purchase' && packages.get(id);
    if (!purchase) return [];
    const account = accountOf(purchaseSubject(purchase)!);
    const around = { isGivenBack: isGivenBack(account), isTaken: currentOf(orderId, id) !== undefined };
    const decision = followAccount(purchase, around, clock());
    if (decision) packages.set(id, decision.purchase);
    return decision?.events ?? [];
  }
  const currentOf = (orderId: string, except?: string) =>
    [...packages.values()].find(
      (one) => one.orderId === orderId && one.purchaseId !== except && CURRENT_STATUSES.includes(one.status),
    );
  /** Writes down a refund of all that is left of a package. */
  function giveBack({ purchaseId, orderId }: PackagePurchase): Refund | undefined {
    const subject = purchaseSubject(packages.get(purchaseId))!;
    const amountMinor = leftMinor(accountOf(subject));
    if (amountMinor === 0) return undefined;
    const refund: Refund = {
      refundId: `refund-by-itself-${counted++}`,
      subject: 'purchase',
      subjectId: purchaseId,
      orderId,
      amountMinor,
      currency: subject.currency,
      reason: 'by itself',
      method: 'card',
      by: { role: 'system' },
      status: 'creating',
      createdAt: clock(),
    };
    refunds.set(refund.refundId, refund);
    return refund;
  }
  /** The webhook of a refund may arrive before that of its payment. */
  function settleIntent(intentId: string) {
    const { paymentId, snapshot } = stripe.intent(intentId);
    if (paymentId !== undefined) self.seePayment(paymentId, snapshot);
    else {
      const session = stripe.sessionOfIntent(intentId);
      if (session) self.seeSession(session);
    }
  }
  function keepWithdrawal(orderId: string, at: { requestedAt?: string; retractedAt?: string }) {
    const { requestedAt = '', retractedAt = '' } = withdrawals.get(orderId) ?? {};
    const later = (one: string, other = '') => (other > one ? other : one);
    withdrawals.set(orderId, {
      requestedAt: later(requestedAt, at.requestedAt),
      retractedAt: later(retractedAt, at.retractedAt),
    });
  }
  function isWithdrawing(orderId: string): boolean {
    const { requestedAt = '', retractedAt = '' } = withdrawals.get(orderId) ?? {};
    return requestedAt > retractedAt;
  }
  const paymentOf = (orderId: string) =>
    [...cards.values(), ...transfers.values()].find(({ purchase }) => purchase.orderId === orderId);
  function decideTransfer(orderId: string, decide: (transfer: Transfer) => TransferDecision) {
    const transfer = transfers.get(orderId);
    if (!transfer) throw new Problem('not-found');
    const decision = decide(transfer);
    if (decision.kind === 'unchanged') return;
    const revision = transfer.revision + 1;
    transfers.set(orderId, { ...transfer, state: decision.state, revision });
    commit(orderId, decision.events, revision);
  }
  /** Requests a stored refund at Stripe and takes the answer. */
  function send(refund: Refund) {
    const subject = subjectNamed(refund.subjectId);
    const made = stripe.refund(refund, subject!.intentId!);
    if (made) return self.seeRefund(made);
    const failed: Refund = { ...refund, status: 'failed', failureReason: 'charge_already_refunded' };
    refunds.set(refund.refundId, failed);
    commit(refund.orderId, refundStatusEvents(failed, subject!, clock()));
  }

  const self: Payments = {
    cards,
    transfers,
    refunds,
    packages,
    disputes,
    begin(purchase, intentId) {
      const state = { status: 'open', intentId } as const;
      cards.set(purchase.paymentId, { purchase, state, revision: 0, createdAt: clock().toISOString() });
    },
    submit(transfer) {
      transfers.set(transfer.purchase.orderId, { ...transfer, createdAt: transfer.submittedAt });
      commit(transfer.purchase.orderId, [submitted(transfer)]);
    },
    approve(orderId, by) {
      decideTransfer(orderId, (transfer) => approve(transfer, { by, at: clock().toISOString() }, {}));
    },
    reject(orderId, by) {
      const rejection = { by, at: clock().toISOString(), reason: 'No such transfer' };
      decideTransfer(orderId, (transfer) => reject(transfer, rejection));
    },

    refund(subjectId, { amountMinor, key, by }) {
      const refundId = `refund-${key}`;
      if (refunds.has(refundId)) return;
      const subject = subjectNamed(subjectId);
      if (!subject) throw new Problem('not-found');
      const amount = amountToRefund({ ...accountOf(subject), subject }, { amountMinor, hasKey: true });
      const isByHand = subject.paidBy !== 'card';
      const refund: Refund = {
        refundId,
        subject: subject.kind,
        subjectId,
        orderId: subject.orderId,
        amountMinor: amount,
        currency: subject.currency,
        reason: 'Changed their mind',
        by,
        createdAt: clock(),
        ...(isByHand
          ? { method: 'hand', status: 'succeeded', settledAt: clock() }
          : { method: 'card', status: 'creating' }),
      };
      refunds.set(refundId, refund);
      commit(
        subject.orderId,
        isByHand && subject.isOrder
          ? [refundedEvent(refund, subject, accountOf(subject), clock())]
          : refundStatusEvents(refund, subject, clock()),
      );
      if (!isByHand) send(refund);
    },

    beginPackage(orderId, wanted) {
      const payment = paymentOf(orderId);
      const paid = payment && paymentSubject(payment.purchase.paymentId);
      if (!payment || !paid?.isOrder) throw new Problem('not-found');
      if (isGoingBack(accountOf(paid))) throw new Problem('order-refunded');
      if (isWithdrawing(orderId)) throw new Problem('order-withdrawing');
      if (currentOf(orderId)) throw new Problem('photo-package-active');
      const { customer, language } = payment.purchase;
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
      self.seeSession(stripe.beginSession(purchase));
    },

    seePayment(paymentId, seen, receipt) {
      const payment = cards.get(paymentId);
      if (isTaken(receipt) || !payment) return;
      const decision = observe(payment, seen, clock().toISOString());
      if (decision.kind === 'ignored') return;
      const revision = payment.revision + 1;
      cards.set(paymentId, { ...payment, state: decision.state, revision });
      commit(payment.purchase.orderId, decision.events, revision);
    },

    seeRefund(seen, receipt) {
      if (seen.intentId !== undefined && !subjectOfIntent(seen.intentId)?.isPaid) settleIntent(seen.intentId);
      if (isTaken(receipt)) return;
      const subject = subjectOfIntent(seen.intentId);
      if (!subject) return;
      const named = seen.refundId === undefined ? undefined : refunds.get(seen.refundId);
      const isNamed = named?.subjectId === subject.id && named.stripeId === undefined;
      const ours = [...refunds.values()].find(({ stripeId }) => stripeId === seen.stripeId);
      const refund: Refund = ours ??
        (isNamed ? named : undefined) ?? {
          refundId: `refund-found-${counted++}`,
          subject: subject.kind,
          subjectId: subject.id,
          orderId: subject.orderId,
          amountMinor: seen.amountMinor,
          currency: seen.currency,
          reason: seen.reason,
          method: 'card',
          status: 'creating',
          createdAt: seen.createdAt,
        };
      const news = observeRefund(refund, seen);
      if (!news) return;
      const { isNewlySucceeded, isReturned, ...changes } = news;
      const settled: Refund = { ...refund, ...changes, stripeId: seen.stripeId };
      refunds.set(settled.refundId, settled);
      const events: NewEvent[] = [];
      if (isNewlySucceeded && subject.isOrder)
        events.push(refundedEvent(settled, subject, accountOf(subject), clock()));
      if (isReturned && subject.isOrder) events.push(refundFailedEvent(settled, subject, clock()));
      if (!isReturned) events.push(...refundStatusEvents(settled, subject, clock()));
      commit(subject.orderId, [...events, ...followMoney(subject)]);
    },

    seeDispute(seen, receipt) {
      const { disputeId, intentId, status } = seen;
      if (!subjectOfIntent(intentId)?.isPaid) settleIntent(intentId);
      if (isTaken(receipt)) return;
      const subject = subjectOfIntent(intentId);
      const before = disputes.get(disputeId);
      if (!subject || !isDisputeNews(before?.status, status)) return;
      const atMs = Math.max(clock().getTime(), (before?.atMs ?? 0) + 1);
      disputes.set(disputeId, { ...seen, subjectId: subject.id, atMs });
      commit(subject.orderId, [
        ...(subject.isOrder ? [disputedEvent(seen, subject, new Date(atMs))] : []),
        ...followMoney(subject),
      ]);
    },

    seeSession(seen, receipt) {
      if (isTaken(receipt)) return;
      const before = packages.get(seen.purchaseId ?? '');
      if (!before) return;
      const { orderId, purchaseId } = before;
      const others = [...packages.values()].filter((one) => one.orderId === orderId && one !== before);
      const payment = paymentOf(orderId)!;
      const around = {
        isTaken: others.some(({ status }) => status === 'active' || status === 'processing'),
        isStopped:
          isGoingBack(accountOf(paymentSubject(payment.purchase.paymentId)!)) || isWithdrawing(orderId),
      };
      const decision = observeSession(before, seen, around, clock());
      if (!decision) return;
      packages.set(purchaseId, decision.purchase);
      const surplus = decision.purchase.status === 'surplus' ? giveBack(decision.purchase) : undefined;
      commit(orderId, decision.events);
      if (surplus) send(surplus);
    },

    async reconcile() {
      for (const { purchase, state } of [...cards.values()]) {
        const isOpen = state.status === 'open' || state.status === 'processing';
        if (isOpen) self.seePayment(purchase.paymentId, stripe.intent(state.intentId).snapshot);
      }
      for (const refund of [...refunds.values()]) if (refund.status === 'creating') send(refund);
      for (const session of stripe.sessions()) self.seeSession(session);
      for (const refund of stripe.refunds()) self.seeRefund(refund);
      for (const dispute of stripe.disputes()) self.seeDispute(dispute);
    },

    consumers: {
      'order.updated': (event) =>
        consume(event, ({ orderId, customer, at }) => {
          const isIt = ({ purchase }: Bought) => purchase.orderId === orderId;
          follow(cards, customer, at, isIt);
          follow(transfers, customer, at, isIt);
        }),
      'customer.erased': (event) =>
        consume(event, (erased) => {
          erasedAccounts.set(erased.accountId, erased);
          forget(erased);
        }),
      'email.changed': (event) =>
        consume(event, ({ accountId, from: email, to, at }) => {
          const erased = erasedAccounts.get(accountId);
          if (erased) return forget({ email, ordersToo: erased.ordersToo, at });
          for (const card of cards.values()) {
            if (isOf(card, email, at) && card.state.status !== 'succeeded')
              setCustomer(cards, card, { email: to });
          }
        }),
      'order.withdrawal_requested': (event) =>
        consume(event, ({ orderId, requestedAt }) => keepWithdrawal(orderId, { requestedAt })),
      'order.withdrawal_retracted': (event) =>
        consume(event, ({ orderId, at: retractedAt }) => keepWithdrawal(orderId, { retractedAt })),
      'order.status_changed': (event) =>
        consume(event, ({ orderId, withdrawn }) => {
          const current = currentOf(orderId);
          const payment = paymentOf(orderId);
          if (!withdrawn || current?.status !== 'active' || !payment) return;
          if (!isGoingBack(accountOf(paymentSubject(payment.purchase.paymentId)!))) return;
          const refund = giveBack(current);
          service.mayCrash();
          if (refund) send(refund);
        }),
      'photo_package.completed': (event) =>
        consume(event, ({ purchaseId }) => {
          const purchase = packages.get(purchaseId);
          if (purchase?.status === 'active' || purchase?.status === 'stopped')
            packages.set(purchaseId, { ...purchase, status: 'completed' });
        }),
    },
  };

  async function consume<E extends ArboledaEvent>(event: E, run: (data: E['data']) => void): Promise<void> {
    if (consumed.has(event.id)) return;
    consumed.add(event.id);
    run(event.data);
    service.mayCrash();
  }
  const isOf = ({ purchase, createdAt }: Bought, email: string, at: string) =>
    purchase.customer.email === email && createdAt <= at;
  function setCustomer<T extends Bought>(
    table: Map<string, T>,
    one: T,
    customer: Partial<Customer>,
    at?: string,
  ) {
    const { purchase } = one;
    const key = [...table].find(([, other]) => other === one)![0];
    const changed = { ...purchase, customer: { ...purchase.customer, ...customer } };
    table.set(key, { ...one, purchase: changed, ...(at !== undefined && { customerAt: at }) });
  }
  /** Copies the buyer from orders; an erased buyer stays erased. */
  function follow<T extends Bought>(
    table: Map<string, T>,
    customer: Customer,
    at: string,
    which: (one: T) => boolean,
  ) {
    for (const one of [...table.values()].filter(which)) {
      const isNews = one.customerAt === undefined || one.customerAt <= at || isErased(customer.email);
      if (isNews && !isErased(one.purchase.customer.email)) setCustomer(table, one, customer, at);
    }
  }
  /** Erases transfers and unpaid card payments; orders erases paid ones through order.updated. */
  function forget({ email, ordersToo, at }: { email: string; ordersToo: boolean; at: string }) {
    if (!ordersToo) return;
    follow(
      cards,
      { ...ERASED_CUSTOMER },
      at,
      (one) => isOf(one, email, at) && one.state.status !== 'succeeded',
    );
    follow(transfers, { ...ERASED_CUSTOMER }, at, (one) => isOf(one, email, at));
  }
  return self;
}
