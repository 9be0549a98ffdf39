import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ArboledaEvent } from '@arboleda/contracts/events/index.ts';
import { MAX_CRASHES_ALONE, SUSPECT_AFTER_CRASHES } from '../poison-message-guard.ts';
import { currentContext } from '../context.ts';
import type { EventBus } from '../ports/event-bus.ts';
import { anOrderId, someEvent } from '../testing/events.ts';
import { gate } from '../testing/gate.ts';
import { startVictims } from '../testing/victims.ts';
import { waitFor } from '../testing/wait.ts';
import { aGroup, type BusEngine, type Failed, listenOn } from './event-bus-harness.ts';

/** The contract of every EventBus. */
export function eventBusConformance(open: () => Promise<BusEngine>): void {
  describe('an event bus', () => {
    let engine: BusEngine;
    let bus: EventBus;
    beforeAll(async () => {
      engine = await open();
      bus = await engine.connect();
    });
    afterAll(() => engine.close());

    const listen = (on = bus, group = aGroup()) => listenOn(on, group);

    test('delivers an event to every group that subscribes to its type, unchanged', async () => {
      const [first, second] = [await listen(), await listen()];
      const others: unknown[] = [];
      await bus.subscribe(aGroup(), { 'worker.updated': async (event) => void others.push(event) });
      const event = someEvent();
      await bus.publish([event]);
      await waitFor(() => first.ids().includes(event.id) && second.ids().includes(event.id));
      expect(first.received).toEqual([event]);
      expect(second.received).toEqual([event]);
      expect(others).toEqual([]);
    });

    test('delivers an event to one replica of a group', async () => {
      const here = await listen();
      const there = await listen(await engine.connect(), here.group);
      const events = Array.from({ length: 40 }, () => someEvent());
      await bus.publish(events);
      const all = () => [...here.ids(), ...there.ids()];
      await waitFor(() => all().length >= events.length);
      expect(all().sort()).toEqual(events.map((event) => event.id).sort());
    });

    test('keeps the order within a key, over two replicas and many batches', async () => {
      const group = aGroup();
      const received: Failed[] = [];
      const handle = async (event: Failed) => {
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 4));
        received.push(event);
      };
      await bus.subscribe(group, { 'payment.failed': handle });
      await (await engine.connect()).subscribe(group, { 'payment.failed': handle });
      const keys = Array.from({ length: 5 }, anOrderId);
      for (let round = 0; round < 8; round++) {
        await bus.publish(
          keys.flatMap((key) => [someEvent(key, 'a', 2 * round), someEvent(key, 'b', 2 * round + 1)]),
        );
      }
      await waitFor(() => received.length >= 80);
      for (const key of keys) {
        const sequences = received.filter((event) => event.key === key).map((event) => event.sequence);
        expect(sequences).toEqual(Array.from({ length: 16 }, (_, n) => n));
      }
    });

    test('does not block other keys behind a slow one', async () => {
      const slow = gate();
      const received: string[] = [];
      const held = anOrderId();
      await bus.subscribe(aGroup(), {
        'payment.failed': async (event) => {
          if (event.key === held) await slow.opened;
          received.push(event.key);
        },
      });
      const others = Array.from({ length: 6 }, anOrderId);
      await bus.publish([held, ...others].map((key) => someEvent(key)));
      // One of the others may share its lane with the slow one.
      await waitFor(() => received.length >= others.length - 2);
      expect(received).not.toContain(held);
      slow.open();
      await waitFor(() => received.length === 7);
    });

    test('retries when a handler fails', async () => {
      let attempts = 0;
      await bus.subscribe(aGroup(), {
        'payment.failed': async () => {
          attempts++;
          if (attempts < engine.attempts) throw new Error('an earlier event has not arrived yet');
        },
      });
      await bus.publish([someEvent()]);
      await waitFor(() => attempts === engine.attempts);
      expect(await bus.deadLetters()).toEqual([]);
    });

    test('dead-letters an event after the last attempt, lets others pass, and replays it on request', async () => {
      const group = aGroup();
      const key = anOrderId();
      const [poison, healthy] = [someEvent(key, 'poison'), someEvent(key, 'healthy')];
      let cured = false;
      const handled: string[] = [];
      await bus.subscribe(group, {
        'payment.failed': async (event) => {
          if (event.data.reason === 'poison' && !cured) throw new Error('cannot digest');
          handled.push(event.id);
        },
      });
      const bystander = await listen();
      await bus.publish([poison, healthy]);
      const [letter] = await waitFor(async () => {
        const letters = await bus.deadLetters(group);
        return letters.length > 0 && letters;
      });
      expect(handled).toEqual([healthy.id]);
      expect(letter).toMatchObject({ group, event: poison, error: expect.stringContaining('cannot digest') });
      expect(Date.parse(letter!.failedAt)).not.toBeNaN();
      expect(await bus.deadLetters(bystander.group)).toEqual([]);

      cured = true;
      expect(await bus.replay(letter!.id)).toBe(true);
      await waitFor(() => handled.includes(poison.id));
      expect(await bus.deadLetters(group)).toEqual([]);
      expect(await bus.replay(letter!.id)).toBe(false);
      expect(await bus.replay('no such letter')).toBe(false);

      cured = false;
      const hopeless = someEvent(key, 'poison');
      await bus.publish([hopeless]);
      const [second] = await waitFor(async () => {
        const letters = await bus.deadLetters(group);
        return letters.length > 0 && letters;
      });
      expect(await bus.discard('no such letter')).toBe(false);
      expect(await bus.discard(second!.id)).toBe(true);
      expect(await bus.deadLetters(group)).toEqual([]);
      expect([await bus.discard(second!.id), await bus.replay(second!.id)]).toEqual([false, false]);
      await waitFor(() => bystander.ids().length === 3);
      expect(bystander.ids().sort()).toEqual([poison.id, healthy.id, hopeless.id].sort());
    });

    test('delivers an event that is published twice at most twice', async () => {
      const { ids } = await listen();
      const [event, last] = [someEvent(), someEvent()];
      await bus.publish([event]);
      await bus.publish([event, event]);
      await bus.publish([last]);
      await waitFor(() => ids().includes(event.id) && ids().includes(last.id));
      expect(ids().filter((id) => id === event.id).length).toBeLessThanOrEqual(2);
    });

    test('keeps events for a group that is disconnected', async () => {
      const earlier = await engine.connect();
      const { group } = await listen(earlier);
      await earlier.close();
      const event = someEvent();
      await bus.publish([event]);
      const back = await listen(await engine.connect(), group);
      await waitFor(() => back.ids().includes(event.id));
    });

    test('counts the events waiting for a group', async () => {
      const earlier = await engine.connect();
      const { group, ids } = await listen(earlier);
      const first = someEvent();
      await bus.publish([first]);
      await waitFor(() => ids().includes(first.id));
      await waitFor(async () => (await bus.waiting(group)) === 0);
      await earlier.close();
      await bus.publish([someEvent(), someEvent(), someEvent()]);
      await waitFor(async () => (await bus.waiting(group)) === 3);
      await listen(bus, group);
      await waitFor(async () => (await bus.waiting(group)) === 0);
    });

    test('drops events for a group that has unsubscribed', async () => {
      const { group, ids } = await listen();
      const kept = someEvent();
      await bus.publish([kept]);
      await waitFor(() => ids().includes(kept.id));
      await bus.subscribe(group, { 'worker.updated': async () => undefined });
      await bus.publish([someEvent(kept.key)]);
      const bystander = await listen();
      const last = someEvent(kept.key);
      await bus.publish([last]);
      await waitFor(() => bystander.ids().includes(last.id));
      expect(ids()).toEqual([kept.id]);
      expect(await bus.waiting(group)).toBe(0);
    });

    test('runs a handler in the context of its event', async () => {
      let context: unknown;
      await bus.subscribe(aGroup(), {
        'payment.failed': async () => void (context = currentContext()),
      });
      const event = someEvent();
      await bus.publish([event]);
      await waitFor(() => context !== undefined);
      const { correlationId, id: causationId, key: orderId } = event;
      expect(context).toEqual({ correlationId, causationId, orderId });
    });

    test('rejects an unknown event, and all others of the same call', async () => {
      const { received, ids } = await listen();
      const spoiled = { ...someEvent(), data: { orderId: 'not an order' } } as unknown as ArboledaEvent;
      await expect(bus.publish([someEvent(), spoiled])).rejects.toThrow();
      const last = someEvent();
      await bus.publish([last]);
      await waitFor(() => ids().includes(last.id));
      expect(received).toHaveLength(1);
    });

    test('finishes events in progress on closing, and does not deliver them again', async () => {
      const working = gate();
      let taken = 0;
      let finished = 0;
      const group = aGroup();
      const leaving = await engine.connect();
      await leaving.subscribe(group, {
        'payment.failed': async () => {
          taken++;
          await working.opened;
          finished++;
        },
      });
      await bus.publish([someEvent()]);
      await waitFor(() => taken === 1);
      let closed = false;
      const closing = leaving.close().then(() => (closed = true));
      const next = someEvent();
      await bus.publish([next]);
      expect(closed).toBe(false);
      working.open();
      await closing;
      const successor = await listen(bus, group);
      await waitFor(() => successor.ids().includes(next.id));
      expect(finished).toBe(1);
      expect(successor.ids()).toEqual([next.id]);
    });

    test('reports that it is healthy', async () => {
      await expect(bus.check()).resolves.toBeUndefined();
    });
  });
}

/** The contract of every EventBus when processes die, which are started one after another. */
export function poisonEventConformance(open: () => Promise<BusEngine>): void {
  test('dead-letters an event that kills its process each time, but none handled beside it', async () => {
    const engine = await open();
    const bus = await engine.connect();
    const group = aGroup();
    const victims = startVictims(group, engine.environment);
    await victims.ready();
    const events = Array.from({ length: 9 }, (_, n) => someEvent(anOrderId(), n === 4 ? 'poison' : 'fine'));
    const poison = events[4]!;
    await bus.publish(events);
    const letters = () => bus.deadLetters(group);
    await waitFor(async () => (await letters()).length > 0, 140_000);
    const others = events.filter((event) => event !== poison).map(({ id }) => id);
    await waitFor(() => others.every((id) => victims.handled().includes(id)));
    // The last process goes on.
    const next = someEvent(poison.key);
    await bus.publish([next]);
    await waitFor(() => victims.handled().includes(next.id));
    const deaths = await victims.stop();
    expect(await letters()).toMatchObject([{ event: poison, error: expect.stringContaining('died') }]);
    expect(deaths).toBeGreaterThan(MAX_CRASHES_ALONE);
    expect(deaths).toBeLessThanOrEqual(2 * (SUSPECT_AFTER_CRASHES + MAX_CRASHES_ALONE));
    await engine.close();
  }, 180_000);
}
