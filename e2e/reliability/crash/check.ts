import type { Table } from '../../report/table.ts';
import type { Told } from './clients.ts';
import { concerns, type Kill } from './kills.ts';
import type { MailSeen, OrderSeen, Snapshot } from './snapshot.ts';

interface Verdict {
  table: Table;
  violations: string[];
}

/** Holds the snapshot to what clients were promised, and its stores to each other. Pure. */
export function check(snapshot: Snapshot, told: Told, kills: readonly Kill[]): Verdict {
  const { table, rows } = openTable();
  const repeated = repeatedMails(snapshot.mails, kills);
  rows('charges ↔ card orders', snapshot.charges.filter(isForTrees).length, chargeFaults(snapshot));
  rows('card payments told ↔ charges', told.paid.length, paidFaults(snapshot, told));
  rows('transfers ↔ orders', snapshot.transfers.length, transferFaults(snapshot, told));
  rows('photo packages ↔ charges', snapshot.purchases.length, packageFaults(snapshot, told));
  rows('refunds told ↔ refunds', told.refunds.length, refundFaults(snapshot, told));
  rows('legal histories', snapshot.orders.length, snapshot.orders.flatMap(historyFaults));
  rows('steps of workers kept', told.steps.length, stepFaults(snapshot, told));
  rows('photos accepted, kept and shown', told.photos.length, photoFaults(snapshot, told));
  rows('orders with one receipt', snapshot.orders.length, receiptFaults(snapshot.orders, snapshot.mails));
  rows('gifts delivered once', told.gifts.length, giftFaults(snapshot, told));
  rows(
    'accounts asked to verify',
    told.registered.length,
    registrationFaults(told.registered, snapshot.mails),
  );
  rows('mails, none twice', snapshot.mails.length, repeated.violations);
  rows('mails twice, confirmed to a process that died', repeated.excused, []);
  rows('copies of orders elsewhere', snapshot.orders.length, copyFaults(snapshot));
  const left = snapshot.leftovers.filter(({ count }) => count > 0);
  rows(
    'stores with nothing left over',
    snapshot.leftovers.length,
    left.map(({ what, count }) => `left: ${count} ${what}`),
  );
  rows('clients without a complaint', told.paid.length + told.transfers.length, told.complaints);
  return table();
}

function openTable() {
  const lines: [string, number, number][] = [];
  const violations: string[] = [];
  return {
    rows(what: string, count: number, faults: readonly string[]) {
      lines.push([what, count, faults.length]);
      violations.push(...faults);
    },
    table: (): Verdict => ({
      table: {
        title: 'What was compared',
        columns: ['what', 'count', 'violations'],
        rows: lines,
        isDetail: true,
      },
      violations,
    }),
  };
}

const isForTrees = (charge: Snapshot['charges'][number]) =>
  charge.status === 'succeeded' && charge.purchaseId === undefined;
const countBy = <T>(all: readonly T[], key: (one: T) => string | undefined): Map<string | undefined, T[]> =>
  Map.groupBy(all, key);

function chargeFaults(snapshot: Snapshot): string[] {
  const orders = countBy(snapshot.orders, (order) => order.transactionId);
  const charges = countBy(snapshot.charges.filter(isForTrees), (charge) => charge.intentId);
  const faults = [...charges].flatMap(([intentId, ofIntent]) => {
    const own = orders.get(intentId) ?? [];
    if (ofIntent.length !== 1) return [`intent ${intentId} was charged ${ofIntent.length} times`];
    if (own.length !== 1) return [`charge ${intentId} has ${own.length} orders`];
    const [order, charge] = [own[0]!, ofIntent[0]!];
    if (order.id !== charge.orderId)
      return [`charge ${intentId} names order ${charge.orderId}, not ${order.id}`];
    return order.amount === charge.amount
      ? []
      : [`order ${order.id} says ${order.amount}, charged ${charge.amount}`];
  });
  const unpaid = snapshot.orders.filter(
    (order) => order.kind === 'card' && !charges.has(order.transactionId),
  );
  return [...faults, ...unpaid.map((order) => `order ${order.id} was never charged`), ...idFaults(snapshot)];
}

const idFaults = (snapshot: Snapshot): string[] =>
  [...countBy(snapshot.orders, (order) => order.id)].flatMap(([id, all]) =>
    all.length === 1 ? [] : [`order ${id} is there ${all.length} times`],
  );

function paidFaults(snapshot: Snapshot, told: Told): string[] {
  const charged = new Set(snapshot.charges.filter(isForTrees).map((charge) => charge.intentId));
  return told.paid
    .filter(({ intentId }) => !charged.has(intentId))
    .map(({ orderId }) => `order ${orderId} was told to be paid, and is not`);
}

function transferFaults(snapshot: Snapshot, told: Told): string[] {
  const orders = countBy(snapshot.orders, (order) => order.id);
  const transfers = new Map(snapshot.transfers.map((transfer) => [transfer.orderId, transfer]));
  return [
    ...snapshot.transfers.flatMap(({ orderId, status, evidence, evidenceKept }) => {
      const own = orders.get(orderId) ?? [];
      if (own.length !== 1) return [`transfer ${orderId} has ${own.length} orders`];
      const faults =
        own[0]!.verification === status ? [] : [`transfer ${orderId} is ${status}, its order is not`];
      return evidence === evidenceKept ? faults : [...faults, `transfer ${orderId} lost evidence`];
    }),
    ...told.transfers.flatMap(({ orderId, decision }) => {
      const status = transfers.get(orderId)?.status;
      if (status === undefined) return [`transfer ${orderId} was taken, and is not there`];
      return decision === undefined || decision === status
        ? []
        : [`transfer ${orderId} was ${decision}, and is ${status}`];
    }),
    ...[
      ...countBy(
        snapshot.orders.filter((order) => order.kind === 'transfer'),
        (order) => order.id,
      ).keys(),
    ]
      .filter((id) => !transfers.has(id!))
      .map((id) => `order ${id} has no transfer`),
  ];
}

function packageFaults(snapshot: Snapshot, told: Told): string[] {
  const charged = countBy(
    snapshot.charges.filter((charge) => charge.purchaseId !== undefined && charge.status === 'succeeded'),
    (charge) => charge.intentId,
  );
  const purchases = countBy(snapshot.purchases, (purchase) => purchase.intentId);
  const orders = new Map(snapshot.orders.map((order) => [order.id, order]));
  return [
    ...[...charged].flatMap(([intentId, charges]) => {
      const own = purchases.get(intentId) ?? [];
      if (charges.length !== 1) return [`package ${intentId} was charged ${charges.length} times`];
      if (own.length !== 1) return [`package charge ${intentId} has ${own.length} purchases`];
      const { purchaseId, orderId } = own[0]!;
      const times = orders.get(orderId)?.purchases.filter((one) => one === purchaseId).length ?? 0;
      return times === 1 ? [] : [`order ${orderId} has its package ${purchaseId} ${times} times`];
    }),
    ...told.packages
      .filter(({ intentId }) => !charged.has(intentId))
      .map(({ orderId }) => `the package of order ${orderId} was told to be paid, and is not`),
  ];
}

function refundFaults(snapshot: Snapshot, told: Told): string[] {
  const orders = new Map(snapshot.orders.map((order) => [order.id, order]));
  const made = countBy(snapshot.refunds, (refund) => refund.refundId);
  return told.refunds.flatMap(({ orderId, refundId, amountMinor }) => {
    const own = made.get(refundId) ?? [];
    if (own.length !== 1 || own[0]!.amount !== amountMinor)
      return [`refund ${refundId} was made ${own.length} times`];
    const times = orders.get(orderId)?.refunds.filter((one) => one === refundId).length ?? 0;
    return times === 1 ? [] : [`order ${orderId} has refund ${refundId} ${times} times`];
  });
}

const REACHED: Record<string, readonly string[]> = {
  planted: ['planted', 'completed'],
  completed: ['completed'],
};

function stepFaults(snapshot: Snapshot, told: Told): string[] {
  const orders = new Map(snapshot.orders.map((order) => [order.id, order.status]));
  return told.steps.flatMap(({ orderId, status }) =>
    REACHED[status]!.includes(orders.get(orderId) ?? '')
      ? []
      : [`order ${orderId} was told to be ${status}, and is ${orders.get(orderId)}`],
  );
}

function photoFaults(snapshot: Snapshot, told: Told): string[] {
  const photos = countBy(snapshot.photos, (photo) => photo.filename);
  const orders = new Map(snapshot.orders.map((order) => [order.id, order.photos]));
  return told.photos.flatMap(({ filename, orderId, sha256 }) => {
    const own = photos.get(filename) ?? [];
    if (own.length !== 1) return [`photo ${filename} is there ${own.length} times`];
    const [photo] = own;
    if (photo!.originalSha256 !== sha256) return [`the original of photo ${filename} is not what was sent`];
    if (photo!.state !== 'ready' || photo!.shown !== 200)
      return [`photo ${filename} is not shown (${photo!.shown})`];
    const times = orders.get(orderId)?.filter((one) => one === filename).length ?? 0;
    return times === 1 ? [] : [`order ${orderId} has photo ${filename} ${times} times`];
  });
}

/** No event lost: who listens to an order knows of it, and as it is. */
function copyFaults(snapshot: Snapshot): string[] {
  const assigned = countBy(snapshot.assigned, (one) => one.orderId);
  const toldOf = new Set(snapshot.toldOf);
  return snapshot.orders.flatMap(({ id, status, verification }) => {
    const known = toldOf.has(id) ? [] : [`notifications never heard of order ${id}`];
    if (verification === 'rejected' || verification === 'pending') return known;
    const own = assigned.get(id) ?? [];
    if (own.length !== 1) return [...known, `order ${id} has ${own.length} assignments`];
    return own[0]!.status === status
      ? known
      : [...known, `order ${id} is ${status}, assigned as ${own[0]!.status}`];
  });
}

/** Product spec, section 4, stated independently of the code. In a run only workers move orders. */
const NEXT: Record<string, string> = { pending: 'assigned', assigned: 'planted', planted: 'completed' };

/** Faults in an order's history. */
function historyFaults(order: OrderSeen): string[] {
  const { history, status, revision, verification, id } = order;
  const faults: string[] = [];
  const fault = (what: string) => faults.push(`order ${id}: ${what}`);
  const count = (type: string) => history.filter((line) => line.type === type).length;

  let at = 'pending';
  const moves = history.filter((line) => line.type === 'status_changed');
  for (const { from, to } of moves) {
    if (from !== at) fault(`its history goes on from ${from} when it was ${at}`);
    if (to !== NEXT[from ?? '']) fault(`its history has an illegal step, ${from} to ${to}`);
    at = to ?? at;
  }
  if (at !== status) fault(`its history ends with ${at}, and it is ${status}`);
  if (revision !== moves.length) fault(`it has revision ${revision} after ${moves.length} steps`);
  const others = history.filter(({ type }) => type === 'overtaken' || type === 'reassigned');
  if (others.length > 0) fault(`its history has ${others.map(({ type }) => type).join(', ')}`);

  const paid = count('paid') + count('approved');
  if (verification === 'rejected') {
    if (count('rejected') !== 1) fault(`it was rejected ${count('rejected')} times`);
    if (paid > 0 || moves.length > 0) fault('it went on although its transfer was rejected');
    return faults;
  }
  if (verification === 'pending')
    return paid > 0 ? [...faults, `order ${id}: paid and not approved`] : faults;
  if (paid !== 1) fault(`its history says ${paid} times that it was paid`);
  if (count('created') !== 1) fault(`its history says ${count('created')} times that it was made`);
  return faults;
}

/** Beginnings of subjects in both languages. */
const RECEIPTS = {
  card: /^(Receipt for|Recibo de)/,
  approved: /^(Transfer approved|Transferencia aprobada)/,
  rejected: /^(We could not verify|No pudimos verificar)/,
};
const VERIFY = /^(Verify your email|Verifica tu correo)/;

/** Between a mail's being taken and its sender's death the server's clock and ours may differ by so much. */
const SLACK_MS = 1_000;
/** Emails that may be in flight when their sender dies. */
const IN_HAND = 4;

/**
 * A mail that came more than once though nobody died between its being taken and its being sent again. Its sender's
 * death is the one excuse: the confirmation died with it. One death excuses no more than can have been in hand.
 */
function repeatedMails(
  mails: readonly MailSeen[],
  kills: readonly Kill[],
): { violations: string[]; excused: number } {
  const deaths = kills
    .filter((kill) => concerns(kill, 'notifications'))
    .map((kill) => ({ at: kill.at, excuses: IN_HAND }));
  const violations: string[] = [];
  let excused = 0;
  for (const [messageId, copies] of Map.groupBy(mails, (mail) => mail.messageId)) {
    const sorted = copies.toSorted((a, b) => a.at - b.at);
    for (const [before, again] of sorted.slice(1).map((copy, index) => [sorted[index]!, copy] as const)) {
      const death = deaths.find(
        ({ at, excuses }) => excuses > 0 && at >= before.at - SLACK_MS && at <= again.at,
      );
      if (death) {
        death.excuses--;
        excused++;
      } else violations.push(`mail ${messageId} (${before.subject}) came twice though its sender lived`);
    }
  }
  return { violations, excused };
}

const distinct = (mails: readonly MailSeen[]): number => new Set(mails.map((mail) => mail.messageId)).size;

/** Each order's one receipt, whatever it is called. */
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
    const own =
      kind === 'rejected' ? (byAddress.get(email) ?? []) : (byToken.get(token) ?? []).map(({ mail }) => mail);
    const receipts = distinct(own.filter((mail) => RECEIPTS[kind].test(mail.subject)));
    return receipts === 1 ? [] : [`order ${id} (${kind}) has ${receipts} receipts`];
  });
}

const GIFT = /^(A gift from|Un regalo de)/;

/** Every gift reached its address in one email, and its order says so once. */
function giftFaults({ orders, mails }: Snapshot, told: Told): string[] {
  const histories = new Map(orders.map(({ id, history }) => [id, history]));
  const byAddress = Map.groupBy(
    mails.filter((mail) => GIFT.test(mail.subject)),
    (mail) => mail.to,
  );
  return told.gifts.flatMap(({ orderId, to }) => {
    const sent = distinct(byAddress.get(to) ?? []);
    const reported = histories.get(orderId)?.filter(({ type }) => type === 'gift_sent').length ?? 0;
    return sent === 1 && reported === 1
      ? []
      : [`the gift of order ${orderId} was sent ${sent} times, and its history says ${reported}`];
  });
}

/** Every new account is asked once to verify its address. */
const registrationFaults = (addresses: readonly string[], mails: readonly MailSeen[]): string[] => {
  const byAddress = Map.groupBy(
    mails.filter((mail) => VERIFY.test(mail.subject)),
    (mail) => mail.to,
  );
  return addresses.flatMap((address) => {
    const asked = distinct(byAddress.get(address) ?? []);
    return asked === 1 ? [] : [`${address} was asked ${asked} times to verify the address`];
  });
};
