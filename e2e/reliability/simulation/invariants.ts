import type { Assignment } from '@arboleda/assignments/assignment/assignment.ts';
import { assignmentIdOf } from '@arboleda/assignments/assignment/assignment.ts';
import { hasRoom } from '@arboleda/assignments/workers/worker.ts';
import { isErased, isPlanted } from '@arboleda/contracts/order.ts';
import { factsOf, newestOf } from '@arboleda/orders/certificates/certificate.ts';
import { readStats } from '@arboleda/orders/figures/figures.ts';
import { isHeld, isPaid, isStopped, isWithdrawn, type Order, workerOf } from '@arboleda/orders/order.ts';
import { refundedMinor } from '@arboleda/payments/refunds/refund.ts';
import type { MailKind } from '@arboleda/notifications/mails/index.ts';
import { isDeepStrictEqual } from 'node:util';
import type { Activity } from './actors.ts';
import type { Payments } from './payments.ts';
import type { Product, Watches } from './services.ts';
import { Violation, type Simulator } from './simulator.ts';

/** Checks after every write, of the written record. */
export function watches(
  simulator: Simulator,
  now: () => { bought: Activity['bought']; payments: Payments },
): Watches {
  const must = (isTrue: boolean, id: string, rule: string) => {
    if (!isTrue) simulator.fail(new Violation(`${rule} (${id})`));
  };

  function order(before: Order | undefined, after: Order) {
    const { _id: id, progress, statusRevision, timeline, refunds } = after;
    // A step may change the certificate as well, in a line of its own.
    const line = timeline.findLast(({ type }) => !type.startsWith('certificate_'))!;
    const { bought, payments } = now();
    const amountMinor = bought.get(id)?.amountMinor ?? 0;
    // A bank may have returned a refund, and orders does not know it yet.
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
      'what was given back is planted by nobody',
    );
    must(!isHeld(before) || !isMoved, id, 'what its donor withdraws from is planted by nobody');
  }

  function certificate(before: Order | undefined, after: Order) {
    const { _id: id, certificate: issued } = after;
    const known = before?.certificate;
    must(!known || issued !== undefined, id, 'a certificate is not lost');
    if (!issued) return;
    const { versions, revoked, name } = issued;
    must(
      revoked !== undefined || isDeepStrictEqual(newestOf(issued).facts, factsOf(after)),
      id,
      'a valid certificate says what the order says, of planted trees',
    );
    must(!isErased(after.customer.email) || name === null, id, 'no certificate names who was forgotten');
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
    const { _id: id, confirmedRevision, statusRevision, photos, growth } = after;
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

const refundsOf = ({ refunds }: Payments, paymentId: string) =>
  [...refunds.values()].filter(({ subjectId }) => subjectId === paymentId);

const statuses = (disputes: readonly { disputeId: string; status: string }[]) =>
  disputes.map(({ disputeId, status }) => `${disputeId} ${status}`).sort();

/** Checks once everything was delivered. @throws Violation */
export async function checkQuiet(product: Product, activity: Activity, simulator: Simulator): Promise<void> {
  const { payments, orders, assignments, mail, photos } = product;
  const fail = (rule: string, id: string, found: unknown): never => {
    throw new Violation(`${rule} (${id}): ${JSON.stringify(found)}`);
  };
  const same = (rule: string, id: string, actual: unknown, expected: unknown) => {
    if (JSON.stringify(actual) !== JSON.stringify(expected)) fail(rule, id, { actual, expected });
  };
  const roster = await assignments.roster();
  const mailsOf = Map.groupBy(mail.mails.values(), ({ orderId }) => orderId);
  let plantedTrees = 0;
  let plantedInTheField = 0;

  function checkMoney(order: Order) {
    const ids = (all: readonly { refundId: string }[]) => all.map(({ refundId }) => refundId).sort();
    for (const [id, money] of [
      [order.paymentId, order] as const,
      ...order.growth.map((purchase) => [purchase.purchaseId, purchase] as const),
    ]) {
      const refunds = refundsOf(payments, id).filter(({ status }) => status === 'succeeded');
      const disputes = [...payments.disputes.values()].filter(({ subjectId }) => subjectId === id);
      const lost = disputes.filter(({ status }) => status === 'lost');
      const sumOf = (all: readonly { amountMinor: number }[]) =>
        all.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
      const { amountMinor } = payments.packages.get(id) ?? activity.bought.get(order._id)!;
      same('orders knows the refunds of payments', id, ids(money.refunds), ids(refunds));
      same('orders knows how much was given back', id, money.refundedMinor, refundedMinor(refunds));
      same('orders knows how disputes stand', id, statuses(money.disputes), statuses(disputes));
      same('orders knows how much was lost in disputes', id, money.lostMinor, sumOf(lost));
      same(
        'orders knows whether all money went back',
        id,
        money.isGivenBack,
        refundedMinor(refunds) + sumOf(lost) >= amountMinor,
      );
    }
    const hasFailed = (id: string) => refundsOf(payments, id).some(({ status }) => status === 'failed');
    const served = [...payments.packages.values()].filter(
      (one) => one.orderId === order._id && one.status === 'active' && !hasFailed(one.purchaseId),
    );
    if (isWithdrawn(order)) same('no package is kept of an order that nobody plants', order._id, served, []);
  }

  function checkField(order: Order, assignment: Assignment) {
    const { _id: id, statusRevision, trees } = order;
    const { progress, steps, confirmedRevision } = assignment;
    const status = isStopped(order) ? 'withdrawn' : order.progress.status;
    same('assignments has the status of the order', id, progress.status, status);
    same('an order has one worker', id, progress.worker?.workerId, workerOf(order)?.workerId);
    same(
      'assignments has the revision of the order',
      id,
      [confirmedRevision, assignment.statusRevision],
      [statusRevision, statusRevision],
    );
    same('orders has heard of every step', id, steps, []);
    same('assignments has the trees of the order', id, assignment.trees, trees);
    const { name, email } = order.customer;
    same('assignments has the customer of the order', id, assignment.customer, { name, email });
    if (isPlanted(order.progress.status)) plantedInTheField += assignment.trees;
    if (progress.status !== 'pending') return;
    const candidates = roster.filter(
      (one) => one._id !== assignment.takenFromWorkerId && hasRoom(one, assignment),
    );
    if (candidates.length > 0) fail('an order waits only while nobody has room', id, candidates);
  }

  function checkGrowth(order: Order, assignment: Assignment) {
    const { _id: id } = order;
    const sold = [...payments.packages.values()].filter(
      ({ orderId, status }) => orderId === id && ['active', 'completed', 'stopped'].includes(status),
    );
    const names = (all: readonly { purchaseId: string }[]) => all.map(({ purchaseId }) => purchaseId).sort();
    same('orders knows the photo packages that were sold', id, names(order.growth), names(sold));
    same('assignments knows the photo packages that were sold', id, names(assignment.growth), names(sold));
    for (const { purchaseId, visits, stoppedAt } of assignment.growth) {
      const isStopped = stoppedAt !== undefined;
      const known = order.growth.find((one) => one.purchaseId === purchaseId)!;
      const done = (all: readonly { visitId: string; doneAt?: string | undefined }[]) =>
        all.filter(({ doneAt }) => doneAt !== undefined).map(({ visitId }) => visitId);
      const seen = known.visits.map(({ visitId, completedAt }) => ({ visitId, doneAt: completedAt }));
      same('orders knows the visits that were made', id, done(seen), done(visits));
      const isOver = visits.every(({ doneAt }) => doneAt !== undefined);
      const { status } = payments.packages.get(purchaseId)!;
      if (status !== 'completed')
        same(
          'a package whose money went back is stopped everywhere',
          purchaseId,
          [known.stoppedAt !== undefined, isStopped],
          [status === 'stopped', status === 'stopped'],
        );
      same(
        'a photo package ends with its last visit',
        id,
        [known.completedAt !== undefined, status === 'completed'],
        [isOver, isOver],
      );
    }
  }

  function checkMails(order: Order) {
    const { _id: id } = order;
    const all = mailsOf.get(id) ?? [];
    // Friends who claimed a gift get emails about the same events as its buyer, also under no address once erased.
    const about = all.filter(({ address, toGiftRecipient }) => !toGiftRecipient && !isOfFriend(address));
    const listed = (mails: typeof about) =>
      mails.map(({ kind, address, eventId }) => `${kind} to ${address} for ${eventId}`);
    const count = (kind: MailKind) => about.filter((one) => one.kind === kind).length;
    const told = (type: string) => simulator.published(id, type);
    const waiting = all.filter(({ sentAt, droppedAt }) => sentAt === undefined && droppedAt === undefined);
    same('no mail waits for ever', id, listed(waiting), []);
    const names = all.map((one) => `${one.eventId} ${one.kind} ${one.address} ${one.toGiftRecipient}`);
    same('one mail for an event and a recipient', id, new Set(names).size, names.length);
    for (const [kind, type] of ONCE_AT_MOST) {
      if (count(kind) > told(type)) fail(`no more mails than events: ${kind}`, id, listed(about));
    }
    for (const kind of ['planted', 'completed'] as const) {
      if (count(kind) > 1) fail(`a donor hears once that trees are ${kind}`, id, listed(about));
    }
    if (isErased(order.customer.email)) {
      const others = about.filter(
        ({ kind, address }) =>
          !kind.startsWith('worker') && kind !== 'growth-visit-due' && !isErased(address),
      );
      same('nobody is mailed who was forgotten', id, listed(others), []);
      return;
    }
    for (const [kind, type] of EXACTLY) same(`a mail for each event: ${kind}`, id, count(kind), told(type));
    const begun = order.method.kind === 'card' ? 'receipt' : 'transfer-approved';
    same(`a donor gets one ${begun}`, id, count(begun), isPaid(order) ? 1 : 0);
  }

  function checkGift(order: Order) {
    const { _id: id, gift, timeline } = order;
    if (!gift) return;
    const kept = mail.gifts.get(id);
    const sent = (mailsOf.get(id) ?? []).filter((one) => one.kind === 'gift' && one.sentAt !== undefined);
    const again = timeline.filter(({ type }) => type === 'gift_sent_again').length;
    for (const [address, mails] of Map.groupBy(sent, (one) => one.address))
      if (mails.length > 1 + again) fail('a gift is sent once to an address', id, { address, mails });
    if (!isPaid(order)) {
      same('no gift is sent that nobody paid for', id, sent, []);
      return;
    }
    same('notifications has the newest revision of a gift', id, kept?.revision, gift.revision);
    if (gift.erasedAt !== undefined || gift.state === 'cancelled') {
      same(
        'notifications forgets who a gift was for',
        id,
        [kept?.recipient_email, kept?.message],
        [null, null],
      );
      return;
    }
    if (gift.state === 'waiting') fail('no gift waits after its day', id, { gift, kept });
    const isByHand = gift.recipientEmail === null;
    if (gift.state === 'sent' && !isByHand && sent.length === 0) fail('a gift that was sent went', id, kept);
    same('orders knows what became of a gift', id, kept?.state === 'refused', gift.state === 'refused');
  }

  for (const purchase of activity.bought.values()) {
    const { orderId, paymentId } = purchase;
    const order = await orders.get(orderId);
    const assignment = await assignments.assignments.get(assignmentIdOf(orderId));
    const transfer = payments.transfers.get(orderId);
    const card = payments.cards.get(paymentId);
    const isSold = card?.state.status === 'succeeded' || transfer?.state.status === 'approved';
    same(
      'there is an order for each payment, and none without',
      orderId,
      order && isPaid(order),
      isSold || (transfer ? false : undefined),
    );
    if (!order) continue;
    same('an order knows its payment', orderId, order.paymentId, paymentId);
    if (transfer)
      same(
        'orders knows what became of a transfer',
        orderId,
        order.manualPayment?.verificationStatus,
        transfer.state.status,
      );
    const { name, email } = (card ?? transfer)!.purchase.customer;
    same(
      'payments has the customer of the order',
      orderId,
      [name, email],
      [order.customer.name, order.customer.email],
    );
    checkMails(order);
    checkGift(order);
    if (!assignment) return fail('an order has its assignment', orderId, 'none');
    if (!isPaid(order)) {
      same(
        'nothing is planted for money that nobody has seen',
        orderId,
        assignment.progress.status,
        'unpaid',
      );
      continue;
    }
    if (isPlanted(order.progress.status)) plantedTrees += order.trees;
    checkMoney(order);
    checkField(order, assignment);
    checkGrowth(order, assignment);
  }
  const stats = await readStats(orders, 0);
  same(
    'the counter of planted trees is right',
    'stats',
    [stats.planted, plantedInTheField],
    [plantedTrees, plantedTrees],
  );

  for (const { _id: photoId, orderId, growthVisitId } of activity.photos.values()) {
    const photo = await photos.get(photoId);
    const order = (await orders.get(orderId))!;
    const assignment = (await assignments.assignments.get(assignmentIdOf(orderId)))!;
    const inOrder = order.photos.filter((one) => one.photoId === photoId);
    const inField = assignment.photos.filter((one) => one.photoId === photoId);
    const isHidden = photo?.hidden !== undefined;
    same('a photo is made visible', photoId, photo?.state, 'ready');
    same(
      'an order has the photo once',
      photoId,
      inOrder.map(({ shown }) => shown?.hidden ?? false),
      [isHidden],
    );
    same(
      'an assignment has the photo once',
      photoId,
      inField.map((one) => one.isHidden ?? false),
      [isHidden],
    );
    const told = mail.photos.get(photoId);
    if (growthVisitId === undefined && !isHidden && told?.told_by === null)
      fail('a donor hears of each photo', photoId, told);
  }
  for (const { email, at } of activity.erasures) {
    const kept = (await orders.ofCustomer(email, { limit: Infinity })).filter(
      ({ createdAt }) => createdAt <= at,
    );
    same(
      'who asked to be forgotten is forgotten',
      email,
      kept.map(({ _id }) => _id),
      [],
    );
  }
}

const isOfFriend = (address: string): boolean => /^(friend|other)\d/.test(address);

/** One mail for each event of the type, unless the customer was erased. */
const EXACTLY: readonly (readonly [MailKind, string])[] = [
  ['transfer-rejected', 'payment.rejected'],
  ['refunded', 'payment.refunded'],
  ['refund-failed', 'payment.refund_failed'],
  ['photo-package', 'photo_package.purchased'],
  ['growth-update', 'growth_visit.completed'],
  ['certificate-revoked', 'certificate.revoked'],
  ['withdrawal-requested', 'order.withdrawal_requested'],
  ['withdrawal-retracted', 'order.withdrawal_retracted'],
];
/** At most one mail for each event of the type: late events are not mailed. */
const ONCE_AT_MOST: readonly (readonly [MailKind, string])[] = [
  ['receipt', 'order.created'],
  ['transfer-received', 'payment.submitted'],
  ['transfer-approved', 'order.created'],
  ['assigned', 'order.assigned'],
  ['worker-assigned', 'order.assigned'],
  ['growth-visit-due', 'growth_visit.due'],
  ['dispute-lost', 'payment.disputed'],
  ['certificate', 'certificate.issued'],
  ...EXACTLY,
];
