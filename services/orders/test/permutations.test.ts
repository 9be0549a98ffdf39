import { openTestPlatform, type TestPlatform } from '@arboleda/chassis/testing/platform.ts';
import { type EventProbe, probeEvents } from '@arboleda/chassis/testing/probe.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import type { EventHandler, EventHandlers } from '@arboleda/chassis/ports/event-bus.ts';
import { type Chance, seeded } from '@arboleda/chassis/testing/seeded.ts';
import type { ArboledaEvent } from '@arboleda/contracts/events/index.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { consumers } from '../consumers.ts';
import { openStore, type OrderStore } from '../store.ts';
import { adminView } from '../views/admin.ts';
import {
  ANA,
  assigned,
  completed,
  minute,
  newOrderId,
  newOrderToken,
  payment,
  photo,
  planted,
} from './builders.ts';
import { enveloped } from './fixture.ts';

let platform: TestPlatform;
let store: OrderStore;
let handlers: EventHandlers;
let probe: EventProbe;
beforeAll(async () => {
  platform = await openTestPlatform();
  store = await openStore(await platform.documents('orders'));
  handlers = consumers(store);
  probe = await probeEvents(platform, ['order.created', 'order.status_changed']);
});
afterAll(() => platform.close());

/** Fewer where a database in a container is slow. */
const LIVES = process.env.TEST_MONGODB_URL ? 12 : 60;

/** All that is ever said of one order, as it happened. */
function life(orderId: string, orderToken: string): ArboledaEvent[] {
  const coordinates = { latitude: 4.6, longitude: -75.5 };
  return [
    payment({ orderId, orderToken }),
    assigned(orderId),
    planted(orderId),
    photo(orderId, { photoId: 'a', uploadedAt: minute(30) }),
    photo(orderId, { photoId: 'b', uploadedAt: minute(31), coordinates }),
    photo(orderId, {
      photoId: 'c',
      uploadedAt: minute(32),
      coordinates: { latitude: 4.7, longitude: -75.6 },
    }),
    completed(orderId, { notes: 'All well' }),
  ].map(enveloped);
}

/** Each event once at least, many twice: redelivered, or said again under another id. */
const repeated = (events: readonly ArboledaEvent[], chance: Chance): ArboledaEvent[] =>
  events.flatMap((event) => {
    const again = chance.pick(['no', 'same', 'anew'] as const);
    if (again === 'no') return [event];
    return [event, again === 'same' ? event : { ...event, id: `${event.id}-again` }];
  });

/** Hands events over as the bus would: what throws comes again behind the others. */
async function deliver(events: readonly ArboledaEvent[]): Promise<void> {
  const queue = [...events];
  for (let turns = 0; queue.length > 0; turns++) {
    if (turns > 500) throw new Error(`${queue.length} events never found their turn`);
    const event = queue.shift()!;
    await (handlers[event.type] as EventHandler)(event).catch(() => queue.push(event));
  }
}

/** What an admin sees, without the order's own names. */
async function storyOf(orderId: string) {
  const { _id, shortId: _shortId, token: _token, ...rest } = adminView((await store.orders.get(orderId))!);
  expect(_id).toBe(orderId);
  return JSON.parse(JSON.stringify(rest).replaceAll(orderId, '(order)'));
}

test('an order’s life ends the same however its events come and however often', async () => {
  const straight = newOrderId();
  await deliver(life(straight, newOrderToken()));
  const expected = await storyOf(straight);
  expect(expected).toMatchObject({
    status: 'completed',
    revision: 3,
    assignedWorker: ANA,
    notes: 'All well',
  });
  expect(expected.photos).toHaveLength(3);

  const ids: string[] = [];
  for (let seed = 0; seed < LIVES; seed++) {
    const chance = seeded(seed);
    const orderId = newOrderId();
    ids.push(orderId);
    await deliver(chance.shuffle(repeated(life(orderId, newOrderToken()), chance)));
    expect({ seed, order: await storyOf(orderId) }).toEqual({ seed, order: expected });
  }

  await waitFor(() => probe.all('order.status_changed').length >= 3 * (LIVES + 1));
  const said = new Map<string, string[]>();
  for (const { key, data } of probe.all('order.status_changed'))
    said.set(key, [...(said.get(key) ?? []), data.to]);
  for (const id of ids) expect(said.get(id)).toEqual(['assigned', 'planted', 'completed']);
  expect(probe.all('order.created')).toHaveLength(LIVES + 1);
});
