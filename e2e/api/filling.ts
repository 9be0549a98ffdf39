import type { CallApi } from '@arboleda/contracts/client.ts';
import { type Driver, openDriver } from '@arboleda/cli/demo/driver.ts';
import { openInbox } from '../harness/inbox.ts';
import type { Addresses } from '../harness/product.ts';
import { waitFor } from '../harness/wait.ts';
import { aGift } from './gift.ts';
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
  const driver = openDriver(at, { withinMs: FOLLOWED_WITHIN_MS });
  const order = await driver.buy(emailOf('customer', 'owner'), { gift: aGift() });
  const params = { id: order.orderId };
  const assignmentId = await giveToOwner(driver, admin, worker, order.orderId);
  await people.put('worker', 'other');
  await driver.plant(worker, assignmentId);
  const photo = await sendPhoto(driver, worker, assignmentId);
  const certificateCode = await certify(call, customer, order.orderId);
  const transfer = await sendTransfer(driver);
  const payment = await driver.payment(admin, order.orderId);
  const mail = await eventually('a mail', async () => {
    const { mails } = await call('GET /api/admin/orders/{id}/mails', { token: admin, params });
    return mails[0];
  });
  // Nobody of the others: what is done to this one must not end their work.
  await people.put('worker', 'spare');
  return {
    orderId: order.orderId,
    orderToken: order.orderToken,
    giftToken: await giftTokenOf(call, customer, order.orderId),
    certificateCode,
    transferOrderId: transfer.orderId,
    evidenceFilename: await evidenceOf(call, admin, transfer.orderId),
    statementId: await uploadStatement(call, admin),
    paymentId: payment.paymentId,
    refundId: (await driver.refund(admin, payment.paymentId, 'One tree less', 1)).refundId,
    assignmentId,
    ...(await buyGrowth(driver, { orderId: order.orderId, customer, worker })),
    workerId: (await workerOf(call, admin, 'spare')).id,
    adminId: (await adminOf(call, admin, 'other')).id,
    photoId: photo.id,
    photoFilename: photo.filename,
    mailId: mail.id,
    newsToken: await newsTokenOf(at, emailOf('customer', 'owner')),
  };
}

/** The certificate of planted trees. */
async function certify(call: CallApi, customer: string, orderId: string): Promise<string> {
  const { certificate } = await call('POST /api/customers/orders/{id}/certificate', {
    token: customer,
    params: { id: orderId },
    body: { name: 'Ana Prueba', language: 'en' },
  });
  return certificate.code;
}

/** The token of a gift to hand over. */
async function giftTokenOf(call: CallApi, customer: string, orderId: string): Promise<string> {
  const { orders } = await call('GET /api/customers/orders', { token: customer });
  return orders.find(({ _id }) => _id === orderId)!.gift!.path!.slice('/g/'.length);
}

async function workerOf(call: CallApi, admin: string, who: Who) {
  const { workers } = await call('GET /api/admin/workers', { token: admin, query: { limit: 100 } });
  return workers.find((one) => one.email === emailOf('worker', who))!;
}

async function adminOf(call: CallApi, admin: string, who: Who) {
  const { admins } = await call('GET /api/admin/admins', { token: admin });
  return admins.find((one) => one.email === emailOf('admin', who))!;
}

/** Lets the owner plant an order, whoever got it by itself. @returns the assignment's id */
export const giveToOwner = (
  driver: Driver,
  admin: string,
  worker: string,
  orderId: string,
): Promise<string> => driver.give(admin, orderId, emailOf('worker', 'owner'), worker);

/** A photo of a planted assignment, once it can be looked at. */
async function sendPhoto(
  driver: Driver,
  worker: string,
  assignmentId: string,
): Promise<{ id: string; filename: string }> {
  const photos = await driver.photograph(worker, assignmentId, [
    { name: 'planted.jpg', mimeType: 'image/jpeg', buffer: PHOTO_FILES.jpeg },
  ]);
  await eventually('the photo of the planting', async () => {
    const { assignments } = await driver.call('GET /api/workers/assignments', { token: worker });
    return assignments.some((assignment) => assignment.photos.length > 0);
  });
  return photos[0]!;
}

/** A bank transfer that nobody has verified. */
const sendTransfer = (driver: Driver): Promise<{ orderId: string }> =>
  driver.announce('transfer@api.test', {
    trees: 1,
    name: 'Tomás Prueba',
    reference: 'REF-1',
    evidence: [{ name: 'evidence.png', mimeType: 'image/png', buffer: PHOTO_FILES.png }],
  });

/** A bank's file that nobody has confirmed. */
async function uploadStatement(call: CallApi, admin: string): Promise<string> {
  const body = new FormData();
  body.append('statement', new Blob(['Fecha;Concepto;Valor\n15/03/2026;REF-1;20.575,00\n']), 'extracto.csv');
  const { statement } = await call('POST /api/admin/statements', { token: admin, body });
  return statement.statementId;
}

async function evidenceOf(call: CallApi, admin: string, orderId: string): Promise<string> {
  const { orders } = await call('GET /api/admin/manual-payments/pending-verification', { token: admin });
  return orders.find((order) => order._id === orderId)!.manualPayment.evidenceFiles[0]!.filename;
}

/** Buys growth updates at the provider's page. @returns the package and its first visit */
async function buyGrowth(
  driver: Driver,
  of: { orderId: string; customer: string; worker: string },
): Promise<Pick<Objects, 'visitId' | 'purchaseId'>> {
  await driver.buyPhotoPackage(of.customer, of.orderId);
  return eventually('the visits of a growth package', async () => {
    const { visits } = await driver.call('GET /api/workers/growth-visits', { token: of.worker });
    return visits[0] && { visitId: visits[0]._id, purchaseId: visits[0].purchaseId };
  });
}

/** The secret of the link in a mail about photos. */
function newsTokenOf(at: Addresses, address: string): Promise<string> {
  const inbox = openInbox(at.inboxUrl);
  return eventually('an email with a link to stop news', async () => {
    const texts = (await inbox.all(address)).map((mail) => mail.text);
    return texts.map((text) => /mail-preferences#token=([\w-]{22})/.exec(text)?.[1]).find(Boolean);
  });
}
