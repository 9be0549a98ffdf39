import { COUNTRIES, type Currency } from '@arboleda/contracts/countries.ts';
import type { ApiResponse } from '@arboleda/contracts/api.ts';
import { type CallApi, Refused } from '@arboleda/contracts/client.ts';
import { until } from './until.ts';
import { DEMO_WORKERS } from './accounts.ts';
import { type DemoOrder, placeIn } from './orders.ts';
import { fieldPhoto } from './photos.ts';

/** Everything that processing a demo order needs. */
export interface Line {
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
  const orderId = await buy(line, order);
  if (order.until !== 'pending') await work(line, order, { orderId, index });
  return orderId;
}

async function work(
  line: Line,
  order: DemoOrder,
  { orderId, index }: { orderId: string; index: number },
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
  if (order.until === 'completed' && found.assignment.status !== 'completed') await step('completed');
}

/** The country is derived from the browser's language. */
const countryOfCurrency = (currency: Currency): string =>
  COUNTRIES.find((one) => one.currency === currency)!.code;

async function buy(line: Line, order: DemoOrder): Promise<string> {
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
    },
  });
  await line.payByCard(intent.client_secret);
  await until(`the order of ${order.key}`, line.signal, () =>
    line.api('GET /api/track/{token}', { params: { token: intent.orderToken } }).catch((error: unknown) => {
      if (error instanceof Refused && error.status === 404) return undefined;
      throw error;
    }),
  );
  return intent.orderId;
}

/** The assignment of an order, with its worker; undefined while nobody has it. */
export async function findAssignment(line: Line, orderId: string): Promise<Found | undefined> {
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
