import { testGiftToken } from '@arboleda/chassis/testing/config.ts';
import type { Answer } from '@arboleda/chassis/testing/request.ts';
import type { EventData, EventType } from '@arboleda/contracts/events/index.ts';
import type { Gift } from '@arboleda/contracts/gift.ts';
import { dayIn } from '@arboleda/contracts/time-zone.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterAll, beforeAll } from '@jest/globals';
import { randomUUID } from 'node:crypto';
// Loading it here takes none of the time of the first call that needs it.
import '../gift/card/page.ts';
import { payment } from './builders.ts';
import { giftTo } from './event-builders.ts';
import { openOrders, type OrdersFixture } from './fixture.ts';

/** Started before the tests of a file that imports this. */
export let orders: OrdersFixture;
beforeAll(async () => {
  orders = await openOrders();
});
afterAll(() => orders.close());

export const ALBA = { email: 'alba@mail.test', name: 'Alba Díaz' };
export const TODAY = dayIn(new Date(), 'America/Bogota');
export type Data = ReturnType<typeof payment>['data'];

/** A paid gift of Alba's. */
export async function given(
  changes: Partial<Gift> = {},
  more: Parameters<typeof payment>[0] = {},
): Promise<Data> {
  const { data } = payment({ customer: ALBA, gift: giftTo(changes), ...more });
  await orders.publish({ type: 'payment.succeeded', data });
  await orders.order(data.orderId, ({ gift }) => gift !== undefined);
  return data;
}
/** The gift once `ready` holds, as an admin sees it. */
export const giftOf = async (id: string, ready: (gift: AdminGift) => boolean = () => true) =>
  (await orders.order(id, ({ gift }) => gift !== undefined && ready(gift))).gift!;
export type AdminGift = NonNullable<Awaited<ReturnType<OrdersFixture['order']>>['gift']>;

export const eventsSoFar = <Type extends EventType>(type: Type, orderId: string): EventData<Type>[] =>
  orders.probe
    .all(type)
    .map(({ data }) => data as EventData<Type>)
    .filter((data) => (data as { orderId: string }).orderId === orderId);
/** The events of an order of one type, once there are so many. */
export const someEvents = <Type extends EventType>(type: Type, orderId: string, count = 1) =>
  waitFor(async () => {
    const events = eventsSoFar(type, orderId);
    return events.length >= count && events;
  });
/** The token of the recipient's link, which only orders and notifications can derive. */
export const tokenOf = async (orderId: string, revision = 1): Promise<string> =>
  testGiftToken(orderId, (await someEvents('gift.scheduled', orderId, revision)).at(-1)!.link);

export const refusal = ({ status, body }: Answer) => [status, body.type];
const byLink =
  (
    key:
      | 'POST /api/track/{token}/gift'
      | 'PUT /api/track/{token}/gift'
      | 'POST /api/track/{token}/gift/send-again'
      | 'POST /api/track/{token}/gift/card',
  ) =>
  ({ orderToken }: { orderToken: string }, body: object = {}) =>
    orders.call(key, { params: { token: orderToken }, body: { email: ALBA.email, ...body } });
export const look = byLink('POST /api/track/{token}/gift');
export const change = (order: Data, gift: object) => byLink('PUT /api/track/{token}/gift')(order, { gift });
export const sendAgain = byLink('POST /api/track/{token}/gift/send-again');
export const card = byLink('POST /api/track/{token}/gift/card');
export const open = (token: string) => orders.call('GET /api/gifts/{token}', { params: { token } });
export const thank = (token: string, text = 'Thank you so much!') =>
  orders.call('POST /api/gifts/{token}/thanks', { params: { token }, body: { text } });
export const decline = (token: string) =>
  orders.call('POST /api/gifts/{token}/decline', { params: { token } });

export const account = (id: string = randomUUID(), claims: object = {}) =>
  orders.identity.token({
    role: 'customer',
    id,
    name: 'Olga Ruiz',
    email: `${id}@mail.test`,
    emailVerified: true,
    ...claims,
  });
export const claim = (token: string, person: string) =>
  orders.call('POST /api/gifts/{token}/claim', { params: { token }, token: person });
export const erase = (accountId: string, email: string, changes: object = {}) =>
  orders.publish({
    type: 'customer.erased',
    data: { accountId, email, ordersToo: true, at: new Date().toISOString(), ...changes },
  });
