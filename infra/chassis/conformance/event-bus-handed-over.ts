import { describe, expect, test } from '@jest/globals';
import { currentContext } from '../context.ts';
import type { EventBus } from '../ports/event-bus.ts';
import { anOrderId, someEvent } from '../testing/events.ts';
import { gate } from '../testing/gate.ts';
import { waitFor } from '../testing/wait.ts';
import { aGroup, type BusEngine, listenOn } from './event-bus-kit.ts';

/** How events go that their process handed over. @param engine once a test runs */
export function eventsAreHandedOver(engine: () => BusEngine, bus: () => EventBus): void {
  describe('what is handed over', () => {
    test('reaches every group, and may be forgotten when its promise resolves', async () => {
      const [first, second] = [await listenOn(bus()), await listenOn(bus())];
      const events = [someEvent(), someEvent()];
      const kept = await bus().handOver(events);
      expect(kept).toHaveLength(2);
      await Promise.all(kept);
      for (const { ids } of [first, second]) {
        await waitFor(() => ids().length === 2);
        expect(ids().sort()).toEqual(events.map(({ id }) => id).sort());
      }
    });

    test('keeps the order of one key, together with what is published', async () => {
      const heard: number[] = [];
      const key = anOrderId();
      await bus().subscribe(aGroup(), {
        'payment.failed': async ({ sequence }) => {
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 4));
          heard.push(sequence);
        },
      });
      for (let n = 0; n < 40; n++) {
        const next = [someEvent(key, 'a', 2 * n), someEvent(key, 'b', 2 * n + 1)];
        // Long enough for whatever was published to be handled, now and then.
        if (n % 10 === 9) await waitFor(() => heard.length === 2 * n);
        if (n % 10 === 0) await bus().publish(next);
        else await bus().handOver(next);
      }
      await waitFor(() => heard.length === 80);
      expect(heard).toEqual(Array.from({ length: 80 }, (_, n) => n));
    });

    test('is not passed by what is published after it, however long it takes', async () => {
      const slow = gate();
      const heard: string[] = [];
      const key = anOrderId();
      await bus().subscribe(aGroup(), {
        'payment.failed': async (event) => {
          if (event.data.reason === 'slow') await slow.opened;
          heard.push(event.data.reason);
        },
      });
      const warm = someEvent(key, 'warm');
      await bus().publish([warm]);
      await waitFor(() => heard.includes('warm'));
      // Long enough for a bus that looks whether its queue is empty.
      await new Promise((resolve) => setTimeout(resolve, 300));
      await bus().handOver([someEvent(key, 'slow')]);
      await bus().publish([someEvent(key, 'next')]);
      await bus().handOver([someEvent(key, 'last')]);
      // Some of them may share its lane.
      await bus().publish(Array.from({ length: 12 }, () => someEvent(anOrderId(), 'other')));
      await waitFor(() => heard.includes('other'));
      const ofKey = () => heard.filter((reason) => reason !== 'other');
      expect(ofKey()).toEqual(['warm']);
      slow.open();
      await waitFor(() => heard.includes('last'));
      expect(ofKey()).toEqual(['warm', 'slow', 'next', 'last']);
    });

    test('does not make one key wait for another', async () => {
      const slow = gate();
      const heard: string[] = [];
      const held = anOrderId();
      await bus().subscribe(aGroup(), {
        'payment.failed': async (event) => {
          if (event.key === held) await slow.opened;
          heard.push(event.key);
        },
      });
      await bus().handOver([someEvent(held)]);
      await bus().handOver(Array.from({ length: 6 }, () => someEvent()));
      await waitFor(() => heard.length >= 4);
      expect(heard).not.toContain(held);
      slow.open();
      await waitFor(() => heard.length === 7);
    });

    test('is tried again when a handler fails, and is put aside in the end', async () => {
      const group = aGroup();
      const [late, poison] = [someEvent(), someEvent()];
      const attempts = new Map([late, poison].map(({ id }) => [id, 0]));
      await bus().subscribe(group, {
        'payment.failed': async ({ id }) => {
          attempts.set(id, attempts.get(id)! + 1);
          if (id === poison.id || attempts.get(id)! < engine().attempts) throw new Error('not yet');
        },
      });
      await Promise.all(await bus().handOver([late, poison]));
      await waitFor(async () => (await bus().deadLetters(group)).length > 0);
      await waitFor(() => attempts.get(late.id) === engine().attempts);
      expect(attempts.get(poison.id)).toBe(engine().attempts);
      expect(await bus().deadLetters(group)).toMatchObject([{ event: poison }]);
    });

    test('waits for a group that is away', async () => {
      const earlier = await engine().connect();
      const { group } = await listenOn(earlier);
      await earlier.close();
      const here = await engine().connect();
      const bystander = await listenOn(here);
      const event = someEvent();
      await Promise.all(await here.handOver([event]));
      await waitFor(() => bystander.ids().includes(event.id));
      const back = await listenOn(await engine().connect(), group);
      await waitFor(() => back.ids().includes(event.id));
    });

    test('is handled in the name of what led to it, as it would come back from the bus', async () => {
      let heard: unknown;
      let context: unknown;
      await bus().subscribe(aGroup(), {
        'payment.failed': async (event) => {
          context = currentContext();
          heard = event;
        },
      });
      const event = someEvent();
      await bus().handOver([event]);
      await waitFor(() => heard !== undefined);
      const { correlationId, id: causationId, key: orderId } = event;
      expect(context).toEqual({ correlationId, causationId, orderId });
      expect(heard).toStrictEqual(JSON.parse(JSON.stringify(event)));
    });
  });
}
