import type { Kill } from '../supervisor.ts';
import { concerns } from './kills.ts';
import type { Promises } from './people.ts';
import type { Charge, MailSeen, OrderSeen, Snapshot } from './snapshot.ts';

/** Compares the stores with the promises, and with each other. @returns a sentence for each fault */
export function check(snapshot: Snapshot, promises: Promises, kills: readonly Kill[]): string[] {
  const { orders, mails, leftovers } = snapshot;
  return [
    ...chargeFaults(
      snapshot,
      promises.paid.map(({ intentId }) => intentId),
    ),
    ...transferFaults(snapshot, promises),
    ...packageFaults(snapshot, promises),
    ...refundFaults(snapshot, promises),
    ...orders.flatMap(historyFaults),
    ...stepFaults(snapshot, promises),
    ...photoFaults(snapshot, promises),
    ...receiptFaults(orders, mails),
    ...giftFaults(snapshot, promises),
    ...registrationFaults(mails, promises),
    ...repeatedMails(mails, kills),
    ...copyFaults(snapshot),
    ...leftovers.flatMap(({ what, count }) => (count > 0 ? [`left: ${count} ${what}`] : [])),
    ...promises.complaints,
  ];
}

const byId = (orders: readonly OrderSeen[]) => new Map(orders.map((order) => [order.id, order]));
const times = (all: readonly string[] | undefined, wanted: string): number =>
  all?.filter((one) => one === wanted).length ?? 0;

interface Sales {
  charges: readonly Charge[];
  orders: readonly Pick<OrderSeen, 'id' | 'kind' | 'transactionId' | 'amount'>[];
}

/** Each charge has its order, each order by card its charge. @param paid intents whose buyers saw a success */
export function chargeFaults({ orders, charges }: Sales, paid: readonly string[]): string[] {
  const forTrees = charges.filter(({ purchaseId }) => purchaseId === undefined);
  const ordersOf = Map.groupBy(orders, (order) => order.transactionId);
  const charged = Map.groupBy(forTrees, (charge) => charge.intentId);
  return [
    ...[...charged].flatMap(([intentId, [charge, ...more]]) => {
      const [order, ...others] = ordersOf.get(intentId) ?? [];
      if (more.length > 0) return [`intent ${intentId} was charged ${more.length + 1} times`];
      if (!order || others.length > 0)
        return [`charge ${intentId} has ${order ? others.length + 1 : 0} orders`];
      if (order.id !== charge!.orderId)
        return [`charge ${intentId} names order ${charge!.orderId}, not ${order.id}`];
      return order.amount === charge!.amount
        ? []
        : [`order ${order.id} says ${order.amount}, charged ${charge!.amount}`];
    }),
    ...orders
      .filter(({ kind, transactionId }) => kind === 'card' && !charged.has(transactionId ?? ''))
      .map(({ id }) => `order ${id} was never charged`),
    ...paid.filter((id) => !charged.has(id)).map((id) => `intent ${id} was said to be paid, and is not`),
  ];
}

function transferFaults({ orders, transfers }: Snapshot, promises: Promises): string[] {
  const ordersOf = Map.groupBy(orders, (order) => order.id);
  const statusOf = new Map(transfers.map(({ orderId, status }) => [orderId, status]));
  return [
    ...transfers.flatMap(({ orderId, status, evidence, evidenceKept }) => {
      const own = ordersOf.get(orderId) ?? [];
      if (own.length !== 1) return [`transfer ${orderId} has ${own.length} orders`];
      return [
        ...(own[0]!.verification === status ? [] : [`transfer ${orderId} is ${status}, its order is not`]),
        ...(evidence === evidenceKept ? [] : [`transfer ${orderId} lost evidence`]),
      ];
    }),
    ...promises.transfers.flatMap(({ orderId, decision }) => {
      const status = statusOf.get(orderId);
      if (status === undefined) return [`transfer ${orderId} was taken, and is not there`];
      return decision === undefined || decision === status
        ? []
        : [`transfer ${orderId} was ${decision}, and is ${status}`];
    }),
    ...orders
      .filter(({ id, kind }) => kind === 'transfer' && !statusOf.has(id))
      .map(({ id }) => `order ${id} has no transfer`),
  ];
}

function packageFaults({ charges, purchases, orders }: Snapshot, promises: Promises): string[] {
  const known = byId(orders);
  const charged = Map.groupBy(
    charges.filter(({ purchaseId }) => purchaseId !== undefined),
    ({ intentId }) => intentId,
  );
  const purchasesOf = Map.groupBy(purchases, ({ intentId }) => intentId);
  return [
    ...[...charged].flatMap(([intentId, all]) => {
      const own = purchasesOf.get(intentId) ?? [];
      if (all.length !== 1) return [`package ${intentId} was charged ${all.length} times`];
      if (own.length !== 1) return [`package charge ${intentId} has ${own.length} purchases`];
      const { purchaseId, orderId } = own[0]!;
      const count = times(known.get(orderId)?.purchases, purchaseId);
      return count === 1 ? [] : [`order ${orderId} has its package ${purchaseId} ${count} times`];
    }),
    ...promises.packages
      .filter(({ intentId }) => !charged.has(intentId))
      .map(({ orderId }) => `the package of order ${orderId} was said to be paid, and is not`),
  ];
}

function refundFaults({ orders, refunds }: Snapshot, promises: Promises): string[] {
  const known = byId(orders);
  return promises.refunds.flatMap(({ orderId, refundId, amountMinor }) => {
    const own = refunds.filter((refund) => refund.refundId === refundId);
    if (own.length !== 1 || own[0]!.amount !== amountMinor)
      return [`refund ${refundId} was made ${own.length} times`];
    const count = times(known.get(orderId)?.refunds, refundId);
    return count === 1 ? [] : [`order ${orderId} has refund ${refundId} ${count} times`];
  });
}

const REACHED = { planted: ['planted', 'completed'], completed: ['completed'] };

function stepFaults({ orders }: Snapshot, promises: Promises): string[] {
  const known = byId(orders);
  return promises.steps.flatMap(({ orderId, status: promised }) => {
    const status = known.get(orderId)?.status ?? 'not there';
    return REACHED[promised].includes(status)
      ? []
      : [`order ${orderId} was said to be ${promised}, and is ${status}`];
  });
}

function photoFaults({ orders, photos }: Snapshot, promises: Promises): string[] {
  const known = byId(orders);
  const photoOf = new Map(photos.map((photo) => [photo.filename, photo]));
  return promises.photos.flatMap(({ filename, orderId, sha256 }) => {
    const { originalSha256, shown } = photoOf.get(filename)!;
    if (originalSha256 !== sha256) return [`the original of photo ${filename} is not what was sent`];
    if (shown !== 200) return [`photo ${filename} is not shown (${shown})`];
    const count = times(known.get(orderId)?.photos, filename);
    return count === 1 ? [] : [`order ${orderId} has photo ${filename} ${count} times`];
  });
}

/** No event is lost: assignments and notifications know each order. */
function copyFaults({ orders, assigned, notified }: Snapshot): string[] {
  const assignments = Map.groupBy(assigned, (one) => one.orderId);
  const known = new Set(notified);
  return orders.flatMap(({ id, status, verification }) => {
    const faults = known.has(id) ? [] : [`notifications never received order ${id}`];
    if (verification === 'rejected' || verification === 'pending') return faults;
    const own = assignments.get(id) ?? [];
    if (own.length !== 1) return [...faults, `order ${id} has ${own.length} assignments`];
    return own[0]!.status === status
      ? faults
      : [...faults, `order ${id} is ${status}, assigned as ${own[0]!.status}`];
  });
}

/** Product spec, section 4, stated independently of the code. Only workers move orders here. */
const NEXT: Record<string, string> = { pending: 'assigned', assigned: 'planted', planted: 'completed' };

function historyFaults({ id, history, status, revision, verification }: OrderSeen): string[] {
  const faults: string[] = [];
  const must = (isTrue: boolean, what: string) => {
    if (!isTrue) faults.push(`order ${id}: ${what}`);
  };
  const count = (type: string) => history.filter((line) => line.type === type).length;

  let at = 'pending';
  const moves = history.filter((line) => line.type === 'status_changed');
  for (const { from = '', to = '' } of moves) {
    must(from === at, `its history goes on from ${from} when it was ${at}`);
    must(to === NEXT[from], `its history has an illegal step, ${from} to ${to}`);
    at = to;
  }
  must(at === status, `its history ends with ${at}, and it is ${status}`);
  must(revision === moves.length, `it has revision ${revision} after ${moves.length} steps`);
  must(count('overtaken') + count('reassigned') === 0, 'its history has somebody else’s step');

  const paid = count('paid') + count('approved');
  if (verification === 'rejected') {
    must(count('rejected') === 1, `it was rejected ${count('rejected')} times`);
    must(paid === 0 && moves.length === 0, 'it went on although its transfer was rejected');
  } else if (verification === 'pending') must(paid === 0, 'paid and not approved');
  else {
    must(paid === 1, `its history says ${paid} times that it was paid`);
    must(count('created') === 1, `its history says ${count('created')} times that it was made`);
  }
  return faults;
}

/** The clock of the mail server may differ from ours by this much. */
const SLACK_MS = 1_000;
/** Emails that may be in flight when their sender dies. */
const IN_FLIGHT = 4;

/**
 * Emails that came more than once while their sender lived. A kill in between is the only excuse, because the server's confirmation was
 * lost with it. One kill excuses at most the emails that were in flight.
 */
function repeatedMails(mails: readonly MailSeen[], kills: readonly Kill[]): string[] {
  const deaths = kills
    .filter((kill) => concerns(kill, 'notifications'))
    .map(({ at }) => ({ at, excuses: IN_FLIGHT }));
  return [...Map.groupBy(mails, ({ messageId }) => messageId)].flatMap(([messageId, copies]) => {
    const sorted = copies.toSorted((a, b) => a.at - b.at);
    return sorted.slice(1).flatMap((again, index) => {
      const before = sorted[index]!;
      const death = deaths.find(
        ({ at, excuses }) => excuses > 0 && at >= before.at - SLACK_MS && at <= again.at,
      );
      if (!death) return [`mail ${messageId} (${before.subject}) came twice though its sender lived`];
      death.excuses--;
      return [];
    });
  });
}

const distinct = (mails: readonly MailSeen[] | undefined, subject: RegExp): number =>
  new Set(mails?.filter((mail) => subject.test(mail.subject)).map(({ messageId }) => messageId)).size;

/** Beginnings of subjects in both languages. */
const RECEIPTS = {
  card: /^(Receipt for|Recibo de)/,
  approved: /^(Transfer approved|Transferencia aprobada)/,
  rejected: /^(We could not verify|No pudimos verificar)/,
};
const VERIFY = /^(Verify your email|Verifica tu correo)/;
const GIFT = /^(A gift from|Un regalo de)/;

/** Each order has one receipt. */
function receiptFaults(orders: readonly OrderSeen[], mails: readonly MailSeen[]): string[] {
  const byToken = Map.groupBy(
    mails.flatMap((mail) => mail.orderTokens.map((token) => ({ token, mail }))),
    ({ token }) => token,
  );
  // Rejections link to the checkout instead of an order. Each rejected visitor has their own address.
  const byAddress = Map.groupBy(mails, (mail) => mail.to);
  return orders.flatMap(({ id, token, email, kind: paidBy, verification }) => {
    const kind = paidBy === 'card' ? paidBy : verification;
    if (kind !== 'card' && kind !== 'approved' && kind !== 'rejected') return [];
    const own = kind === 'rejected' ? byAddress.get(email) : byToken.get(token)?.map(({ mail }) => mail);
    const receipts = distinct(own, RECEIPTS[kind]);
    return receipts === 1 ? [] : [`order ${id} (${kind}) has ${receipts} receipts`];
  });
}

/** Every gift reached its address in one email, and its order says so once. */
function giftFaults({ orders, mails }: Snapshot, promises: Promises): string[] {
  const known = byId(orders);
  const byAddress = Map.groupBy(mails, (mail) => mail.to);
  return promises.gifts.flatMap(({ orderId, to }) => {
    const sent = distinct(byAddress.get(to), GIFT);
    const reported = known.get(orderId)?.history.filter(({ type }) => type === 'gift_sent').length ?? 0;
    return sent === 1 && reported === 1
      ? []
      : [`the gift of order ${orderId} was sent ${sent} times, and its history says ${reported}`];
  });
}

/** Every new account is asked once to verify its address. */
function registrationFaults(mails: readonly MailSeen[], { registered }: Promises): string[] {
  const byAddress = Map.groupBy(mails, (mail) => mail.to);
  return registered.flatMap((address) => {
    const asked = distinct(byAddress.get(address), VERIFY);
    return asked === 1 ? [] : [`${address} was asked ${asked} times to verify the address`];
  });
}
