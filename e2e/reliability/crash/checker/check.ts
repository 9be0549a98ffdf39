import type { Told } from '../clients/told.ts';
import type { Table } from '../../../report/table.ts';
import type { Kill } from '../processes/kills.ts';
import { historyFaults } from './history.ts';
import { receiptFaults, registrationFaults, repeatedMails } from './mails.ts';
import type { World } from './world.ts';

export interface Verdict {
  table: Table;
  violations: string[];
}

/** Holds the world to what clients were promised, and its stores to each other. Pure. */
export function check(world: World, told: Told, kills: readonly Kill[]): Verdict {
  const { table, rows } = openTable();
  const repeated = repeatedMails(world.mails, kills);
  rows('charges ↔ card orders', world.charges.filter(isForTrees).length, chargeFaults(world));
  rows('card payments told ↔ charges', told.paid.length, paidFaults(world, told));
  rows('transfers ↔ orders', world.transfers.length, transferFaults(world, told));
  rows('photo packages ↔ charges', world.purchases.length, packageFaults(world, told));
  rows('refunds told ↔ refunds', told.refunds.length, refundFaults(world, told));
  rows('legal histories', world.orders.length, world.orders.flatMap(historyFaults));
  rows('steps of workers kept', told.steps.length, stepFaults(world, told));
  rows('photos accepted, kept and shown', told.photos.length, photoFaults(world, told));
  rows('orders with one receipt', world.orders.length, receiptFaults(world.orders, world.mails));
  rows('accounts asked to verify', told.registered.length, registrationFaults(told.registered, world.mails));
  rows('mails, none twice', world.mails.length, repeated.violations);
  rows('mails twice, confirmed to a process that died', repeated.excused, []);
  rows('copies of orders elsewhere', world.orders.length, copyFaults(world));
  const left = world.leftovers.filter(({ count }) => count > 0);
  rows(
    'stores with nothing left over',
    world.leftovers.length,
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
        title: 'What the checker held against each other',
        columns: ['what', 'count', 'violations'],
        rows: lines,
      },
      violations,
    }),
  };
}

const isForTrees = (charge: World['charges'][number]) =>
  charge.status === 'succeeded' && charge.purchaseId === undefined;
const countBy = <T>(all: readonly T[], key: (one: T) => string | undefined): Map<string | undefined, T[]> =>
  Map.groupBy(all, key);

function chargeFaults(world: World): string[] {
  const orders = countBy(world.orders, (order) => order.transactionId);
  const charges = countBy(world.charges.filter(isForTrees), (charge) => charge.intentId);
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
  const unpaid = world.orders.filter((order) => order.kind === 'card' && !charges.has(order.transactionId));
  return [...faults, ...unpaid.map((order) => `order ${order.id} was never charged`), ...idFaults(world)];
}

const idFaults = (world: World): string[] =>
  [...countBy(world.orders, (order) => order.id)].flatMap(([id, all]) =>
    all.length === 1 ? [] : [`order ${id} is there ${all.length} times`],
  );

function paidFaults(world: World, told: Told): string[] {
  const charged = new Set(world.charges.filter(isForTrees).map((charge) => charge.intentId));
  return told.paid
    .filter(({ intentId }) => !charged.has(intentId))
    .map(({ orderId }) => `order ${orderId} was told to be paid, and is not`);
}

function transferFaults(world: World, told: Told): string[] {
  const orders = countBy(world.orders, (order) => order.id);
  const transfers = new Map(world.transfers.map((transfer) => [transfer.orderId, transfer]));
  return [
    ...world.transfers.flatMap(({ orderId, status, evidence, evidenceKept }) => {
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
        world.orders.filter((order) => order.kind === 'transfer'),
        (order) => order.id,
      ).keys(),
    ]
      .filter((id) => !transfers.has(id!))
      .map((id) => `order ${id} has no transfer`),
  ];
}

function packageFaults(world: World, told: Told): string[] {
  const charged = countBy(
    world.charges.filter((charge) => charge.purchaseId !== undefined && charge.status === 'succeeded'),
    (charge) => charge.intentId,
  );
  const purchases = countBy(world.purchases, (purchase) => purchase.intentId);
  const orders = new Map(world.orders.map((order) => [order.id, order]));
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

function refundFaults(world: World, told: Told): string[] {
  const orders = new Map(world.orders.map((order) => [order.id, order]));
  const made = countBy(world.refunds, (refund) => refund.refundId);
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

function stepFaults(world: World, told: Told): string[] {
  const orders = new Map(world.orders.map((order) => [order.id, order.status]));
  return told.steps.flatMap(({ orderId, status }) =>
    REACHED[status]!.includes(orders.get(orderId) ?? '')
      ? []
      : [`order ${orderId} was told to be ${status}, and is ${orders.get(orderId)}`],
  );
}

function photoFaults(world: World, told: Told): string[] {
  const photos = countBy(world.photos, (photo) => photo.filename);
  const orders = new Map(world.orders.map((order) => [order.id, order.photos]));
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
function copyFaults(world: World): string[] {
  const assigned = countBy(world.assigned, (one) => one.orderId);
  const toldOf = new Set(world.toldOf);
  return world.orders.flatMap(({ id, status, verification }) => {
    const known = toldOf.has(id) ? [] : [`notifications never heard of order ${id}`];
    if (verification === 'rejected' || verification === 'pending') return known;
    const own = assigned.get(id) ?? [];
    if (own.length !== 1) return [...known, `order ${id} has ${own.length} assignments`];
    return own[0]!.status === status
      ? known
      : [...known, `order ${id} is ${status}, assigned as ${own[0]!.status}`];
  });
}
