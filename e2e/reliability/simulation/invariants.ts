import type { Assignment } from '@arboleda/assignments/assignment/assignment.ts';
import { assignmentIdOf } from '@arboleda/assignments/assignment/assignment.ts';
import { hasRoom } from '@arboleda/assignments/workers/worker.ts';
import { isErased, isPlanted } from '@arboleda/contracts/order.ts';
import { factsOf } from '@arboleda/orders/certificate/certificate.ts';
import { newestOf } from '@arboleda/orders/certificate/versions.ts';
import { readStats } from '@arboleda/orders/figures/figures.ts';
import {
  isHeld,
  isPaid,
  isStopped,
  isWithdrawn,
  type Order,
  workerOf,
} from '@arboleda/orders/order/order.ts';
import { refundedMinor } from '@arboleda/payments/money/refund.ts';
import type { MailKind } from '@arboleda/notifications/mails/index.ts';
import { isDeepStrictEqual } from 'node:util';
import type { Activity } from './actors.ts';
import type { SentMail } from './mails.ts';
import type { PaymentRecords } from './payments.ts';
import type { Product, Watches } from './services.ts';
import { Violation, type Simulator } from './simulator.ts';

/** Checks each written record. */
export function watches(
  simulator: Simulator,
  now: () => { bought: Activity['bought']; payments: PaymentRecords },
): Watches {
  const must = (isTrue: boolean, id: string, rule: string) => {
    if (!isTrue) simulator.fail(new Violation(`${rule} (${id})`));
  };

  function order(before: Order | undefined, after: Order) {
    const { id, progress, statusRevision, timeline, refunds } = after;
    // A step may add a line about the certificate.
    const line = timeline.findLast(({ type }) => !type.startsWith('certificate_'))!;
    const { bought, payments } = now();
    const amountMinor = bought.get(id)?.amountMinor ?? 0;
    // Orders may not know yet that a bank returned a refund.
    const stands = refunds.filter(({ refundId }) => payments.refunds.get(refundId)?.status === 'succeeded');
    const known = stands.reduce((sum, one) => sum + one.amountMinor, 0);
    must(
      new Set(refunds.map(({ refundId }) => refundId)).size === refunds.length,
      id,
      'a refund is counted once',
    );
    must(
      known <= amountMinor && after.refundedMinor <= amountMinor,
      id,
      'no more is given back than was paid',
    );
    must(
      progress.status !== 'planted' || !('completedAt' in progress),
      id,
      'what is planted is not completed',
    );
    must(progress.status !== 'completed' || 'completedAt' in progress, id, 'what is completed has its day');
    certificate(before, after);
    if (!before) return;
    const steps = statusRevision - before.statusRevision;
    const isMoved =
      before.progress.status !== progress.status || workerOf(before)?.workerId !== workerOf(after)?.workerId;
    must(steps === 0 || steps === 1, id, 'the revision grows by one');
    must(!isMoved || steps === 1, id, 'each change of status or worker has its own revision');
    must(isHistoryKept(before, after), id, 'lines of the history are never rewritten');
    must(after.photos.length >= before.photos.length, id, 'no photo of an order is lost');
    if (steps === 1 && line.by.role !== 'admin' && before.progress.status !== progress.status) {
      const step = `${before.progress.status} ${progress.status}`;
      must(BY_ITSELF.has(step), id, `only an admin moves an order from ${step.replace(' ', ' to ')}`);
    }
    must(
      !isWithdrawn(before) || !isMoved || line.by.role === 'admin',
      id,
      'a refunded order is planted by nobody',
    );
    must(!isHeld(before) || !isMoved, id, 'an order whose donor withdraws is planted by nobody');
  }

  function certificate(before: Order | undefined, after: Order) {
    const { id, certificate: issued } = after;
    const known = before?.certificate;
    must(!known || issued !== undefined, id, 'a certificate is not lost');
    if (!issued) return;
    const { versions, revoked, name } = issued;
    must(
      revoked !== undefined || isDeepStrictEqual(newestOf(issued).facts, factsOf(after)),
      id,
      'a valid certificate says what the order says, of planted trees',
    );
    must(!isErased(after.customer.email) || name === null, id, 'no certificate names an erased customer');
    must(
      known?.revoked?.cause !== 'admin' ||
        (revoked !== undefined && versions.length === known.versions.length),
      id,
      'what an admin revoked stays revoked',
    );
    must(
      (known?.versions ?? []).every((version, at) => version === versions[at]),
      id,
      'versions of a certificate are never rewritten',
    );
    must(new Set(versions.map(({ code }) => code)).size === versions.length, id, 'each version has its code');
  }

  function assignment(before: Assignment | undefined, after: Assignment) {
    const { id, confirmedRevision, statusRevision, photos, growth } = after;
    must(statusRevision >= confirmedRevision, id, 'own steps are on top of what orders decided');
    must(new Set(photos.map(({ photoId }) => photoId)).size === photos.length, id, 'a photo is kept once');
    if (!before) return;
    must(confirmedRevision >= before.confirmedRevision, id, 'an older revision of an order changes nothing');
    must(photos.length >= before.photos.length, id, 'no photo of an assignment is lost');
    must(growth.length >= before.growth.length, id, 'no photo package is lost');
    must(doneVisits(after) >= doneVisits(before), id, 'a visit that was made stays made');
  }

  return {
    record(table, before, after) {
      if (table === 'orders') order(before as Order | undefined, after as Order);
      if (table === 'assignments') assignment(before as Assignment | undefined, after as Assignment);
    },
    payments(payments, orderId) {
      const { paymentId, amountMinor } = now().bought.get(orderId)!;
      const back = refundedMinor(refundsOf(payments, paymentId));
      const state = payments.cards.get(paymentId)?.state;
      const paid = state?.status === 'mismatched' ? state.received.amountMinor : amountMinor;
      must(back <= paid, orderId, 'no more of a payment goes back than came in');
    },
  };
}

const BY_ITSELF = new Set(['pending assigned', 'assigned planted', 'planted completed', 'assigned pending']);
const doneVisits = ({ growth }: Assignment) =>
  growth.flatMap(({ visits }) => visits).filter(({ doneAt }) => doneAt !== undefined).length;

/** Entries keep their order; a transfer's announcement may be inserted before them, and names may be erased. */
function isHistoryKept(before: Order, after: Order): boolean {
  if (before.timeline.every((line, at) => line === after.timeline[at])) return true;
  const left = after.timeline.map(({ at, type }) => `${at} ${type}`);
  let from = 0;
  return before.timeline.every(({ at, type }) => {
    const found = left.indexOf(`${at} ${type}`, from);
    from = found + 1;
    return found >= 0;
  });
}

const refundsOf = ({ refunds }: PaymentRecords, paymentId: string) =>
  [...refunds.values()].filter(({ subjectId }) => subjectId === paymentId);

const statuses = (disputes: readonly { disputeId: string; status: string }[]) =>
  disputes.map(({ disputeId, status }) => `${disputeId} ${status}`).sort();

/** Checks once everything was delivered. @throws Violation */
export async function checkQuiet(product: Product, activity: Activity, simulator: Simulator): Promise<void> {
  const { payments, orders, assignments, mails, photos } = product;
  const fail = (rule: string, id: string, found: unknown): never => {
    throw new Violation(`${rule} (${id}): ${JSON.stringify(found)}`);
  };
  const same = (rule: string, id: string, [actual, expected]: readonly [unknown, unknown]) => {
    if (JSON.stringify(actual) !== JSON.stringify(expected)) fail(rule, id, { actual, expected });
  };
  const none = (rule: string, id: string, found: readonly unknown[]) => {
    if (found.length > 0) fail(rule, id, found);
  };
  const packagesOf = (orderId: string) =>
    [...payments.packages.values()].filter((one) => one.orderId === orderId);
  const roster = await assignments.roster();
  let plantedTrees = 0;
  let plantedInTheField = 0;

  function checkMoney(order: Order) {
    const { id: orderId } = order;
    const ids = (all: readonly { refundId: string }[]) => all.map(({ refundId }) => refundId).sort();
    for (const [id, known] of [
      [order.paymentId, order] as const,
      ...order.growth.map((purchase) => [purchase.purchaseId, purchase] as const),
    ]) {
      const refunds = refundsOf(payments, id).filter(({ status }) => status === 'succeeded');
      const disputes = [...payments.disputes.values()].filter(({ subjectId }) => subjectId === id);
      const lost = disputes.filter(({ status }) => status === 'lost');
      const lostMinor = lost.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
      const { amountMinor } = payments.packages.get(id) ?? activity.bought.get(orderId)!;
      same('orders knows the refunds and disputes of payments', id, [
        {
          refunds: ids(known.refunds),
          refundedMinor: known.refundedMinor,
          disputes: statuses(known.disputes),
          lostMinor: known.lostMinor,
          isGivenBack: known.isGivenBack,
        },
        {
          refunds: ids(refunds),
          refundedMinor: refundedMinor(refunds),
          disputes: statuses(disputes),
          lostMinor,
          isGivenBack: refundedMinor(refunds) + lostMinor >= amountMinor,
        },
      ]);
    }
    const hasFailed = (id: string) => refundsOf(payments, id).some(({ status }) => status === 'failed');
    const served = packagesOf(orderId).filter(
      ({ status, purchaseId }) => status === 'active' && !hasFailed(purchaseId),
    );
    if (isWithdrawn(order)) none('no package is kept of an order that nobody plants', orderId, served);
  }

  function checkField(order: Order, assignment: Assignment) {
    const { name, email } = order.customer;
    const { progress, steps, confirmedRevision, statusRevision, trees, customer } = assignment;
    same('assignments knows the order, and orders every step', order.id, [
      {
        status: progress.status,
        workerId: progress.worker?.workerId,
        revisions: [confirmedRevision, statusRevision],
        steps,
        trees,
        customer,
      },
      {
        status: isStopped(order) ? 'withdrawn' : order.progress.status,
        workerId: workerOf(order)?.workerId,
        revisions: [order.statusRevision, order.statusRevision],
        steps: [],
        trees: order.trees,
        customer: { name, email },
      },
    ]);
    if (isPlanted(order.progress.status)) plantedInTheField += trees;
    if (progress.status !== 'pending') return;
    const candidates = roster.filter(
      (one) => one.id !== assignment.takenFromWorkerId && hasRoom(one, assignment),
    );
    none('an order waits only while nobody has room', order.id, candidates);
  }

  function checkGrowth(order: Order, assignment: Assignment) {
    const { id } = order;
    const sold = packagesOf(id).filter(({ status }) => ['active', 'completed', 'stopped'].includes(status));
    const names = (all: readonly { purchaseId: string }[]) => all.map(({ purchaseId }) => purchaseId).sort();
    const rule = 'orders and assignments know the photo packages that were sold';
    same(rule, id, [
      [names(order.growth), names(assignment.growth)],
      [names(sold), names(sold)],
    ]);
    for (const { purchaseId, visits, stoppedAt } of assignment.growth) {
      const known = order.growth.find((one) => one.purchaseId === purchaseId)!;
      const { status } = payments.packages.get(purchaseId)!;
      same('orders knows the visits that were made', id, [
        known.visits.filter(({ completedAt }) => completedAt !== undefined).map(({ visitId }) => visitId),
        visits.filter(({ doneAt }) => doneAt !== undefined).map(({ visitId }) => visitId),
      ]);
      if (status !== 'completed')
        same('a package whose money went back is stopped everywhere', purchaseId, [
          [known.stoppedAt !== undefined, stoppedAt !== undefined],
          [status === 'stopped', status === 'stopped'],
        ]);
      const isOver = visits.every(({ doneAt }) => doneAt !== undefined);
      same('a photo package ends with its last visit', id, [
        [known.completedAt !== undefined, status === 'completed'],
        [isOver, isOver],
      ]);
    }
  }

  /** One email for each change of the money, and no other. */
  function checkMails(order: Order) {
    const { id } = order;
    const sent = mails.get(id) ?? [];
    const names = sent.map(({ mail }) => `${mail.kind} for ${mail.eventId}`);
    same('one mail for an event', id, [names, [...new Set(names)]]);
    const wrong = sent.filter(({ event }) => !isSo(event));
    none('no mail that payments does not confirm', id, wrong);
    const count = (kind: MailKind) => sent.filter(({ mail }) => mail.kind === kind).length;
    if (isErased(order.customer.email)) return;
    const begun = order.method.kind === 'card' ? 'receipt' : 'transfer-approved';
    same(`a donor gets one ${begun}`, id, [count(begun), isPaid(order) ? 1 : 0]);
    for (const [kind, type] of ONE_FOR_EACH)
      same(`a mail for each event: ${kind}`, id, [count(kind), simulator.published(id, type)]);
  }

  /** Whether the tables of payments confirm an event. Refunds may fail, and disputes go on, later. */
  function isSo({ type, data }: SentMail['event']): boolean {
    const transfer = payments.transfers.get(data.orderId)?.state.status;
    switch (type) {
      case 'order.created':
        return data.method.kind === 'card'
          ? payments.cards.get(activity.bought.get(data.orderId)!.paymentId)?.state.status === 'succeeded'
          : transfer === 'approved';
      case 'payment.submitted':
        return transfer !== undefined;
      case 'payment.rejected':
        return transfer === 'rejected';
      case 'payment.refunded':
        return payments.refunds.get(data.refundId)?.amountMinor === data.amountMinor;
      case 'payment.refund_failed':
        return payments.refunds.get(data.refundId)?.status === 'failed';
      case 'payment.disputed':
        return payments.disputes.get(data.disputeId)?.amountMinor === data.lostMinor;
      case 'photo_package.purchased':
        return payments.packages.get(data.purchaseId)?.transactionId === data.transactionId;
    }
  }

  function checkGift(order: Order) {
    const { id, gift } = order;
    const isWaiting = gift?.state === 'waiting' && gift.erasedAt === undefined;
    if (isWaiting && isPaid(order)) fail('no gift waits after its day', id, gift);
  }

  for (const purchase of activity.bought.values()) {
    const { orderId, paymentId } = purchase;
    const order = await orders.get(orderId);
    const assignment = await assignments.assignments.get(assignmentIdOf(orderId));
    const transfer = payments.transfers.get(orderId);
    const card = payments.cards.get(paymentId);
    const isSold = card?.state.status === 'succeeded' || transfer?.state.status === 'approved';
    same('there is an order for each payment, and none without', orderId, [
      order && isPaid(order),
      isSold || (transfer ? false : undefined),
    ]);
    if (!order) continue;
    const { name, email } = (card ?? transfer)!.purchase.customer;
    same('orders knows the payment, and payments the customer', orderId, [
      [order.paymentId, transfer && order.manualPayment?.verificationStatus, name, email],
      [paymentId, transfer?.state.status, order.customer.name, order.customer.email],
    ]);
    checkMails(order);
    checkGift(order);
    if (!assignment) return fail('an order has its assignment', orderId, 'none');
    if (!isPaid(order)) {
      const rule = 'nothing is planted for money that nobody has seen';
      same(rule, orderId, [assignment.progress.status, 'unpaid']);
      continue;
    }
    if (isPlanted(order.progress.status)) plantedTrees += order.trees;
    checkMoney(order);
    checkField(order, assignment);
    checkGrowth(order, assignment);
  }
  const stats = await readStats(orders, 0);
  same('the counter of planted trees is right', 'stats', [
    [stats.planted, plantedInTheField],
    [plantedTrees, plantedTrees],
  ]);

  for (const { _id: photoId, orderId } of activity.photos.values()) {
    const photo = await photos.get(photoId);
    const order = (await orders.get(orderId))!;
    const assignment = (await assignments.assignments.get(assignmentIdOf(orderId)))!;
    const inOrder = order.photos.filter((one) => one.photoId === photoId);
    const inField = assignment.photos.filter((one) => one.photoId === photoId);
    const isHidden = photo?.hidden !== undefined;
    same('a photo is ready, and once in its order and its assignment', photoId, [
      [
        photo?.state,
        inOrder.map(({ shown }) => shown?.hidden ?? false),
        inField.map((one) => one.isHidden ?? false),
      ],
      ['ready', [isHidden], [isHidden]],
    ]);
  }
  for (const { email, at } of activity.erasures) {
    const kept = await orders.ofCustomer(email, { limit: Infinity });
    const older = kept.filter(({ createdAt }) => createdAt <= at).map(({ id }) => id);
    none('an erased customer is in no order', email, older);
  }
}

/** One mail for each event of the type, unless the customer was erased. */
const ONE_FOR_EACH: readonly (readonly [MailKind, string])[] = [
  ['transfer-rejected', 'payment.rejected'],
  ['refunded', 'payment.refunded'],
  ['refund-failed', 'payment.refund_failed'],
  ['photo-package', 'photo_package.purchased'],
];
