import { openClient } from '@arboleda/contracts/client.ts';
import { DEMO_ADMIN } from '@arboleda/local/demo/accounts.ts';
import { fieldPhoto } from '@arboleda/local/demo/photos.ts';
import type { Addresses } from '../harness/product.ts';
import type { ChosenFile } from './people.ts';

/** What a logged-in admin sees of somebody: transfers that wait, and the latest order. */
export async function openDesk(at: Addresses) {
  const call = openClient(at.url);
  const { token } = await call('POST /api/auth/admin/login', {
    body: { email: DEMO_ADMIN.email, password: at.demoPassword },
  });
  return {
    transfersOf: async (email: string) => {
      const { orders } = await call('GET /api/admin/manual-payments/pending-verification', {
        token,
        query: { limit: 100 },
      });
      return orders.filter(({ customerEmail }) => customerEmail === email);
    },
    orderOf: async (email: string) => {
      const { orders } = await call('GET /api/admin/orders/manage', { token, query: { q: email } });
      return orders[0];
    },
  };
}

const PLACE = { latitude: 4.637214, longitude: -75.487031 };

/** A picture that proves a transfer; what it shows is not looked at here. */
export async function receipt(name: string, photo: string): Promise<ChosenFile> {
  const picture = await fieldPhoto(photo, PLACE, new Date());
  return { name, mimeType: 'image/jpeg', buffer: Buffer.from(await picture.arrayBuffer()) };
}
