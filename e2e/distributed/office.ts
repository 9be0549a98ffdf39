import type { Api } from '@arboleda/contracts/api.ts';
import { type CallApi, openClient } from '@arboleda/contracts/client.ts';
import { eventually, fill, giveToOwner } from '../api/filling.ts';
import type { Objects } from '../api/objects.ts';
import { emailOf, openPeople, type People } from '../api/people.ts';
import { openDriver, type StartedPayment } from '@arboleda/cli/demo/driver.ts';
import type { Running } from '../harness/product.ts';

/** A copy that is filled, people who are logged in, and what admins see of an order in each service. */
export interface Office {
  objects: Objects;
  people: People;
  call: CallApi;
  admin: string;
  worker: string;
  customer: string;
  /** A paid order that the worker is to plant. */
  buy(email: string): Promise<StartedPayment>;
  order: Reads<'GET /api/admin/orders/{id}', 'order'>;
  assignment: Reads<'GET /api/admin/orders/{id}/assignment', 'assignment'>;
  payment: Reads<'GET /api/admin/orders/{id}/payment', 'payment'>;
  mails: Reads<'GET /api/admin/orders/{id}/mails', 'mails'>;
}

type Reads<Key extends keyof Api, Part extends keyof Api[Key]['response']> = (
  orderId: string,
) => Promise<Api[Key]['response'][Part]>;

export async function openOffice(at: Running): Promise<Office> {
  const call = openClient(at.url);
  const people = openPeople(at, call);
  const objects = await fill(at, call, people);
  const admin = await people.token('admin');
  const worker = await people.token('worker');
  const driver = openDriver(at, { withinMs: 90_000 });
  const of = (orderId: string) => ({ token: admin, params: { id: orderId } });
  const order: Office['order'] = async (id) => (await call('GET /api/admin/orders/{id}', of(id))).order;
  return {
    objects,
    people,
    call,
    admin,
    order,
    worker,
    customer: await people.token('customer'),
    async buy(email) {
      const bought = await driver.buy(email);
      await giveToOwner(driver, admin, worker, bought.orderId);
      const workerId = await driver.workerId(admin, emailOf('worker', 'owner'));
      await eventually('the worker to stand in the order', async () => {
        return (await order(bought.orderId)).assignedWorker?.workerId === workerId;
      });
      return bought;
    },
    assignment: async (id) => (await call('GET /api/admin/orders/{id}/assignment', of(id))).assignment,
    payment: async (id) => (await call('GET /api/admin/orders/{id}/payment', of(id))).payment,
    mails: async (id) => (await call('GET /api/admin/orders/{id}/mails', of(id))).mails,
  };
}
