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
import { decidePayment } from '@arboleda/orders/order/creation.ts';
import { decidePhoto } from '@arboleda/orders/order/photos.ts';
import { decideStep, type FieldStep } from '@arboleda/orders/order/step.ts';
import type { Order } from '@arboleda/orders/order/order.ts';
import { stamped } from '@arboleda/orders/reactions.ts';
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
  const { workerId: id, ...account } = workerOf(n, total);
  const occurredAt = new Date(nowMs).toISOString();
  return { id, ...account, language: 'es', active: true, capacityTrees: 10_000, sequence: 1, occurredAt };
}

const plain = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/[^a-zA-Z]/g, '')
    .toLowerCase();

const DAY_MS = 86_400_000;
/** All orders were bought evenly over as long as this: more orders are more a day. */
const YEARS_MS = 3 * 365 * DAY_MS;
/** How long each step takes. */
const UNTIL = { assigned: DAY_MS / 4, planted: 14 * DAY_MS, completed: 45 * DAY_MS };
const PLACE = { latitude: 4.637, longitude: -75.57 };

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

/** One order as the product keeps it, and what the field keeps of it. */
export interface Life {
  order: Order;
  assignment: Assignment;
}

/** The n-th of `total` orders, lived through with the product's own decisions until now. The same for the same `n`. */
export function lifeOf(n: number, total: number, nowMs: number): Life {
  const boughtMs = nowMs - YEARS_MS * (1 - (n + 0.5) / total);
  const at = (afterMs: number) => new Date(Math.floor(boughtMs + afterMs)).toISOString();
  const has = (afterMs: number) => boughtMs + afterMs <= nowMs;
  const id = createHash('sha256').update(`order ${n}`).digest();
  const bought = boughtOf(n, total, id);
  const worker = workerOf(n, total);
  const paid = decidePayment(undefined, {
    ...bought,
    receiptNumber: `${at(0).slice(0, 4)}-${String(n + 1).padStart(6, '0')}`,
    card: { brand: 'visa', last4: '4242' },
    paidAt: at(0),
  })!;
  const created = paid.events!.find((event) => event.type === 'order.created') as NewEvent<'order.created'>;
  let order = paid.record;
  let assignment = decided(decideCreation(undefined, created.data, 1));
  let lastMs = 0;
  const step = (change: Change<Assignment>, afterMs: number) => {
    lastMs = afterMs;
    const moved = decideStep(order, change.events![0] as FieldStep)!;
    order = moved.record;
    const announced = moved.events![0] as ArboledaEvent<'order.status_changed'>;
    assignment = decided(decideConvergence(change.record, announced.data));
  };
  if (has(UNTIL.assigned)) step(decideAssignment(assignment, worker, at(UNTIL.assigned))!, UNTIL.assigned);
  if (has(UNTIL.planted)) {
    const planted = {
      status: 'planted',
      location: 'Finca La Esperanza, Salento',
      coordinates: PLACE,
    } as const;
    step(decideWorkerStep(assignment, worker.workerId, planted, at(UNTIL.planted))!, UNTIL.planted);
    const photo = photoOf(bought.orderId, worker.workerId, id, at(UNTIL.planted));
    order = decided(decidePhoto(order, photo));
    assignment = decided(decideFieldPhoto(assignment, photo));
  }
  if (has(UNTIL.completed)) {
    const completed = { status: 'completed' } as const;
    step(decideWorkerStep(assignment, worker.workerId, completed, at(UNTIL.completed))!, UNTIL.completed);
  }
  return {
    order: stamped(undefined, order, at(lastMs)),
    assignment: { ...assignment, updatedAt: at(lastMs) },
  };
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
  coordinates: PLACE,
});

function decided<T>(change: Change<T> | undefined): T {
  if (!change) throw new Error('a decision that was to change something changed nothing');
  return change.record;
}
