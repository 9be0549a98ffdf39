import { openClient } from '@arboleda/contracts/client.ts';
import { emailOf, openPeople } from '../../api/people.ts';
import type { FilledProduct } from '../../api/filled-product.ts';
import { openDriver } from '../../driver/driver.ts';
import type { Running } from '../../harness/product.ts';

/** Uses a restored installation and compares it with the one before. @returns what does not work */
export async function canDo({ before, after }: { before: FilledProduct; after: Running }): Promise<string[]> {
  const { objects, product } = before;
  const call = openClient(after.url);
  const people = openPeople(after, call);
  const tell = (what: string, ask: () => Promise<unknown>) =>
    ask().then(
      (is) => (is === false ? [what] : []),
      (error: Error) => [`${what}: ${error.message}`],
    );
  const bytes = async (url: string, path: string, token?: string) => {
    const response = await fetch(new URL(path, url), {
      headers: { Accept: 'image/jpeg', ...(token && { Authorization: `Bearer ${token}` }) },
    });
    return `${response.status} ${Buffer.from(await response.arrayBuffer()).toString('base64')}`;
  };
  const sameBytes = async (path: string, admin = false) => {
    const first = await bytes(product.url, path, admin ? await before.token('admin') : undefined);
    const second = await bytes(after.url, path, admin ? await people.token('admin') : undefined);
    return first.startsWith('200') && first === second;
  };
  const found = await Promise.all([
    tell('a customer cannot log in and see the order', async () => {
      const token = await people.token('customer');
      const { orders } = await call('GET /api/customers/orders', { token, query: {} });
      return orders.some(({ _id }) => _id === objects.orderId);
    }),
    tell('a donor’s private link shows nothing', () =>
      call('GET /api/track/{token}', { params: { token: objects.orderToken } }),
    ),
    tell('a worker has lost the assignment', async () => {
      const { assignments } = await call('GET /api/workers/assignments', {
        token: await people.token('worker'),
      });
      return assignments.some(({ _id }) => _id === objects.assignmentId);
    }),
    tell('the photo is not shown as it was', () => sameBytes(`/api/photos/${objects.photoFilename}`)),
    tell('the evidence of a transfer is not shown as it was', () =>
      sameBytes(`/api/admin/manual-payments/evidence/${objects.evidenceFilename}`, true),
    ),
    tell('a session of before is refused', async () => {
      const response = await fetch(new URL('/api/auth/customer/verify', after.url), {
        headers: { Authorization: `Bearer ${await before.token('customer')}` },
      });
      return response.status === 200;
    }),
    tell('nobody can buy', () => openDriver(after).buy(emailOf('customer', 'owner'), { trees: 5 })),
  ]);
  return found.flat();
}
