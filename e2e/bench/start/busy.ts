import { openClient } from '@arboleda/contracts/client.ts';
import { openField } from '../../reliability/crash/clients/workers.ts';
import { nothingTold } from '../../reliability/crash/clients/told.ts';
import { makeTirelessWorker, TIRELESS } from '../../harness/accounts.ts';
import { openBuyer } from '../../harness/buyer.ts';
import type { Product } from '../../harness/product.ts';
import { takePhoto } from '../photos/camera.ts';

const BUYERS = 8;

/** Many buy at once, and a worker plants and sends photos of 12 MP of most of it. */
export async function keepBusy(product: Product, orders: number): Promise<void> {
  await makeTirelessWorker(product);
  const api = openClient(product.url);
  const body = { email: TIRELESS, password: product.demoPassword };
  const { token } = await api('POST /api/auth/worker/login', { body });
  const buyer = openBuyer(product);
  let left = orders;
  const buy = async () => {
    while (left-- > 0) await buyer.buy('busy@bench.test');
  };
  const photo = await takePhoto(1);
  const field = openField({
    api,
    stripe: { apiUrl: product.stripeApiUrl, publishableKey: product.stripePublishableKey },
    tokens: { admin: '', customer: '', workers: [token] },
    customerEmail: '',
    files: { photo, evidence: photo },
    told: nothingTold(),
  });
  await Promise.all(Array.from({ length: BUYERS }, buy));
  await field.finish();
}
