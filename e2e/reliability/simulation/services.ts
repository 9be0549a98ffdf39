import { consumers as assignmentConsumers } from '@arboleda/assignments/consumers.ts';
import type { Assignment } from '@arboleda/assignments/assignment/assignment.ts';
import type { WorkerProfile } from '@arboleda/assignments/workers/worker.ts';
import { handleJobs } from '@arboleda/assignments/jobs.ts';
import type { ObjectStore } from '@arboleda/chassis/ports/object-store.ts';
import { photoObjects } from '@arboleda/media/photos/objects.ts';
import type { Photo } from '@arboleda/media/photos/photo.ts';
import { openPhotos } from '@arboleda/media/photos/photos.ts';
import { certificateCode, CODE_BYTES } from '@arboleda/contracts/certificate-code.ts';
import type { NewCode } from '@arboleda/orders/certificate/certificate.ts';
import type { ReceiptNumbers } from '@arboleda/orders/documents/numbers.ts';
import { consumers as orderConsumers } from '@arboleda/orders/consumers.ts';
import { type ErasedAccount, erasedAccounts } from '@arboleda/orders/order/erased-accounts.ts';
import type { Order } from '@arboleda/orders/order/order.ts';
import { pino } from 'pino';
import { openMails } from './mails.ts';
import { type PaymentRecords, openPayments, type Payments } from './payments.ts';
import type { Fault } from './faults.ts';
import type { Service, Simulator } from './simulator.ts';
import { memoryAssignments, memoryOrders, memoryPhotos, memoryRecords, type Watch } from './stores.ts';
import { openStripe, type Stripe } from './stripe.ts';

/** All services of the product over one simulator. */
export type Product = Awaited<ReturnType<typeof openProduct>>;

/** Called after each write. */
export interface Watches {
  record: Watch;
  payments(records: PaymentRecords, orderId: string): void;
}

export const simulatedToken = (orderId: string): string => `token-${orderId}`.slice(-22);
const giftToken = (orderId: string, link: number): string => `gift-${link}-${orderId}`.slice(0, 22);
/** The only size of a photo here. */
const VARIANT = { nominalWidth: 400, width: 400, height: 300 };

/** Opens the services like their service.ts, with stores, bus, jobs and Stripe in memory. */
export async function openProduct(simulator: Simulator, fault: Fault | undefined, watch: Watches) {
  const { clock } = simulator;

  const ordersService = simulator.service('orders');
  const tables = (process: Service) => ({ process, fault, watch: watch.record });
  const byId = ({ id }: { id: string }) => id;
  const newCode = countedCodes();
  const orders = memoryOrders(memoryRecords<Order>('orders', byId, tables(ordersService)), clock, newCode);
  const erased = memoryRecords<ErasedAccount>('erased_accounts', byId, tables(ordersService));
  ordersService.subscribe(
    orderConsumers(
      orders,
      erasedAccounts(erased),
      { orderToken: simulatedToken, giftToken },
      memoryReceiptNumbers(),
      async () => undefined,
    ),
  );

  const assignmentsService = simulator.service('assignments');
  const assignments = memoryAssignments(
    memoryRecords<Assignment>('assignments', byId, tables(assignmentsService)),
    memoryRecords<WorkerProfile>('workers', byId, tables(assignmentsService)),
    clock,
  );
  const often = { retryWaitingMs: 60_000, serveVisitsMs: 60_000 };
  await handleJobs(assignmentsService.jobs, assignments, { clock, logger: pino({ level: 'silent' }) }, often);
  assignmentsService.subscribe(assignmentConsumers(assignments, assignmentsService.jobs, clock));

  const photos = openMedia(simulator, fault, watch.record);

  const { payments, stripe } = openPaymentsOf(simulator, watch);
  return {
    payments,
    stripe,
    orders,
    newCode,
    giftToken,
    assignments,
    photos,
    /** Emails about money, of each order. */
    mails: openMails(simulator.service('notifications'), clock),
    /** Publishes the events of accounts and workers. */
    auth: simulator.service('auth'),
  };
}

function openMedia(simulator: Simulator, fault: Fault | undefined, watch: Watch) {
  const records = memoryRecords<Photo>('photos', ({ _id }) => _id, {
    process: simulator.service('media'),
    fault,
    watch(table, before, after) {
      watch(table, before, after);
      if (!before) makePictures(after as Photo);
    },
  });
  const store = memoryPhotos(records);
  const objects = photoObjects(memoryObjects());
  const photos = openPhotos(store, objects, simulator.clock);
  /** Retried until the pictures are made. */
  function makePictures(photo: Photo) {
    const run = async () => {
      await photos.markRepeats(photo);
      await photos.makeReady(photo, [VARIANT]);
    };
    simulator.deliver({ to: 'media', what: 'pictures', orderId: photo.orderId, run, isKept: true });
  }
  return { ...photos, get: store.get };
}

function openPaymentsOf(simulator: Simulator, watch: Watches): { payments: Payments; stripe: Stripe } {
  let counted = 0;
  const service = simulator.service('payments');
  const webhook = (what: string, orderId: string, take: (receipt: string) => void) => {
    const receipt = `webhook-${counted++}`;
    const run = async () => take(receipt);
    simulator.deliver({ to: 'payments', what: `webhook.${what}`, orderId, run, isKept: false });
  };
  const stripe = openStripe(
    {
      payment: (orderId, paymentId, seen) =>
        webhook('payment', orderId, (receipt) => {
          // A webhook of an unfinished payment may be outdated: as in webhook.ts, the current state counts.
          const isOver = seen.outcome === 'succeeded' || seen.outcome === 'canceled';
          const current = isOver ? seen : stripe.intent(seen.intentId).snapshot;
          payments.seePayment(paymentId, current, receipt);
        }),
      refund: (orderId, seen) => webhook('refund', orderId, (receipt) => payments.seeRefund(seen, receipt)),
      dispute: (orderId, seen) =>
        webhook('dispute', orderId, (receipt) => payments.seeDispute(seen, receipt)),
      package: (orderId, seen) =>
        webhook('package', orderId, (receipt) => payments.seeSession(seen, receipt)),
    },
    simulator.clock,
  );
  const payments = openPayments(service, stripe, simulator.clock, watch.payments);
  service.subscribe(payments.consumers);
  void service.jobs.every('reconcile', 0, payments.reconcile);
  return { payments, stripe };
}

/** Codes of certificates, the same in each run. */
function countedCodes(): NewCode {
  let count = 0;
  return () => {
    count += 1;
    return certificateCode(
      Uint8Array.from({ length: CODE_BYTES }, (_, at) => (count >> (5 * (at % 6))) & 31),
    );
  };
}

function memoryReceiptNumbers(): ReceiptNumbers {
  const given = new Map<string, string>();
  return {
    async of(orderId) {
      const known = given.get(orderId) ?? `2026-${String(given.size + 1).padStart(6, '0')}`;
      given.set(orderId, known);
      return known;
    },
  };
}

function memoryObjects(): ObjectStore {
  const kept = new Map<string, Uint8Array>();
  return {
    put: async (key, bytes) => void kept.set(key, bytes),
    read: async (key) => kept.get(key),
  } as Partial<ObjectStore> as ObjectStore;
}
