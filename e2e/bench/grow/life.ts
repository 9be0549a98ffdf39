import { type Assignment, assignmentIdOf } from '@arboleda/assignments/assignment/assignment.ts';
import { decideConvergence } from '@arboleda/assignments/assignment/convergence.ts';
import {
  decideCreation,
  decidePhoto as decideFieldPhoto,
} from '@arboleda/assignments/assignment/order-events.ts';
import { decideAssignment, decideWorkerStep } from '@arboleda/assignments/assignment/steps.ts';
import type { WorkerProfile } from '@arboleda/assignments/workers/worker.ts';
import type { Change } from '@arboleda/chassis/records.ts';
import type { ArboledaEvent, EventData, NewEvent } from '@arboleda/contracts/events/index.ts';
import { CARD } from '@arboleda/contracts/payment-method.ts';
import { decidePayment, decideRejection, decideSubmission } from '@arboleda/orders/decisions/creation.ts';
import { decideRefund } from '@arboleda/orders/decisions/money.ts';
import { decidePhoto } from '@arboleda/orders/decisions/photos.ts';
import { decideStep, type FieldStep } from '@arboleda/orders/decisions/step.ts';
import type { Order } from '@arboleda/orders/order.ts';
import { stamped } from '@arboleda/orders/store/store.ts';
import { createHash } from 'node:crypto';

const FIRST = (
  'María José, Ana, Luisa, Camila, Valentina, Sofía, Isabella, Daniela, Juan, Carlos, ' +
  'Andrés, Santiago, Mateo, Felipe, Jorge, Emma, Olivia, Noah, Liam, Lucas'
).split(', ');
const LAST = (
  'Pérez, Gómez, Rodríguez, Restrepo, Zúñiga, Muñoz, Castaño, Álvarez, Ruiz, Vélez, Ortiz, Mejía, ' +
  'Smith, Johnson, Müller, Dubois, Rossi, García-Márquez, O’Brien, Silva, Londoño, Arango, Cano'
).split(', ');

/** Orders of one customer in three years. */
const ORDERS_OF_CUSTOMER = 3;
/** Orders of one worker. More orders mean more workers. */
const ORDERS_OF_WORKER = 200;

/** The customer of the n-th order. Some customers order again years later. */
export function customerOf(n: number, total: number) {
  const number = n % Math.max(1, Math.floor(total / ORDERS_OF_CUSTOMER));
  const [first, last] = [FIRST[number % FIRST.length]!, LAST[number % LAST.length]!];
  return {
    name: `${first} ${last}`,
    email: `${plain(first)}.${plain(last)}.${number}@mail.test`,
    phone: '+57 300 1234567',
    country: 'CO' as const,
  };
}

export const workersFor = (total: number): number => Math.max(1, Math.floor(total / ORDERS_OF_WORKER));

/** The worker of the n-th order. */
export function workerOf(n: number, total: number) {
  const number = n % workersFor(total);
  return {
    workerId: `worker-${number}`,
    code: `QU-${String(number).padStart(4, '0')}`,
    name: `${FIRST[number % FIRST.length]} ${LAST[number % LAST.length]}`,
    email: `worker.${number}@arboleda.test`,
    region: 'Quindío',
  };
}

/** The same, as assignments keeps it. */
export function profileOf(n: number, total: number, nowMs: number): WorkerProfile {
  const { workerId: _id, ...account } = workerOf(n, total);
  const occurredAt = new Date(nowMs).toISOString();
  return { _id, ...account, language: 'es', active: true, capacityTrees: 10_000, sequence: 1, occurredAt };
}

const plain = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/[^a-zA-Z]/g, '')
    .toLowerCase();

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** All orders were bought evenly over as long as this: more orders are more a day. */
const YEARS_MS = 3 * 365 * DAY_MS;
/** How long each step takes. */
const UNTIL = { found: 2 * DAY_MS, assigned: 6 * HOUR_MS, planted: 14 * DAY_MS, completed: 45 * DAY_MS };
const ADMIN = { role: 'admin', id: 'admin-1', name: 'Lucía Gómez' } as const;

const PACKAGES = [
  { trees: 1, packageType: 'individual' },
  { trees: 5, packageType: 'grove' },
  { trees: 20, packageType: 'patch' },
] as const;
const CURRENCIES = [
  { currency: 'USD', perTree: 500 },
  { currency: 'COP', perTree: 2_050_000 },
  { currency: 'EUR', perTree: 460 },
  { currency: 'MXN', perTree: 9_200 },
] as const;

/** How many whole days it takes until so many of `total` orders are bought. */
export const daysUntil = (orders: number, total: number): number =>
  Math.ceil((orders * YEARS_MS) / (total * DAY_MS));

/** One order as the product keeps it, and what the field keeps of it once its money is there. */
export interface Life {
  order: Order;
  assignment: Assignment | undefined;
}

/** The n-th of `total` orders, lived through with the product's own decisions until now. The same for the same `n`. */
export function lifeOf(n: number, total: number, nowMs: number): Life {
  const boughtMs = nowMs - YEARS_MS * (1 - (n + 0.5) / total);
  const at = (afterMs: number) => new Date(Math.floor(boughtMs + afterMs)).toISOString();
  const has = (afterMs: number) => boughtMs + afterMs <= nowMs;
  const stored = (order: Order, ms: number) => stamped(undefined, order, at(Math.min(ms, nowMs - boughtMs)));
  const id = createHash('sha256').update(`order ${n}`).digest();
  const bought = boughtOf(n, total, id);
  const { orderId } = bought;

  if (n % 10 === 9) {
    const transfer = {
      ...bought,
      method: { kind: 'transfer', bank: 'bancolombia' } as const,
      referenceNumber: `ARB-${n}`,
    };
    const evidenceFiles = [{ filename: `evidence-${n}.jpg`, originalName: 'recibo.jpg', fileSize: 123_456 }];
    const announced = decided(
      decideSubmission(undefined, { ...transfer, evidenceFiles, submittedAt: at(0) }),
    );
    if (!has(UNTIL.found)) return { order: stored(announced, 0), assignment: undefined };
    if (n % 100 === 99) {
      const { paymentId } = bought;
      const refusal = { orderId, paymentId, reason: 'No such transfer', by: ADMIN, at: at(UNTIL.found) };
      return {
        order: stored(decided(decideRejection(announced, refusal)), UNTIL.found),
        assignment: undefined,
      };
    }
  }
  const card = { brand: 'visa', last4: '4242' };
  const paid = decidePayment(undefined, {
    ...bought,
    receiptNumber: `${at(0).slice(0, 4)}-${String(n + 1).padStart(6, '0')}`,
    card,
    paidAt: at(0),
  })!;
  if (n % 50 === 1) {
    const { amountMinor, currency, paymentId } = bought;
    const refund = {
      orderId,
      paymentId,
      refundId: `re_${n}`,
      amountMinor,
      currency,
      refundedMinor: amountMinor,
      paidMinor: amountMinor,
    };
    const more = { isFull: true, reason: 'Bought twice', by: ADMIN, at: at(HOUR_MS) };
    return {
      order: stored(decided(decideRefund(paid.document, { ...refund, ...more })), HOUR_MS),
      assignment: undefined,
    };
  }
  return inTheField(n, total, paid);

  function inTheField(index: number, all: number, { document, events = [] }: Change<Order>): Life {
    let order = document;
    const created = events.find((event) => event.type === 'order.created') as NewEvent<'order.created'>;
    let assignment = decided(decideCreation(undefined, created.data, 1));
    const worker = workerOf(index, all);
    let lastMs = 0;
    const step = (change: Change<Assignment>, afterMs: number) => {
      lastMs = afterMs;
      const moved = decideStep(order, change.events![0] as FieldStep)!;
      order = moved.document;
      const told = moved.events![0] as ArboledaEvent<'order.status_changed'>;
      assignment = decided(decideConvergence(change.document, told.data));
    };
    const walk = (status: 'planted' | 'completed', afterMs: number) => {
      const location = 'Finca La Esperanza, Salento';
      const place =
        status === 'planted' ? { location, coordinates: { latitude: 4.637, longitude: -75.57 } } : {};
      step(decideWorkerStep(assignment, worker.workerId, { status, ...place }, at(afterMs))!, afterMs);
    };
    if (has(UNTIL.assigned)) step(decideAssignment(assignment, worker, at(UNTIL.assigned))!, UNTIL.assigned);
    if (has(UNTIL.planted)) {
      walk('planted', UNTIL.planted);
      const photo = photoOf(orderId, worker.workerId, id, at(UNTIL.planted));
      order = decided(decidePhoto(order, photo));
      assignment = decided(decideFieldPhoto(assignment, photo));
    }
    if (has(UNTIL.completed)) walk('completed', UNTIL.completed);
    return { order: stored(order, lastMs), assignment: { ...assignment, updatedAt: at(lastMs) } };
  }
}

function boughtOf(n: number, total: number, id: Buffer) {
  const { trees, packageType } = PACKAGES[n % PACKAGES.length]!;
  const { currency, perTree } = CURRENCIES[n % CURRENCIES.length]!;
  return {
    orderId: id.toString('hex', 0, 12),
    orderToken: id.toString('base64url', 12, 28),
    paymentId: `payment-${n}`,
    method: CARD,
    transactionId: `pi_${id.toString('hex', 0, 12)}`,
    trees,
    packageType,
    currency,
    amountMinor: trees * perTree,
    customer: customerOf(n, total),
    language: n % 2 === 0 ? ('es' as const) : ('en' as const),
  };
}

const photoOf = (
  orderId: string,
  workerId: string,
  id: Buffer,
  uploadedAt: string,
): EventData<'photo.uploaded'> => ({
  orderId,
  assignmentId: assignmentIdOf(orderId),
  workerId,
  photoId: id.toString('hex', 8, 24),
  filename: `${id.toString('base64url', 8, 24)}.jpg`,
  width: 1600,
  height: 1200,
  uploadedAt,
  coordinates: { latitude: 4.637, longitude: -75.57 },
});

function decided<T>(change: Change<T> | undefined): T {
  if (!change) throw new Error('a decision that was to change something changed nothing');
  return change.document;
}
