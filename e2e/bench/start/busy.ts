import { openField } from '../../reliability/crash/clients/workers.ts';
import { nothingTold } from '../../reliability/crash/clients/told.ts';
import { makeTirelessWorker, TIRELESS } from '../../harness/accounts.ts';
import { openDriver } from '../../driver/driver.ts';
import type { Product } from '../../harness/product.ts';
import { takePhoto } from '../photos/camera.ts';

const BUYERS = 8;

/** Many buy at once, and a worker plants and sends photos of 12 MP of most of it. */
export async function keepBusy(product: Product, orders: number): Promise<void> {
  await makeTirelessWorker(product);
  const driver = openDriver(product);
  const token = await driver.logIn('worker', TIRELESS, product.demoPassword);
  let left = orders;
  const buy = async () => {
    while (left-- > 0) await driver.buy('busy@bench.test');
  };
  const photo = await takePhoto(1);
  const field = openField({
    driver,
    tokens: { admin: '', customer: '', workers: [token] },
    customerEmail: '',
    files: { photo, evidence: photo },
    told: nothingTold(),
  });
  await Promise.all(Array.from({ length: BUYERS }, buy));
  await field.finish();
}
