import { type CallApi, Refused } from '@arboleda/contracts/client.ts';
import type { Currency } from '@arboleda/contracts/countries.ts';
import { fieldPhoto } from '@arboleda/local/demo/photos.ts';
import sharp from 'sharp';
import { openBuyer } from '../../harness/buyer.ts';
import type { Running } from '../../harness/product.ts';
import { waitFor } from '../../harness/wait.ts';
import { PEOPLE } from '../people.ts';

const WITHIN_MS = 90_000;
/** Drawn ones, over and over; at each a few steps further. */
const PHOTOS = ['ph-planting', 'ph-sapling', 'ph-leaf', 'ph-rows', 'ph-hands', 'ph-valley', 'ph-portrait'];
const PHOTO_COUNT = 30;
const PHOTOS_AT_ONCE = 10;
const PLACE = { latitude: 7.893142, longitude: -72.507841 };

/** An order of 10,000 trees and one of thirty photos, of somebody with a long name and planted by another. */
export async function fillWithLongThings(at: Running, call: CallApi): Promise<void> {
  const tokenOf = async (person: 'admin' | 'longDonor' | 'longWorker') => {
    const { role, email } = PEOPLE[person];
    return (await call(`POST /api/auth/${role}/login`, { body: { email, password: at.demoPassword } })).token;
  };
  const [admin, donor, worker] = [
    await tokenOf('admin'),
    await tokenOf('longDonor'),
    await tokenOf('longWorker'),
  ];
  const give = (orderId: string) => giveToLongWorker(call, admin, orderId);

  await give(await buy(at, call, 10_000, 'BRL'));
  const album = await buy(at, call, 33, 'COP');
  await give(album);
  const assignmentId = await waitFor(
    'the assignment of the album',
    async () => {
      const { assignments } = await call('GET /api/workers/assignments', { token: worker });
      return assignments.find(({ orderId }) => orderId === album)?._id;
    },
    WITHIN_MS,
  );
  await call('PUT /api/workers/assignments/{id}/status', {
    token: worker,
    params: { id: assignmentId },
    body: {
      status: 'planted',
      location: 'Vereda San José de la Montaña, corregimiento de La Garita, Los Patios, Norte de Santander',
      coordinates: PLACE,
      notes: 'Treinta y tres árboles a lo largo del lindero, uno por cada vecina y vecino de la vereda.',
    },
  });
  await sendPhotos(call, worker, assignmentId);
  const { checkoutUrl } = await call('POST /api/payments/create-photo-package-checkout', {
    token: donor,
    body: { priceId: 'price_lifetime', originalOrderId: album },
  });
  const response = await fetch(`${checkoutUrl}/intent`, { method: 'POST' });
  const { clientSecret } = (await response.json()) as { clientSecret: string };
  await openBuyer(at).confirm({ client_secret: clientSecret });
  await waitFor(
    'thirty photos and a growth package',
    async () => {
      const { orders } = await call('GET /api/customers/orders', { token: donor });
      const order = orders.find(({ _id }) => _id === album);
      return order?.photos.length === PHOTO_COUNT && order.growth?.length;
    },
    WITHIN_MS,
  );
}

async function buy(at: Running, call: CallApi, trees: number, currency: Currency): Promise<string> {
  const { name, email } = PEOPLE.longDonor;
  const payment = await call('POST /api/pricing/create-payment-intent', {
    language: 'es',
    idempotencyKey: crypto.randomUUID(),
    body: { trees, packageType: 'custom', currency, customerEmail: email, customerName: name, locale: 'es' },
  });
  await openBuyer(at).confirm(payment);
  return payment.orderId;
}

/** Whoever got it by itself. */
async function giveToLongWorker(call: CallApi, admin: string, orderId: string): Promise<void> {
  const { workers } = await call('GET /api/admin/workers', { token: admin, query: { limit: 100 } });
  const { id: workerId } = workers.find(({ email }) => email === PEOPLE.longWorker.email)!;
  const params = { id: orderId };
  const isKnown = () =>
    call('GET /api/admin/orders/{id}/assignment', { token: admin, params }).then(
      ({ assignment }) => assignment !== undefined,
      () => false,
    );
  const give = () =>
    call('PUT /api/admin/orders/{id}/assignment', {
      token: admin,
      params,
      body: { workerId, reason: 'Lives nearby and knows everybody there' },
    }).then(
      () => true,
      (error: unknown) => {
        // It was just going to somebody by itself.
        if (error instanceof Refused && error.status === 409) return false;
        throw error;
      },
    );
  await waitFor(`order ${orderId}`, async () => (await isKnown()) && (await give()), WITHIN_MS);
}

async function sendPhotos(call: CallApi, worker: string, assignmentId: string): Promise<void> {
  for (let first = 0; first < PHOTO_COUNT; first += PHOTOS_AT_ONCE) {
    const body = new FormData();
    for (let index = first; index < first + PHOTOS_AT_ONCE; index += 1) {
      body.append('photos', await photo(index), `IMG_${1000 + index}.jpg`);
    }
    await call('POST /api/workers/assignments/{id}/photos', {
      token: worker,
      params: { id: assignmentId },
      body,
    });
  }
}

/** As small as a thumbnail: thirty large ones would keep the machine busy. */
async function photo(index: number): Promise<Blob> {
  const place = { latitude: PLACE.latitude + index * 0.0001, longitude: PLACE.longitude };
  const takenAt = new Date(Date.now() + index * 60_000);
  const whole = await fieldPhoto(`${PHOTOS[index % PHOTOS.length]}.jpg`, place, takenAt);
  const small = await sharp(Buffer.from(await whole.arrayBuffer()))
    .resize(480)
    .keepMetadata()
    .jpeg()
    .toBuffer();
  return new Blob([new Uint8Array(small)], { type: 'image/jpeg' });
}
