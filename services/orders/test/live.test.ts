import { listenTo } from '@arboleda/chassis/testing/listen.ts';
import { testServiceConfig } from '@arboleda/chassis/testing/config.ts';
import { openTestPlatform } from '@arboleda/chassis/testing/platform.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type OrdersConfig } from '../config.ts';
import { startOrders } from '../service.ts';
import { assigned, newOrderToken, payment } from './builders.ts';
import { openOrders, type OrdersFixture } from './fixture.ts';
import { approved, submitted } from './news.ts';

let orders: OrdersFixture;
beforeAll(async () => {
  orders = await openOrders();
});
afterAll(() => orders.close());

async function paidOrder(email = 'alba@mail.test') {
  const event = payment({ customer: { email, name: 'Alba Díaz' } });
  await orders.publish(event);
  await orders.order(event.data.orderId);
  return event.data;
}

const tokenOf = (email: string, emailVerified = true) =>
  orders.identity.token({ role: 'customer', id: email, email, emailVerified });

const listen = (path: string, token?: string, url = orders.service.url) =>
  listenTo(url, path, token === undefined ? {} : { token });

const isAssigned = (orderId: string) => (message: { orderId: string; status: string }) =>
  message.orderId === orderId && message.status === 'assigned';

/** A second process on the same engines. It hears no events: what it knows, it read in the store. */
async function startReplica() {
  const { databaseUrl } = orders.platform;
  const platform = await openTestPlatform({ databaseUrl });
  const config: OrdersConfig = {
    ...testServiceConfig({ databaseUrl, jwksUrl: orders.identity.jwksUrl }),
    ...{ statsBaselineTrees: 0, statsCacheMs: 20, organisation: { name: 'Arboleda' } },
  };
  const silent = { ...platform, bus: { ...platform.bus, subscribe: async () => {} } };
  const service = await startOrders(config, { platform: silent });
  return {
    url: service.url,
    stop: () => service.close(),
    async close() {
      await service.close();
      await platform.close();
    },
  };
}

describe('a change of an order', () => {
  test('is heard by who has its link, its customer and admins, without a word about anybody', async () => {
    const order = await paidOrder();
    const everybody = await Promise.all([
      listen(`/api/track/${order.orderToken}/events`),
      listen('/api/customers/orders/events', await tokenOf('ALBA@mail.test')),
      listen('/api/admin/orders/events', orders.adminToken),
    ]);
    await orders.publish(assigned(order.orderId));
    for (const one of everybody) {
      const message = await waitFor(() => one.heard.find(isAssigned(order.orderId)));
      expect(message).toEqual({
        ...{ orderId: order.orderId, status: 'assigned', revision: 1, updatedAt: expect.any(String) },
      });
      expect(one.headers.get('content-type')).toMatch(/^text\/event-stream/);
      expect(one.text()).not.toMatch(/@|Alba|Díaz|300 1234567/);
      await one.leave();
    }
  });

  test('made by one replica is heard at another within two seconds', async () => {
    const replica = await startReplica();
    const order = await paidOrder();
    const there = await listen(`/api/track/${order.orderToken}/events`, undefined, replica.url);
    const askedAt = performance.now();
    await orders.publish(assigned(order.orderId));
    await waitFor(() => there.heard.find(isAssigned(order.orderId)));
    expect(performance.now() - askedAt).toBeLessThan(2_500);
    await there.leave();
    await replica.close();
  });

  test('is not heard by others', async () => {
    const [theirs, other] = [await paidOrder('alba@mail.test'), await paidOrder('bruno@mail.test')];
    const strangers = await Promise.all([
      listen(`/api/track/${other.orderToken}/events`),
      listen('/api/customers/orders/events', await tokenOf('bruno@mail.test')),
      listen('/api/customers/orders/events', await tokenOf('alba@mail.test', false)),
    ]);
    const admin = await listen('/api/admin/orders/events', orders.adminToken);
    await orders.publish(assigned(theirs.orderId));
    await waitFor(() => admin.heard.find(isAssigned(theirs.orderId)));
    for (const one of strangers) {
      expect(one.heard.filter(({ orderId }) => orderId === theirs.orderId)).toEqual([]);
      await one.leave();
    }
    await admin.leave();
  });

  test('is heard when the money of a transfer is found, too', async () => {
    const { data } = payment();
    const order = submitted(data.orderId);
    await orders.publish(order);
    const { orderToken } = order.data as { orderToken: string };
    const guest = await waitFor(async () => {
      const one = await listen(`/api/track/${orderToken}/events`);
      return one.status === 200 && one;
    });
    await orders.publish(approved(data.orderId));
    await waitFor(() => guest.heard.length > 0);
    await guest.leave();
  });
});

describe('listening', () => {
  test('ends when the service stops, so that listeners ask another one', async () => {
    const replica = await startReplica();
    const order = await paidOrder();
    const guest = await listen(`/api/track/${order.orderToken}/events`, undefined, replica.url);
    await replica.stop();
    await guest.ended;
    expect(guest.status).toBe(200);
    await replica.close();
  });

  test.each([
    ['/api/customers/orders/events', 'customer'],
    ['/api/admin/orders/events', 'admin'],
  ] as const)('to %s is for the %s alone', async (path, allowed) => {
    expect((await listen(path)).status).toBe(401);
    for (const role of (['customer', 'worker', 'admin'] as const).filter((one) => one !== allowed)) {
      expect((await listen(path, await orders.identity.token({ role }))).status).toBe(403);
    }
  });

  test('to an order by a link that nobody has finds nothing', async () => {
    expect((await listen(`/api/track/${newOrderToken()}/events`)).status).toBe(404);
  });

  test('is refused to one address that listens too often, and shown to operators', async () => {
    const order = await paidOrder();
    const path = `/api/track/${order.orderToken}/events`;
    const many = await Promise.all(Array.from({ length: 20 }, () => listen(path)));
    expect(many.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    const next = await listen(path);
    expect(next.status).toBe(429);
    expect(next.headers.get('retry-after')).toBe('15');
    const figures = await (await fetch(`${orders.service.url}/metrics`)).text();
    expect(figures).toMatch(/^live_listeners\{service="orders"\} 20$/m);
    await Promise.all(many.map((one) => one.leave()));
    await waitFor(async () => {
      const one = await listen(path);
      await one.leave();
      return one.status === 200;
    });
  });
});
