import type { ApiResponse } from '@arboleda/contracts/api.ts';
import { type CallApi, Refused } from '@arboleda/contracts/client.ts';
import { COUNTRIES, type Currency } from '@arboleda/contracts/countries.ts';
import type { Gift } from '@arboleda/contracts/gift.ts';
import type { PhotoPackageType } from '@arboleda/contracts/packages.ts';
import type { ProblemType } from '@arboleda/contracts/problems.ts';
import { dayIn, daysLater } from '@arboleda/contracts/time-zone.ts';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEMO_WORKERS } from './accounts.ts';
import { type DemoOrder, type DemoTransfer, placeIn } from './orders.ts';
import { fieldPhoto, PHOTOS } from './photos.ts';

/** Everything that processing a demo order needs. */
interface Line {
  api: CallApi;
  /** Confirms a card payment as the buyer's browser would. */
  payByCard(clientSecret: string): Promise<void>;
  /** Session tokens of the demo's workers, by email. */
  workerTokens: ReadonlyMap<string, string>;
  adminToken: string;
  customerToken: string;
  /** URL of the sandbox for this process. */
  stripeUrl: string;
  signal: AbortSignal;
  /** Seeds the idempotency keys of one data folder's demo, so that a second run creates nothing twice. */
  seed: string;
  begunAt: Date;
}

interface Bought {
  orderId: string;
  orderToken: string;
}

type Assignment = ApiResponse<'GET /api/workers/assignments'>['assignments'][number];

interface Found {
  assignment: Assignment;
  token: string;
  region: string;
}

/**
 * Buys, plants, photographs and completes, up to the order's target status. It is idempotent.
 * @returns the order's id
 */
export async function takeAlong(line: Line, order: DemoOrder, index: number): Promise<string> {
  const bought = await buy(line, order);
  const { orderId, orderToken } = bought;
  await takeGift(line, order, orderToken);
  if (order.withdraws !== undefined) await withdraw(line, order, orderToken);
  if (order.until !== 'pending') await work(line, order, { ...bought, index });
  return orderId;
}

async function work(
  line: Line,
  order: DemoOrder,
  { orderId, orderToken, index }: Bought & { index: number },
): Promise<void> {
  const found = await until(`a worker for order ${orderId}`, line.signal, () =>
    findAssignment(line, orderId),
  );
  if (order.until === 'assigned') return;
  const place = placeIn(found.region, index);
  const step = (status: 'planted' | 'completed') =>
    line.api('PUT /api/workers/assignments/{id}/status', {
      token: found.token,
      params: { id: found.assignment._id },
      body: { status, ...(status === 'planted' && { ...place, notes: order.notes }) },
    });
  if (found.assignment.status === 'assigned') await step('planted');
  await uploadPhotos(line, order, found, place.coordinates);
  if (order.certificate) await certify(line, order, orderToken);
  if (order.until === 'completed' && found.assignment.status !== 'completed') await step('completed');
}

/** The same for one demo, however often it is started. Today's morning has passed in one of the two time zones. */
function giftOf(
  { inDays, thanks: _thanks, ...content }: NonNullable<DemoOrder['gift']>,
  begunAt: Date,
): Gift {
  const timeZone = inDays === 0 && begunAt.getUTCHours() < 14 ? 'Asia/Tokyo' : 'America/Bogota';
  return { ...content, deliverOn: daysLater(dayIn(begunAt, timeZone), inDays), timeZone };
}

/** The demo's customer takes a gift that was handed over, and thanks its buyer. It is idempotent. */
async function takeGift(line: Line, { customer, gift }: DemoOrder, orderToken: string): Promise<void> {
  if (gift?.thanks === undefined) return;
  const { gift: given } = await line.api('POST /api/track/{token}/gift', {
    params: { token: orderToken },
    body: { email: customer.email },
  });
  const params = { token: given.path!.slice('/g/'.length) };
  await line.api('POST /api/gifts/{token}/claim', { params, token: line.customerToken });
  const body = { text: gift.thanks };
  await line.api('POST /api/gifts/{token}/thanks', { params, body }).catch(unlessRefusedAs('gift-thanked'));
}

/** An admin may have answered it since. It is idempotent. */
async function withdraw(line: Line, { customer, withdraws }: DemoOrder, token: string): Promise<void> {
  const body = { email: customer.email, reason: withdraws };
  await line
    .api('POST /api/track/{token}/withdrawal', { params: { token }, body })
    .catch(unlessRefusedAs('order-refunded', 'withdrawal-planted', 'withdrawal-too-late'));
}

/** The country is derived from the browser's language. */
const countryOfCurrency = (currency: Currency): string =>
  COUNTRIES.find((one) => one.currency === currency)!.code;

async function buy(line: Line, order: DemoOrder): Promise<Bought> {
  const { packageType, trees, currency, customer, language } = order;
  const intent = await line.api('POST /api/pricing/create-payment-intent', {
    language: `${language}-${countryOfCurrency(currency)}`,
    idempotencyKey: `demo-${line.seed}-${order.key}`,
    body: {
      packageType,
      trees,
      currency,
      customerName: customer.name,
      customerEmail: customer.email,
      locale: language,
      ...(order.gift && { gift: giftOf(order.gift, line.begunAt) }),
    },
  });
  await line.payByCard(intent.client_secret);
  await until(`the order of ${order.key}`, line.signal, () =>
    line.api('GET /api/track/{token}', { params: { token: intent.orderToken } }).catch((error: unknown) => {
      if (error instanceof Refused && error.status === 404) return undefined;
      throw error;
    }),
  );
  return intent;
}

/** The assignment of an order, with its worker; undefined while nobody has it. */
async function findAssignment(line: Line, orderId: string): Promise<Found | undefined> {
  for (const { email, worker } of DEMO_WORKERS) {
    const token = line.workerTokens.get(email)!;
    const { assignments } = await line.api('GET /api/workers/assignments', { token });
    const assignment = assignments.find((one) => one.orderId === orderId);
    if (assignment) return { assignment, token, region: worker.region };
  }
  return undefined;
}

async function uploadPhotos(
  line: Line,
  order: DemoOrder,
  { assignment, token }: Found,
  place: { latitude: number; longitude: number },
): Promise<void> {
  const form = new FormData();
  for (const name of order.photos) form.append('photos', await fieldPhoto(name, place, line.begunAt), name);
  await line.api('POST /api/workers/assignments/{id}/photos', {
    token,
    params: { id: assignment._id },
    body: form,
  });
}

/** Gets the certificate by private link once the order has its photos. It is idempotent. */
async function certify(line: Line, order: DemoOrder, token: string): Promise<void> {
  const params = { token };
  await until(`the photos of ${order.key}`, line.signal, async () => {
    const { photos } = await line.api('GET /api/track/{token}', { params });
    return photos.length >= order.photos.length || undefined;
  });
  const body = { name: order.certificate!, language: order.language, email: order.customer.email };
  await line
    .api('POST /api/track/{token}/certificate', { params, body })
    .catch(unlessRefusedAs('certificate-revoked'));
}

/** For calls that an earlier run, or an admin since, has made unnecessary. */
const unlessRefusedAs =
  (...types: ProblemType[]) =>
  (error: unknown): undefined => {
    if (!(error instanceof Refused && types.some((type) => type === error.problem?.type))) throw error;
  };

/** https://docs.stripe.com/testing#cards: a card that is always accepted. */
const TEST_CARD = 'pm_card_visa';

/**
 * Confirms payment intents as a buyer's browser does, with the publishable key and the client secret. An intent is
 * paid at most once.
 * @throws Error when the card was declined
 */
export function cardPayer(options: {
  apiUrl: string;
  publishableKey: string;
  returnUrl: string;
  signal: AbortSignal;
}) {
  const { apiUrl, publishableKey, returnUrl, signal } = options;
  const call = async (path: string, method: 'GET' | 'POST', parameters: Record<string, string>) => {
    const form = new URLSearchParams({ ...parameters, key: publishableKey });
    const url = new URL(`/v1/payment_intents/${path}${method === 'GET' ? `?${form}` : ''}`, apiUrl);
    const response = await fetch(url, { method, signal, ...(method === 'POST' && { body: form }) });
    const intent = (await response.json()) as { status?: string; error?: { message: string } };
    if (!response.ok) throw new Error(`the card was not accepted: ${intent.error?.message}`);
    return intent.status;
  };
  return async (clientSecret: string): Promise<void> => {
    const id = clientSecret.split('_secret_')[0]!;
    if ((await call(id, 'GET', { client_secret: clientSecret })) === 'succeeded') return;
    const status = await call(`${id}/confirm`, 'POST', {
      client_secret: clientSecret,
      payment_method: TEST_CARD,
      return_url: returnUrl,
    });
    if (status !== 'succeeded') throw new Error(`the demo's payment is ${status}`);
  };
}

/**
 * Buys growth updates for an order of the demo's customer, and waits until its worker has the first visit. It is
 * idempotent.
 */
export async function buyGrowth(
  line: Line,
  orderId: string,
  photoPackageType: PhotoPackageType,
): Promise<void> {
  const { photoPackages } = await line.api('GET /api/config');
  const offered = photoPackages.find((one) => one.photoPackageType === photoPackageType);
  // An installation may sell other packages, or none.
  if (!offered) return;
  const checkout = await line
    .api('POST /api/payments/create-photo-package-checkout', {
      token: line.customerToken,
      body: { priceId: offered.priceId, originalOrderId: orderId },
    })
    .catch(unlessRefusedAs('photo-package-active'));
  if (checkout) await line.payByCard(await clientSecretOf(line, checkout.checkoutUrl));
  await until(`growth visits of order ${orderId}`, line.signal, () => findVisit(line, orderId));
}

/** Fetched by the sandbox's payment page when it opens. */
async function clientSecretOf({ stripeUrl, signal }: Line, checkoutUrl: string): Promise<string> {
  const page = new URL(`${new URL(checkoutUrl).pathname}/intent`, stripeUrl);
  const response = await fetch(page, { method: 'POST', signal });
  if (!response.ok) throw new Error(`the page to pay growth updates on answered ${response.status}`);
  return ((await response.json()) as { clientSecret: string }).clientSecret;
}

async function findVisit(line: Line, orderId: string): Promise<true | undefined> {
  for (const { email } of DEMO_WORKERS) {
    const token = line.workerTokens.get(email);
    const { visits } = await line.api('GET /api/workers/growth-visits', { token });
    if (visits.some((visit) => visit.orderId === orderId)) return true;
  }
  return undefined;
}

/** Admin actions on an order: refund, correction, note. It is idempotent. */
export async function attendTo(
  line: Line,
  { key, trees, office }: DemoOrder,
  orderId: string,
): Promise<void> {
  if (!office) return;
  const { refund, edit, note, revoke } = office;
  const order = { token: line.adminToken, params: { id: orderId } };
  if (refund) {
    const { payment } = await line.api('GET /api/admin/orders/{id}/payment', order);
    await line.api('POST /api/admin/payments/{id}/refunds', {
      token: line.adminToken,
      params: { id: payment.paymentId },
      idempotencyKey: `demo-${line.seed}-${key}-refund`,
      body: { amount: Math.round((payment.amount * refund.trees) / trees), reason: refund.reason },
    });
  }
  if (edit) await line.api('PUT /api/admin/orders/{id}', { ...order, body: edit });
  if (revoke) {
    const { order: found } = await line.api('GET /api/admin/orders/{id}', order);
    await line.api('POST /api/admin/certificates/{code}/revoke', {
      token: line.adminToken,
      params: { code: found.certificate!.code },
      body: { reason: revoke },
    });
  }
  if (note) {
    await line.api('POST /api/admin/orders/{id}/notes', {
      ...order,
      idempotencyKey: `demo-${line.seed}-${key}-note`,
      body: { text: note },
    });
  }
}

type Decided = ApiResponse<'POST /api/admin/manual-payments/verify/{id}'>;

/** Submits a transfer with its evidence, and decides on it as an admin. It is idempotent. */
export async function transferAlong(line: Line, transfer: DemoTransfer): Promise<void> {
  const { orderId } = await announce(line, transfer);
  const decided = await decide(line, transfer, orderId);
  // Without a second admin, larger amounts stay undecided.
  if (decided?.order.manualPayment.verificationStatus !== 'approved') return;
  await until(`a worker for order ${orderId}`, line.signal, () => findAssignment(line, orderId));
}

async function announce(line: Line, { key, language, evidence, ...transfer }: DemoTransfer) {
  const body = new FormData();
  for (const [name, value] of Object.entries({
    trees: String(transfer.trees),
    packageType: transfer.packageType,
    currency: 'COP',
    customerEmail: transfer.customer.email,
    customerName: transfer.customer.name,
    customerPhone: transfer.phone,
    paymentMethod: 'manual_bancolombia',
    bankName: 'bancolombia',
    referenceNumber: transfer.reference,
    locale: language,
  })) {
    body.append(name, value);
  }
  const receipt = await readFile(new URL(evidence, PHOTOS));
  body.append('evidenceFiles', new Blob([new Uint8Array(receipt)], { type: 'image/jpeg' }), evidence);
  return line.api('POST /api/manual-payments/create-order', {
    // Transfers come from Colombia.
    language: `${language}-CO`,
    idempotencyKey: `demo-${line.seed}-${key}`,
    body,
  });
}

/** @returns undefined when nothing was decided, now or before */
async function decide(line: Line, { decision }: DemoTransfer, id: string): Promise<Decided | undefined> {
  const by = { token: line.adminToken, params: { id } };
  const decidedBefore = unlessRefusedAs('transfer-already-approved', 'transfer-already-rejected');
  switch (decision.kind) {
    case 'approved': {
      const body = { note: decision.note };
      return line.api('POST /api/admin/manual-payments/verify/{id}', { ...by, body }).catch(decidedBefore);
    }
    case 'rejected': {
      const body = { reason: decision.reason };
      return line.api('POST /api/admin/manual-payments/reject/{id}', { ...by, body }).catch(decidedBefore);
    }
    case 'waits':
      return undefined;
  }
}

const ASK_EVERY_MS = 100;

/** Polls until there is a value. @throws with `what` after `timeoutMs` */
export async function until<T>(
  what: string,
  signal: AbortSignal,
  ask: () => Promise<T | undefined>,
  timeoutMs = 60_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > deadline) throw new Error(`${what} did not come within ${timeoutMs / 1000} s`);
    await sleep(ASK_EVERY_MS, undefined, { signal });
  }
}
