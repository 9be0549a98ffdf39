import type { Currency } from '@arboleda/contracts/countries.ts';
import { fieldPhoto, type NamedPicture } from '@arboleda/cli/demo/photos.ts';
import sharp from 'sharp';
import { openDriver } from '@arboleda/cli/demo/driver.ts';
import type { Running } from '../harness/product.ts';
import { waitFor } from '../harness/wait.ts';
import { PEOPLE } from './people.ts';

const WITHIN_MS = 90_000;
/** Drawn ones, over and over; at each a few steps further. */
const PHOTOS = ['ph-planting', 'ph-sapling', 'ph-leaf', 'ph-rows', 'ph-hands', 'ph-valley', 'ph-portrait'];
const PHOTO_COUNT = 30;
const PHOTOS_AT_ONCE = 10;
const PLACE = { latitude: 7.893142, longitude: -72.507841 };

/** An order of 10,000 trees and one of thirty photos, of somebody with a long name and planted by another. */
export async function fillWithLongThings(at: Running): Promise<void> {
  const driver = openDriver(at, { withinMs: WITHIN_MS });
  const logIn = (person: 'admin' | 'longDonor' | 'longWorker') =>
    driver.logIn(PEOPLE[person].role, PEOPLE[person].email, at.demoPassword);
  const [admin, donor, worker] = [await logIn('admin'), await logIn('longDonor'), await logIn('longWorker')];
  const purchase = { name: PEOPLE.longDonor.name, language: 'es' } as const;
  const buy = async (trees: number, currency: Currency) => {
    const payment = await driver.start(PEOPLE.longDonor.email, { ...purchase, trees, currency });
    await driver.pay(payment.client_secret);
    const { orderId } = payment;
    return { orderId, assignmentId: await driver.give(admin, orderId, PEOPLE.longWorker.email, worker) };
  };

  await buy(10_000, 'BRL');
  const { orderId: album, assignmentId } = await buy(33, 'COP');
  await driver.plant(worker, assignmentId, {
    location: 'Vereda San José de la Montaña, corregimiento de La Garita, Los Patios, Norte de Santander',
    coordinates: PLACE,
    notes: 'Treinta y tres árboles a lo largo del lindero, uno por cada vecina y vecino de la vereda.',
  });
  for (let first = 0; first < PHOTO_COUNT; first += PHOTOS_AT_ONCE) {
    const some = Array.from({ length: PHOTOS_AT_ONCE }, (_, index) => photo(first + index));
    await driver.photograph(worker, assignmentId, await Promise.all(some));
  }
  await driver.buyPhotoPackage(donor, album, 'price_lifetime');
  await waitFor(
    'thirty photos and a growth package',
    async () => {
      const { orders } = await driver.call('GET /api/customers/orders', { token: donor });
      const order = orders.find(({ _id }) => _id === album);
      return order?.photos.length === PHOTO_COUNT && order.growth?.length;
    },
    WITHIN_MS,
  );
}

/** Thumbnail size, because thirty large photos would take long. */
async function photo(index: number): Promise<NamedPicture> {
  const place = { latitude: PLACE.latitude + index * 0.0001, longitude: PLACE.longitude };
  const takenAt = new Date(Date.now() + index * 60_000);
  const name = `IMG_${1000 + index}.jpg`;
  const whole = await fieldPhoto(`${PHOTOS[index % PHOTOS.length]}.jpg`, place, takenAt, name);
  const small = await sharp(whole.buffer).resize(480).keepMetadata().jpeg().toBuffer();
  return { ...whole, buffer: Buffer.from(small) };
}
