import { type CallApi, Refused } from '@arboleda/contracts/client.ts';
import { openBuyer } from '../harness/buyer.ts';
import { openInbox } from '../harness/inbox.ts';
import type { Addresses } from '../harness/product.ts';
import { waitFor } from '../harness/wait.ts';
import { PHOTO_FILES } from './fuzz/photo-files.ts';
import type { Objects } from './objects.ts';
import { emailOf, type People, type Who } from './people.ts';

const FOLLOWED_WITHIN_MS = 90_000;
/** Waits generously: for containers on a busy machine. */
export const eventually = <T>(what: string, ask: () => Promise<T | undefined | false>): Promise<T> =>
  waitFor(what, ask, FOLLOWED_WITHIN_MS);

/** Puts somebody of each role and something of everything that can be theirs into a running copy, through its API. */
export async function fill(at: Addresses, call: CallApi, people: People): Promise<Objects> {
  await people.put('worker', 'owner');
  for (const role of ['customer', 'admin'] as const) {
    await people.put(role, 'owner');
    await people.put(role, 'other');
  }
  const [worker, admin, customer] = [
    await people.token('worker'),
    await people.token('admin'),
    await people.token('customer'),
  ];
  const order = await openBuyer(at).buy(emailOf('customer', 'owner'), 5);
  const params = { id: order.orderId };
  await giveToOwner(call, admin, order.orderId);
  const { assignments } = await call('GET /api/workers/assignments', { token: worker });
  const assignmentId = assignments.find(({ orderId }) => orderId === order.orderId)!._id;
  await people.put('worker', 'other');
  await call('PUT /api/workers/assignments/{id}/status', {
    token: worker,
    params: { id: assignmentId },
    body: { status: 'planted' },
  });
  const photo = await sendPhoto(call, worker, assignmentId);
  const transfer = await sendTransfer(call);
  const { payment } = await call('GET /api/admin/orders/{id}/payment', { token: admin, params });
  const mail = await eventually('a mail', async () => {
    const { mails } = await call('GET /api/admin/orders/{id}/mails', { token: admin, params });
    return mails[0];
  });
  // Nobody of the others: what is done to this one must not end their work.
  await people.put('worker', 'spare');
  return {
    orderId: order.orderId,
    orderToken: order.orderToken,
    transferOrderId: transfer.orderId,
    evidenceFilename: await evidenceOf(call, admin, transfer.orderId),
    paymentId: payment.paymentId,
    assignmentId,
    visitId: await buyGrowth(at, call, { orderId: order.orderId, customer, worker }),
    workerId: (await workerOf(call, admin, 'spare')).id,
    photoId: photo.id,
    photoFilename: photo.filename,
    mailId: mail.id,
    newsToken: await newsTokenOf(at, emailOf('customer', 'owner')),
  };
}

async function workerOf(call: CallApi, admin: string, who: Who) {
  const { workers } = await call('GET /api/admin/workers', { token: admin, query: { limit: 100 } });
  return workers.find((one) => one.email === emailOf('worker', who))!;
}

/** Lets the owner plant an order, whoever got it by itself. @returns the owner's id */
export async function giveToOwner(call: CallApi, admin: string, orderId: string): Promise<string> {
  const params = { id: orderId };
  await eventually(`somebody to plant order ${orderId}`, async () => {
    const answer = await found(call('GET /api/admin/orders/{id}/assignment', { token: admin, params }));
    return answer?.assignment.worker;
  });
  const { id: workerId } = await workerOf(call, admin, 'owner');
  await call('PUT /api/admin/orders/{id}/assignment', {
    token: admin,
    params,
    body: { workerId, reason: 'Lives nearby' },
  });
  return workerId;
}

/** What is there already; undefined when it is not known yet. */
async function found<T>(answer: Promise<T>): Promise<T | undefined> {
  return answer.catch((error: unknown) => {
    if (error instanceof Refused && error.status === 404) return undefined;
    throw error;
  });
}

/** A photo of a planted assignment, once it can be looked at. */
export async function sendPhoto(
  call: CallApi,
  worker: string,
  assignmentId: string,
): Promise<{ id: string; filename: string }> {
  const body = new FormData();
  body.append('photos', new Blob([new Uint8Array(PHOTO_FILES.jpeg)]), 'planted.jpg');
  const { photos } = await call('POST /api/workers/assignments/{id}/photos', {
    token: worker,
    params: { id: assignmentId },
    body,
  });
  await eventually('the photo of the planting', async () => {
    const { assignments } = await call('GET /api/workers/assignments', { token: worker });
    return assignments.some((assignment) => assignment.photos.length > 0);
  });
  return photos[0]!;
}

/** A bank transfer that nobody has verified, as the web app announces it. */
export async function sendTransfer(call: CallApi): Promise<{ orderId: string }> {
  const body = new FormData();
  for (const [name, value] of Object.entries({
    ...{ trees: '1', packageType: 'individual', currency: 'COP', paymentMethod: 'manual_bancolombia' },
    ...{
      customerEmail: 'transfer@api.test',
      customerName: 'Tomás Prueba',
      customerPhone: '+57 300 000 0000',
    },
    ...{ bankName: 'bancolombia', referenceNumber: 'REF-1' },
  })) {
    body.append(name, value);
  }
  body.append('evidenceFiles', new Blob([new Uint8Array(PHOTO_FILES.png)]), 'proof.png');
  return call('POST /api/manual-payments/create-order', { body });
}

export async function evidenceOf(call: CallApi, admin: string, orderId: string): Promise<string> {
  const { orders } = await call('GET /api/admin/manual-payments/pending-verification', { token: admin });
  return orders.find((order) => order._id === orderId)!.manualPayment.evidenceFiles[0]!.filename;
}

/** Growth updates bought at the provider's own page. @returns the first visit */
export async function buyGrowth(
  at: Addresses,
  call: CallApi,
  of: { orderId: string; customer: string; worker: string },
): Promise<string> {
  const { checkoutUrl } = await call('POST /api/payments/create-photo-package-checkout', {
    token: of.customer,
    body: { priceId: 'price_three_year', originalOrderId: of.orderId },
  });
  const response = await fetch(`${checkoutUrl}/intent`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  const { clientSecret } = (await response.json()) as { clientSecret: string };
  await openBuyer(at).confirm({ client_secret: clientSecret });
  return eventually('the visits of a growth package', async () => {
    const { visits } = await call('GET /api/workers/growth-visits', { token: of.worker });
    return visits[0]?._id;
  });
}

/** The secret of the link in a mail about photos. */
export function newsTokenOf(at: Addresses, address: string): Promise<string> {
  const inbox = openInbox(at.inboxUrl);
  return eventually('a mail with a link to stop news', async () => {
    const texts = (await inbox.all(address)).map((mail) => mail.text);
    return texts.map((text) => /mail-preferences#token=([\w-]{22})/.exec(text)?.[1]).find(Boolean);
  });
}
