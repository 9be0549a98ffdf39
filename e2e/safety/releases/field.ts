import type { Driver, Purchase } from '@arboleda/cli/demo/driver.ts';
import { fieldPhoto, PLACE } from '@arboleda/cli/demo/photos.ts';
import type { Product } from '../../harness/product.ts';
import type { People } from './people.ts';

/** Those who fill an installation. */
export interface Cast {
  product: Product;
  driver: Driver;
  people: People;
}

/** A drawn photo of some kilobytes, with its place and time. */
export const smallPhoto = (drawing: string, place = PLACE) =>
  fieldPhoto(drawing, place, new Date(), drawing, SMALL_PX);
const SMALL_PX = 96;

/** Buys an order that the worker has, or has planted. @returns it with its assignment */
export async function assigned({ driver, people }: Cast, email: string, purchase?: Purchase) {
  const order = await driver.buy(email, purchase);
  const found = await driver.until(`the assignment of ${order.orderId}`, () =>
    driver.assignmentOf(people.worker, order.orderId),
  );
  return { ...order, assignmentId: found._id };
}

export async function planted(cast: Cast, email: string, purchase?: Purchase, drawing = 'ph-sapling.jpg') {
  const { driver, people } = cast;
  const order = await assigned(cast, email, purchase);
  await driver.plant(people.worker, order.assignmentId, { location: 'Vereda Boquía, Salento' });
  const photo = await smallPhoto(drawing);
  await driver.photograph(people.worker, order.assignmentId, [photo]);
  await driver.until(`the photo of ${order.orderId}`, async () => {
    return (await driver.track(order.orderToken))!.photos.length > 0;
  });
  return order;
}
