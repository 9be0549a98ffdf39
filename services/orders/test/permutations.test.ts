import { testGiftToken, testOrderToken } from '@arboleda/chassis/testing/config.ts';
import type { EventHandler, EventHandlers } from '@arboleda/chassis/ports/event-bus.ts';
import { openTestPlatform, type TestPlatform } from '@arboleda/chassis/testing/platform.ts';
import { type EventProbe, probeEvents } from '@arboleda/chassis/testing/probe.ts';
import { type Chance, seeded } from '@arboleda/chassis/testing/seeded.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import type { ArboledaEvent, EventData, NewEvent } from '@arboleda/contracts/events/index.ts';
import { ORDER_STATUSES, type OrderStatus } from '@arboleda/contracts/order.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { consumers } from '../consumers.ts';
import { decideStatus } from '../order/status.ts';
import { openErasedAccounts } from '../order/erased-accounts.ts';
import { openReceiptNumbers } from '../documents/numbers.ts';
import { openOrderStore } from '../store.ts';
import { MIGRATIONS } from '../order/store.ts';
import type { OrderStore } from '../store.ts';
import { adminView } from '../order/views/admin.ts';
import { ANA, assigned, completed, minute, newOrderId, payment, photo, planted } from './builders.ts';
import { enveloped, TEMPLATE } from './fixture.ts';
import * as eventBuilders from './event-builders.ts';

describe('permutations', () => {
  let platform: TestPlatform;

  let store: OrderStore;

  let handlers: EventHandlers;

  let probe: EventProbe;

  beforeAll(async () => {
    platform = await openTestPlatform({ template: TEMPLATE });
    const sql = await platform.sql('orders', MIGRATIONS);
    store = openOrderStore(sql);
    handlers = consumers(
      store,
      openErasedAccounts(sql),
      { orderToken: testOrderToken, giftToken: testGiftToken },
      openReceiptNumbers(sql),
      async () => undefined,
    );
    probe = await probeEvents(platform, ['order.created', 'order.status_changed']);
  });

  afterAll(() => platform.close());

  const LIVES = 40;

  const TIMEOUT_MS = 120_000;

  /** Concurrently, as one order's events do not affect another. */
  const eachLife = (live: (seed: number) => Promise<void>) =>
    Promise.all(Array.from({ length: LIVES }, (_, seed) => live(seed)));

  const PABLO = { ...ANA, workerId: 'worker-pablo', name: 'Pablo Mora' };

  const photosOf = (orderId: string): NewEvent[] => {
    const at = { latitude: 4.6, longitude: -75.5 };
    return [
      photo(orderId, { photoId: 'photo-1', uploadedAt: minute(30) }),
      photo(orderId, { photoId: 'b', uploadedAt: minute(31), coordinates: at, flags: ['far-from-place'] }),
      photo(orderId, {
        photoId: 'c',
        uploadedAt: minute(32),
        coordinates: { latitude: 4.7, longitude: -75.6 },
      }),
    ];
  };

  /** Paid by card, planted and completed. */
  const byCard = (orderId: string): NewEvent[] => [
    payment({ orderId }),
    assigned(orderId),
    planted(orderId),
    ...photosOf(orderId),
    completed(orderId, { notes: 'All well' }),
  ];

  /** Paid by transfer, reassigned, partly refunded, disputed, with growth updates. */
  const byTransfer = (orderId: string): NewEvent[] => [
    eventBuilders.submitted(orderId),
    eventBuilders.approved(orderId),
    assigned(orderId),
    planted(orderId),
    assigned(orderId, {
      statusRevision: 2,
      worker: PABLO,
      by: eventBuilders.LUCIA,
      reason: 'Ana is ill',
      at: minute(40),
    }),
    completed(orderId, { statusRevision: 3, worker: PABLO }),
    ...photosOf(orderId),
    eventBuilders.hidden(orderId),
    eventBuilders.restored(orderId),
    eventBuilders.refunded(orderId, { amountMinor: 1000, refundedMinor: 1000, isFull: false }),
    eventBuilders.refunded(orderId, {
      refundId: 'refund-2',
      amountMinor: 500,
      refundedMinor: 1500,
      isFull: false,
      at: minute(71),
    }),
    eventBuilders.disputed(orderId),
    eventBuilders.disputed(orderId, { status: 'won', at: minute(90) }),
    eventBuilders.growthBought(orderId),
    eventBuilders.growthScheduled(orderId),
    eventBuilders.growthScheduled(orderId, { days: [100, 200, 300], at: minute(102) }),
    eventBuilders.growthVisited(orderId, 1),
    eventBuilders.growthVisited(orderId, 2),
    eventBuilders.growthFinished(orderId),
  ];

  /** Submitted and rejected. */
  const rejected = (orderId: string): NewEvent[] => [
    eventBuilders.submitted(orderId),
    eventBuilders.rejected(orderId),
  ];

  /** Each event at least once, many twice: redelivered, or published again under another id. */
  const repeated = (events: readonly ArboledaEvent[], chance: Chance): ArboledaEvent[] =>
    events.flatMap((event) => {
      const again = chance.pick(['no', 'same', 'anew'] as const);
      if (again === 'no') return [event];
      return [event, again === 'same' ? event : { ...event, id: `${event.id}-again` }];
    });

  /** Delivers events as the bus does, some concurrently; failed ones are retried after the others. */
  async function deliver(events: readonly ArboledaEvent[], between: () => Promise<unknown> = async () => {}) {
    const queue = [...events];
    for (let turns = 0; queue.length > 0; turns++) {
      if (turns > 1000) throw new Error(`${queue.length} events never found their turn`);
      const some = queue.splice(0, 1 + (turns % 3));
      const handed = some.map((event) =>
        (handlers[event.type] as EventHandler)(event).catch(() => queue.push(event)),
      );
      await Promise.all([...handed, between()]);
    }
  }

  /** The admin's view without ids and times of arrival. */
  async function storyOf(orderId: string) {
    const view = adminView((await store.get(orderId))!, { adminRole: 'owner' });
    const { _id, shortId: _shortId, token: _token, updatedAt: _updatedAt, receiptNumber, ...rest } = view;
    expect(_id).toBe(orderId);
    const story = { ...rest, hasReceiptNumber: receiptNumber !== undefined };
    return JSON.parse(JSON.stringify(story).replaceAll(orderId, '(order)'));
  }

  const saidOf = (orderId: string): EventData<'order.status_changed'>[] =>
    probe
      .all('order.status_changed')
      .filter(({ key }) => key === orderId)
      .map(({ data }) => data)
      .sort((a, b) => a.statusRevision - b.statusRevision);

  test.each([
    ['paid by card', byCard, { status: 'completed', revision: 3, assignedWorker: ANA, notes: 'All well' }, 1],
    ['paid by transfer', byTransfer, { status: 'completed', revision: 4, refundedAmount: 1500 }, 1],
    ['never paid', rejected, { status: 'pending', manualPayment: { verificationStatus: 'rejected' } }, 0],
  ] as const)(
    'the life of an order that is %s ends the same however its events come and however often',
    async (_what, life, end, created) => {
      const straight = newOrderId();
      for (const event of life(straight).map(enveloped)) await deliver([event]);
      const expected = await storyOf(straight);
      expect(expected).toMatchObject(end);

      const ids = [straight];
      await eachLife(async (seed) => {
        const chance = seeded(seed);
        const orderId = newOrderId();
        ids.push(orderId);
        await deliver(chance.shuffle(repeated(life(orderId).map(enveloped), chance)));
        expect({ seed, order: await storyOf(orderId) }).toEqual({ seed, order: expected });
      });

      const revisions = Array.from({ length: expected.revision }, (_, n) => n + 1);
      for (const id of ids) {
        await waitFor(() => saidOf(id).length >= revisions.length);
        expect(saidOf(id).map(({ statusRevision }) => statusRevision)).toEqual(revisions);
        const published = () => probe.all('order.created').filter(({ key }) => key === id).length;
        await waitFor(() => published() >= created);
        expect(published()).toBe(created);
      }
    },
    TIMEOUT_MS,
  );

  test(
    'an order that is refunded, worked on and set by an admin concurrently has consecutive revisions',
    async () => {
      await eachLife(async (seed) => {
        const chance = seeded(1000 + seed);
        const orderId = newOrderId();
        const events = [...byCard(orderId), eventBuilders.refunded(orderId)].map(enveloped);
        const wanted: OrderStatus[] = chance.shuffle([...ORDER_STATUSES]).slice(0, 2);
        await deliver(chance.shuffle(repeated(events, chance)), async () => {
          const status = chance.pick(['wait', 'set'] as const) === 'set' ? wanted.pop() : undefined;
          if (status === undefined) return;
          await store.change(orderId, (order) => {
            if (!order) wanted.push(status);
            return order && decideStatus(order, { status }, eventBuilders.LUCIA, minute(55));
          });
        });

        const order = (await store.get(orderId))!;
        await waitFor(() => saidOf(orderId).length >= order.statusRevision);
        const said = saidOf(orderId);
        expect(said.map(({ statusRevision }) => statusRevision)).toEqual(said.map((_, n) => n + 1));
        expect(said.map(({ from }) => from)).toEqual(['pending', ...said.slice(0, -1).map(({ to }) => to)]);
        expect({ seed, to: said.at(-1)?.to }).toEqual({ seed, to: order.progress.status });
        expect(order.timeline.filter(({ type }) => type === 'refunded')).toHaveLength(1);
        expect(order.photos).toHaveLength(3);
        const refundedAt = said.findIndex(({ withdrawn }) => withdrawn);
        // After a full refund, pending is published as withdrawn, whoever set it.
        const afterwards = refundedAt < 0 ? [] : said.slice(refundedAt);
        for (const { to, withdrawn } of afterwards) expect(withdrawn ?? false).toBe(to === 'pending');
      });
    },
    TIMEOUT_MS,
  );
});
