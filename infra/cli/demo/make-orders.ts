import { COUNTRIES } from '@arboleda/contracts/countries.ts';
import type { Gift } from '@arboleda/contracts/gift.ts';
import type { PhotoPackageType } from '@arboleda/contracts/packages.ts';
import { dayIn, daysLater } from '@arboleda/contracts/time-zone.ts';
import { DEMO_ADMIN, DEMO_CUSTOMER, DEMO_WORKERS } from './accounts.ts';
import { type Driver, openDriver, type Site, unlessRefusedAs } from './driver.ts';
import { DEMO_ORDERS, DEMO_TRANSFERS, type DemoOrder, type DemoTransfer, placeIn } from './orders.ts';
import { fieldPhoto, receipt } from './photos.ts';

/** One data folder's demo. */
interface Demo {
  password: string;
  /** Part of every idempotency key, so that a second run creates nothing twice. */
  seed: string;
  begunAt: Date;
}

/** The demo with the session tokens of its people. */
interface Cast extends Demo {
  driver: Driver;
  workers: { token: string; region: string }[];
  admin: string;
  customer: string;
}

/** Makes all orders and transfers through the public API. Each step is idempotent. */
export async function makeOrders(site: Site, demo: Demo, signal: AbortSignal): Promise<void> {
  const driver = openDriver(site, { signal });
  const workers = [];
  for (const { email, worker } of DEMO_WORKERS)
    workers.push({ token: await driver.logIn('worker', email, demo.password), region: worker.region });
  const admin = await driver.logIn('admin', DEMO_ADMIN.email, demo.password);
  const customer = await driver.logIn('customer', DEMO_CUSTOMER.email, demo.password);
  const cast = { ...demo, driver, workers, admin, customer };
  for (const [index, order] of DEMO_ORDERS.entries()) await makeOrder(cast, order, index);
  for (const transfer of DEMO_TRANSFERS) await makeTransfer(cast, transfer);
}

/** Buys, plants, photographs and completes, up to the order's target status. */
async function makeOrder(cast: Cast, order: DemoOrder, index: number): Promise<void> {
  const { customer, trees, currency, language } = order;
  const { orderId, orderToken } = await cast.driver.buy(customer.email, {
    trees,
    currency,
    language,
    name: customer.name,
    country: COUNTRIES.find((one) => one.currency === currency)!.code,
    ...(order.gift && { gift: giftOf(order.gift, cast.begunAt) }),
    idempotencyKey: `demo-${cast.seed}-${order.key}`,
  });
  await takeGift(cast, order, orderToken);
  await withdraw(cast, order, orderToken);
  if (order.until !== 'pending') await work(cast, order, { orderId, orderToken, index });
  if (order.growth) await buyGrowth(cast, orderId, order.growth);
  await attendTo(cast, order, orderId);
}

/** The same for one demo, however often it is started. Today's morning has passed in one of the two time zones. */
function giftOf(
  { inDays, thanks: _thanks, ...content }: NonNullable<DemoOrder['gift']>,
  begunAt: Date,
): Gift {
  const timeZone = inDays === 0 && begunAt.getUTCHours() < 14 ? 'Asia/Tokyo' : 'America/Bogota';
  return { ...content, deliverOn: daysLater(dayIn(begunAt, timeZone), inDays), timeZone };
}

/** The demo's customer takes a gift that was handed over, and thanks its buyer. */
async function takeGift(cast: Cast, { customer, gift }: DemoOrder, orderToken: string): Promise<void> {
  if (gift?.thanks === undefined) return;
  const { call } = cast.driver;
  const { gift: given } = await call('POST /api/track/{token}/gift', {
    params: { token: orderToken },
    body: { email: customer.email },
  });
  const params = { token: given.path!.slice('/g/'.length) };
  await call('POST /api/gifts/{token}/claim', { params, token: cast.customer });
  const body = { text: gift.thanks };
  await call('POST /api/gifts/{token}/thanks', { params, body }).catch(unlessRefusedAs('gift-thanked'));
}

async function withdraw({ driver }: Cast, { customer, withdraws }: DemoOrder, token: string): Promise<void> {
  if (withdraws === undefined) return;
  const body = { email: customer.email, reason: withdraws };
  await driver
    .call('POST /api/track/{token}/withdrawal', { params: { token }, body })
    .catch(unlessRefusedAs('order-refunded', 'withdrawal-planted', 'withdrawal-too-late'));
}

/** An order's worker plants, sends photos and completes. */
async function work(
  cast: Cast,
  order: DemoOrder,
  { orderId, orderToken, index }: { orderId: string; orderToken: string; index: number },
): Promise<void> {
  const { driver, begunAt } = cast;
  const { assignment, token, region } = await untilAssigned(cast, orderId);
  if (order.until === 'assigned') return;
  const place = placeIn(region, index);
  if (assignment.status === 'assigned')
    await driver.plant(token, assignment._id, { ...place, ...(order.notes && { notes: order.notes }) });
  const photos = order.photos.map((name) => fieldPhoto(name, place.coordinates, begunAt));
  await driver.photograph(token, assignment._id, await Promise.all(photos));
  if (order.certificate) await certify(driver, order, orderToken);
  if (order.until === 'completed' && assignment.status !== 'completed')
    await driver.complete(token, assignment._id);
}

/** Waits until one of the demo's workers has the order. */
const untilAssigned = ({ driver, workers }: Cast, orderId: string) =>
  driver.until(`a worker for order ${orderId}`, async () => {
    for (const { token, region } of workers) {
      const assignment = await driver.assignmentOf(token, orderId);
      if (assignment) return { assignment, token, region };
    }
    return undefined;
  });

/** Gets the certificate by private link once the order has its photos. */
async function certify(driver: Driver, order: DemoOrder, token: string): Promise<void> {
  await driver.until(`the photos of ${order.key}`, async () => {
    const seen = await driver.track(token);
    return seen !== undefined && seen.photos.length >= order.photos.length;
  });
  const body = { name: order.certificate!, language: order.language, email: order.customer.email };
  await driver
    .call('POST /api/track/{token}/certificate', { params: { token }, body })
    .catch(unlessRefusedAs('certificate-revoked'));
}

/** Buys growth updates for an order of the demo's customer, and waits until its worker has the first visit. */
async function buyGrowth(
  { driver, customer, workers }: Cast,
  orderId: string,
  type: PhotoPackageType,
): Promise<void> {
  const { photoPackages } = await driver.call('GET /api/config');
  const offered = photoPackages.find(({ photoPackageType }) => photoPackageType === type);
  // An installation may sell other packages, or none.
  if (!offered) return;
  await driver
    .buyPhotoPackage(customer, orderId, offered.priceId)
    .catch(unlessRefusedAs('photo-package-active'));
  await driver.until(`growth visits of order ${orderId}`, async () => {
    for (const { token } of workers) {
      const { visits } = await driver.call('GET /api/workers/growth-visits', { token });
      if (visits.some((visit) => visit.orderId === orderId)) return true;
    }
    return undefined;
  });
}

/** Admin actions on an order: refund, correction, revoked certificate, note. */
async function attendTo({ driver, admin, seed }: Cast, order: DemoOrder, id: string): Promise<void> {
  const { refund, edit, note, revoke } = order.office ?? {};
  const at = { token: admin, params: { id } };
  const keyOf = (action: string) => `demo-${seed}-${order.key}-${action}`;
  if (refund) {
    const { paymentId, amount } = await driver.payment(admin, id);
    const part = Math.round((amount * refund.trees) / order.trees);
    await driver.refund(admin, paymentId, refund.reason, part, keyOf('refund'));
  }
  if (edit) await driver.call('PUT /api/admin/orders/{id}', { ...at, body: edit });
  if (revoke) {
    const { order: found } = await driver.call('GET /api/admin/orders/{id}', at);
    await driver.call('POST /api/admin/certificates/{code}/revoke', {
      token: admin,
      params: { code: found.certificate!.code },
      body: { reason: revoke },
    });
  }
  if (note)
    await driver.call('POST /api/admin/orders/{id}/notes', {
      ...at,
      idempotencyKey: keyOf('note'),
      body: { text: note },
    });
}

/** Submits a transfer with its evidence, and decides on it as an admin, who may have decided otherwise since. */
async function makeTransfer(cast: Cast, transfer: DemoTransfer): Promise<void> {
  const { driver, admin } = cast;
  const { customer, trees, language, phone, reference, decision } = transfer;
  const { orderId } = await driver.announce(customer.email, {
    trees,
    language,
    phone,
    reference,
    name: customer.name,
    country: 'CO',
    evidence: [await receipt(transfer.evidence)],
    idempotencyKey: `demo-${cast.seed}-${transfer.key}`,
  });
  if (decision.kind === 'rejected')
    await driver.reject(admin, orderId, decision.reason).catch(unlessRefusedAs('transfer-already-approved'));
  if (decision.kind !== 'approved') return;
  const decided = await driver
    .approve(admin, orderId, decision.note)
    .catch(unlessRefusedAs('transfer-already-rejected'));
  // Without a second admin, larger amounts stay undecided.
  if (decided?.order.manualPayment.verificationStatus === 'approved') await untilAssigned(cast, orderId);
}
