import { assignmentIdOf, isStaffed } from '@arboleda/assignments/assignment/assignment.ts';
import {
  decideAdminAssignment,
  decideWorkerStep,
  type WorkerStep,
} from '@arboleda/assignments/assignment/steps.ts';
import { visitorOf } from '@arboleda/assignments/growth/purchase.ts';
import { workerOf } from '@arboleda/assignments/workers/worker.ts';
import type { Change } from '@arboleda/chassis/records.ts';
import type { NewEvent } from '@arboleda/contracts/events/index.ts';
import type { Actor } from '@arboleda/contracts/fields.ts';
import { acceptsPhotos, ORDER_STATUSES } from '@arboleda/contracts/order.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { dayIn, daysLater } from '@arboleda/contracts/time-zone.ts';
import { newPhoto, type Occasion } from '@arboleda/media/intake/new-photo.ts';
import type { Photo } from '@arboleda/media/photos/photo.ts';
import { decideCertificate, decideRevocation } from '@arboleda/orders/certificate/certificate.ts';
import {
  decideClaim,
  decideDecline,
  decideGiftChange,
  decideSendAgain,
  giftOf,
} from '@arboleda/orders/gift/gift.ts';
import { decideEdit } from '@arboleda/orders/order/edit.ts';
import { decideStatus } from '@arboleda/orders/order/status.ts';
import type { Gift } from '@arboleda/contracts/gift.ts';
import type { Order } from '@arboleda/orders/order/order.ts';
import { decideRetraction, decideWithdrawal } from '@arboleda/orders/withdrawal/withdrawal.ts';
import type { Purchase } from '@arboleda/contracts/purchase.ts';
import { createHash } from 'node:crypto';
import type { ActName, History, Life } from './history.ts';
import { type Product, simulatedToken } from './services.ts';
import { Crash, orderIdOf, Violation, type Simulator } from './simulator.ts';

const ADMINS: readonly Actor[] = [
  { role: 'admin', id: 'admin-1', name: 'Lucía Gómez' },
  { role: 'admin', id: 'admin-2', name: 'Andrés Mora' },
];
/** Few workers with little capacity, so that orders wait. */
const WORKERS = ['ana', 'pablo', 'rosa'];
const CAPACITY_TREES = 26;
const PACKAGE_OF = { 1: 'individual', 5: 'grove', 20: 'patch' } as const;
const PRICE_CENTS = 400;
const TIME_ZONE = 'America/Bogota';
const MOST_VISIT_PAUSES = 3;
/** Periodic work runs once in such a pause. */
const LONG_PAUSE_MS = 10 * 24 * 3_600_000;

/** Results of all acts, for the final checks. */
export interface Activity {
  /** Every order, by its id, paid or not. */
  bought: ReadonlyMap<string, Purchase>;
  /** Photos that were accepted. */
  photos: ReadonlyMap<string, Photo>;
  /** Addresses of erased buyers and recipients. */
  erasures: readonly { email: string; at: string }[];
}

/** Short, because every write indexes it. */
const paymentIdOf = (orderId: string): string => `p${orderId.slice(-6)}`;

interface Story {
  life: Life;
  number: number;
  /** The latest one: a rejected transfer is sent again as a new order. */
  orderId: string;
  attempts: number;
  /** For unique keys. */
  counter: number;
}

/** Schedules all acts. */
export function startActors(history: History, simulator: Simulator, product: Product): Activity {
  const { stripe, payments, orders, newCode, giftToken, assignments, photos, auth } = product;
  const bought = new Map<string, Purchase>();
  const kept = new Map<string, Photo>();
  const versions = new Map(WORKERS.map((id) => [id, { sequence: 1, active: true }]));
  const buyers = new Map<number, { accountId: string; email: string; changes: number }>();
  const erasures: { email: string; at: string }[] = [];
  const now = () => simulator.clock().toISOString();
  const tell = (event: NewEvent, sequence = 0) => auth.commit([event], [], sequence);

  const accountOf = (workerId: string) => ({
    workerId,
    code: workerId.toUpperCase(),
    name: `Worker ${workerId}`,
    email: `${workerId}@arboleda.test`,
    region: 'Quindío',
    language: 'es' as const,
    capacityTrees: CAPACITY_TREES,
    active: versions.get(workerId)!.active,
  });
  const setActive = (workerId: string, active: boolean) => {
    const before = versions.get(workerId)!;
    if (before.active === active) return;
    versions.set(workerId, { sequence: before.sequence + 1, active });
    tell({ type: 'worker.updated', data: accountOf(workerId) }, before.sequence + 1);
  };
  const buyer = (number: number) =>
    buyers.get(number) ?? { accountId: `customer-${number}`, email: `b${number}@m.co`, changes: 0 };

  function buy(story: Story) {
    const { by, trees, buyer: number } = story.life;
    const orderId = orderIdOf(story.number, story.attempts++);
    story.orderId = orderId;
    const purchase: Purchase = {
      paymentId: paymentIdOf(orderId),
      orderId,
      orderToken: simulatedToken(orderId),
      packageType: PACKAGE_OF[trees],
      trees,
      amountMinor: trees * PRICE_CENTS,
      currency: 'USD',
      quote: { id: 'quote', rate: 1, ratesAsOf: '2026-11-21' },
      customer: { name: `Bo ${number}`, email: buyer(number).email },
      language: 'es',
      gift: giftFor(story),
    };
    bought.set(orderId, purchase);
    if (by === 'card') return payments.begin(purchase, stripe.createIntent(purchase));
    const file = {
      filename: 'a.jpg',
      originalName: 'a.jpg',
      contentType: 'image/jpeg',
      sizeBytes: 1,
      sha256: orderId,
    };
    const state = { status: 'pending' } as const;
    payments.submit({
      purchase,
      bank: 'bancolombia',
      evidence: [file],
      submittedAt: now(),
      state,
      revision: 0,
    });
  }

  /** To a friend of the buyer, who may get several. */
  function giftFor({ life: { giftDays, buyer: number } }: Story): Gift | undefined {
    if (giftDays === undefined) return undefined;
    return {
      recipientName: `Friend ${number}`,
      recipientEmail: `friend${number}@m.co`,
      message: 'For you',
      language: 'es',
      card: 'forest',
      deliverOn: daysLater(dayIn(simulator.clock(), TIME_ZONE), giftDays),
      timeZone: TIME_ZONE,
    };
  }
  const onOrder = ({ orderId }: Story, decide: (order: Order) => Change<Order> | undefined) =>
    orders.change(orderId, (order) => order && decide(order));
  const onGift = (story: Story, decide: (order: Order) => Change<Order> | undefined) =>
    onOrder(story, (order) => order.gift && decide(order));
  const changeGift = (story: Story, which: number) =>
    onGift(story, (order) => {
      const { recipientName, recipientEmail, message, language, card, deliverOn, timeZone } = giftOf(order);
      const before = { recipientName, recipientEmail, message, language, card, deliverOn, timeZone };
      const changes: Partial<Gift>[] = [
        { deliverOn: daysLater(dayIn(simulator.clock(), TIME_ZONE), 2) },
        { message: `Another text ${story.counter++}` },
        { recipientEmail: `other${story.life.buyer}@m.co` },
        { recipientEmail: null },
      ];
      const wanted = { ...before, ...changes[which] };
      return decideGiftChange(order, wanted, { at: now(), giftToken });
    });
  const claimGift = (story: Story, which: number) =>
    onGift(story, (order) =>
      decideClaim(order, {
        accountId: `account-${story.life.buyer}-${which % 2}`,
        name: 'Friend',
        email: `friend${story.life.buyer}@m.co`,
        language: 'es',
        at: now(),
      }),
    );

  const assignmentOf = ({ orderId }: Story) => assignments.assignments.get(assignmentIdOf(orderId));
  const step = async (story: Story, status: WorkerStep['status'], workerId?: string) => {
    const worker = workerId ?? (await assignmentOf(story))?.progress.worker?.workerId;
    if (!worker) return;
    await assignments.change(assignmentIdOf(story.orderId), (current) =>
      decideWorkerStep(current, worker, { status, notes: `by ${worker}` }, now()),
    );
  };
  async function sendPhoto(occasion: Occasion, workerId: string, content: string) {
    const digest = createHash('sha256').update(content).digest('base64url');
    const file = { bytes: Buffer.from(content), digest, originalName: 'a.jpg', contentType: 'image/jpeg' };
    const accepted = { ...file, index: 0, detail: {}, evidence: {} } as unknown as Parameters<
      typeof newPhoto
    >[0];
    const options = { now: simulator.clock(), maxDistanceMetres: 5_000 };
    const photo = newPhoto(accepted, occasion, { id: workerId, name: workerId }, options);
    const accepting = await photos.accept(photo, accepted.bytes);
    kept.set(accepting._id, accepting);
  }
  async function photo(story: Story, content: string) {
    const assignment = await assignmentOf(story);
    if (!assignment || !isStaffed(assignment) || !acceptsPhotos(assignment.progress.status)) return;
    const { orderId, id: assignmentId } = assignment;
    await sendPhoto({ orderId, assignmentId }, assignment.progress.worker.workerId, content);
  }
  async function visit(story: Story, pauses = 0): Promise<void> {
    const assignment = await assignmentOf(story);
    const next = assignment?.growth
      .flatMap(({ visits }) => visits)
      .find(({ doneAt, dueAt }) => !doneAt && dueAt);
    const visitor = assignment && next && visitorOf(assignment, next);
    if (!visitor) return;
    const inMs = Date.parse(next.dueAt!) - simulator.nowMs();
    if (inMs > 0) {
      if (pauses < MOST_VISIT_PAUSES)
        simulator.later(inMs, () => perform(story, 'visit', () => visit(story, pauses + 1)));
      return;
    }
    const { orderId, id: assignmentId } = assignment;
    const occasion = { orderId, assignmentId, growthVisitId: next.visitId };
    await sendPhoto(occasion, visitor.workerId, `${next.visitId} ${story.counter++}`);
  }
  const paymentOf = ({ orderId }: Story) => paymentIdOf(orderId);
  const intentOf = (story: Story) => `pi-${paymentOf(story)}`;
  const refund = (story: Story, key: string, amountMinor?: number) =>
    payments.refund(paymentOf(story), { key: `${story.orderId}-${key}`, by: ADMINS[0]!, amountMinor });
  const buyPackage = (story: Story, which: number) => {
    const purchaseId = `package-${story.orderId}-${story.counter++}`;
    const photoPackageType = which === 0 ? 'three_year' : 'first_year';
    payments.beginPackage(story.orderId, { photoPackageType, amountMinor: 1_500, purchaseId });
    simulator.later(1_000, () => stripe.paySession(purchaseId));
  };
  const packageOf = ({ orderId }: Story) =>
    [...payments.packages.values()].findLast((one) => one.orderId === orderId && one.transactionId);
  const ofPackage = (story: Story, run: (intentId: string) => void) => {
    const intentId = packageOf(story)?.transactionId;
    if (intentId) run(intentId);
  };
  const courseOf = (which: number) => (['won', 'lost', 'lost', 'wonOnAppeal'] as const)[which]!;
  const edit = (story: Story, wanted: Parameters<typeof decideEdit>[1]) =>
    onOrder(story, (order) => decideEdit(order, wanted, { by: ADMINS[0]!, at: now() }));
  const certify = (story: Story, which: number) => {
    const wanted = { name: which === 0 ? null : `Bo ${which}`, language: 'es' } as const;
    return onOrder(story, (order) => decideCertificate(order, wanted, { at: now(), newCode }));
  };
  const isCard = ({ life }: Story) => life.by === 'card';
  /** An act at Stripe; none for a transfer. */
  const onCard = (run: (intentId: string, which: number) => void) => (story: Story, which: number) => {
    if (isCard(story)) run(intentOf(story), which);
  };
  const workerNamed = (which: number) => WORKERS[which % WORKERS.length]!;
  const contentOf = (story: Story, which: number) =>
    which === 3 ? 'a picture of something else' : `${story.orderId} ${which}`;
  async function decidePhoto(story: Story, isHidden: boolean) {
    const [photo] = [...kept.values()].filter(({ orderId }) => orderId === story.orderId);
    if (photo)
      await photos.decide(photo._id, { isHidden, reason: 'A face is seen', by: ADMINS[0]!, at: now() });
  }

  /** The next step of an ordinary order. */
  async function proceed(story: Story, which: number) {
    const transfer = payments.transfers.get(story.orderId);
    if (transfer?.state.status === 'pending') return payments.approve(story.orderId, ADMINS[0]!);
    if (isCard(story) && stripe.intent(intentOf(story)).snapshot.outcome !== 'succeeded')
      return stripe.pay(intentOf(story));
    const assignment = await assignmentOf(story);
    if (!assignment || !isStaffed(assignment)) return;
    const { status, worker } = assignment.progress;
    if (status === 'assigned') return step(story, 'planted', worker.workerId);
    if (assignment.photos.length === 0) return photo(story, contentOf(story, 0));
    const isCertified = (await orders.get(story.orderId))?.certificate !== undefined;
    if (status === 'planted' && which > 1 && !isCertified) return certify(story, which);
    if (status === 'planted') return step(story, 'completed', worker.workerId);
    const isOver = assignment.growth.every(({ visits }) => visits.every(({ doneAt }) => doneAt));
    return isOver ? buyPackage(story, which) : visit(story);
  }

  const DO: Record<ActName, (story: Story, which: number) => Promise<unknown> | unknown> = {
    proceed,
    decline: onCard(stripe.decline),
    process: onCard(stripe.process),
    mismatch: onCard((intentId) => stripe.pay(intentId, 1)),
    abandon: onCard(stripe.cancel),
    approve: (story, which) => payments.approve(story.orderId, ADMINS[which % 2]!),
    reject: (story, which) => payments.reject(story.orderId, ADMINS[which % 2]!),
    sendAgain: (story) => payments.transfers.get(story.orderId)?.state.status === 'rejected' && buy(story),
    refundPart: (story, which) => refund(story, `part-${story.counter++}`, 100 * (which + 1)),
    refundAll: (story) => refund(story, `all-${story.counter++}`),
    refundAtProvider: onCard((intentId, which) => stripe.refundByHand(intentId, 150 * (which + 1))),
    refundTwice: (story) => {
      refund(story, 'twice', 100);
      refund(story, 'twice', 100);
    },
    returnRefund: onCard(stripe.returnRefund),
    dispute: onCard((intentId, which) => stripe.dispute(intentId, courseOf(which))),
    refundPackage: (story, which) => {
      const bought = packageOf(story);
      if (!bought) return;
      const amountMinor = which === 0 ? 400 : undefined;
      const key = `${story.orderId}-package-${story.counter++}`;
      payments.refund(bought.purchaseId, { key, by: ADMINS[0]!, amountMinor });
    },
    refundPackageAtProvider: (story, which) =>
      ofPackage(story, (intentId) => stripe.refundByHand(intentId, 500 * (which + 1))),
    returnPackageRefund: (story, which) =>
      ofPackage(story, (intentId) => stripe.returnRefund(intentId, which)),
    disputePackage: (story, which) =>
      ofPackage(story, (intentId) => stripe.dispute(intentId, courseOf(which))),
    plant: (story, which) => step(story, 'planted', which === 0 ? workerNamed(which) : undefined),
    complete: (story, which) => step(story, 'completed', which === 0 ? workerNamed(which) : undefined),
    photo: (story, which) => photo(story, contentOf(story, which)),
    photoAgain: async (story) => {
      await photo(story, contentOf(story, 0));
      await photo(story, contentOf(story, 0));
    },
    hidePhoto: (story) => decidePhoto(story, true),
    restorePhoto: (story) => decidePhoto(story, false),
    buyPackage,
    visit: (story) => visit(story),
    reassign: async (story, which) => {
      const profile = await assignments.workers.get(workerNamed(which));
      const seen = await assignmentOf(story);
      if (!seen || !profile?.active) return;
      const asked = {
        worker: workerOf(profile),
        reason: 'Holidays',
        by: ADMINS[1]!,
        seenRevision: seen.statusRevision,
      };
      await assignments.change(seen.id, (current) => decideAdminAssignment(current, asked, now()), {
        needs: 'active',
      });
    },
    setStatus: (story, which) =>
      onOrder(story, (order) => {
        const wanted = { status: ORDER_STATUSES[which]!, reason: 'By hand' };
        return decideStatus(order, wanted, ADMINS[1]!, now());
      }),
    withdraw: (story) => onOrder(story, (order) => decideWithdrawal(order, { at: now() })),
    keepOrder: (story) => onOrder(story, (order) => decideRetraction(order, { at: now() })),
    editTrees: (story, which) => edit(story, { trees: story.life.trees + which }),
    editPlace: (story, which) => edit(story, { location: `Farm ${which}` }),
    certify,
    revokeCertificate: (story) =>
      onOrder(story, (order) =>
        decideRevocation(order, { reason: 'A wrong name', by: ADMINS[0]!, at: now() }),
      ),
    changeGift,
    sendGiftAgain: (story) => onGift(story, (order) => decideSendAgain(order, now())),
    claimGift,
    declineGifts: (story) => onGift(story, (order) => decideDecline(order, now())),
    eraseRecipient: ({ life: { buyer: number } }, which) => {
      const email = `friend${number}@m.co`;
      const at = now();
      erasures.push({ email, at });
      const accountId = `account-${number}-${which % 2}`;
      tell({ type: 'customer.erased', data: { accountId, email, ordersToo: true, at } });
    },
    erase: ({ life: { buyer: number } }) => {
      const { accountId, email, changes } = buyer(number);
      const at = now();
      erasures.push({ email, at });
      tell({ type: 'customer.erased', data: { accountId, email, ordersToo: true, at } });
      // The next buyer has another account.
      const another = `${number}-${changes + 1}`;
      buyers.set(number, {
        accountId: `customer-${another}`,
        email: `b${another}@m.co`,
        changes: changes + 1,
      });
    },
    move: ({ life: { buyer: number } }) => {
      const { accountId, email: from, changes } = buyer(number);
      const to = `b${number}-${changes + 1}@m.co`;
      const account = { accountId, role: 'customer', name: `Bo ${number}`, language: 'es' } as const;
      tell({ type: 'email.changed', data: { ...account, from, to, fromVerified: true, at: now() } });
      buyers.set(number, { accountId, email: to, changes: changes + 1 });
    },
    workerLeaves: (_story, which) => setActive(workerNamed(which), false),
    workerReturns: (_story, which) => setActive(workerNamed(which), true),
  };

  /** An act that is refused or meets a crash is not repeated. */
  async function perform(story: Story, name: string, run: () => Promise<unknown> | unknown) {
    if (simulator.lines) simulator.trace(`order ${story.number}: ${name}`);
    try {
      await run();
    } catch (error) {
      if (error instanceof Violation || !(error instanceof Problem || error instanceof Crash)) throw error;
      if (simulator.lines)
        simulator.trace(
          `order ${story.number}: ${name} is refused: ${(error as Problem).type ?? 'the process died'}`,
        );
    }
  }
  for (const workerId of WORKERS) tell({ type: 'worker.registered', data: accountOf(workerId) }, 1);
  for (const [number, life] of history.entries()) {
    const story: Story = { life, number, orderId: '', attempts: 0, counter: 0 };
    // No two people act in the same millisecond.
    let atMs = 1_000 + life.boughtMs + number;
    simulator.later(atMs, () => perform(story, `is bought by ${life.by}`, () => buy(story)));
    for (const { name, afterMs, which } of life.acts) {
      atMs += afterMs;
      if (afterMs >= LONG_PAUSE_MS) simulator.later(atMs - afterMs / 2, simulator.tick);
      simulator.later(atMs, () => perform(story, name, () => DO[name](story, which)));
    }
  }
  return { bought, photos: kept, erasures };
}
