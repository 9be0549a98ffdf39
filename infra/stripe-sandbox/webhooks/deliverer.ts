import type { Delivery } from '../records.ts';
import type { Store } from '../storage/store.ts';
import type { Sender } from './sender.ts';

export interface DelivererOptions {
  store: Store;
  sender: Sender;
  url: string | undefined;
  /** Delays before the second, third … attempt; the last one repeats. */
  retryDelaysMs: number[];
  nowMs: () => number;
}

export interface Deliverer {
  setUrl(url: string): void;
  url(): string | undefined;
  /** Makes one attempt now. */
  attempt(id: string): Promise<Delivery | undefined>;
  close(): Promise<void>;
}

/** Stripe sends many concurrently too, and promises no order. */
const MOST_AT_ONCE = 16;

/** Sends pending webhooks until they are answered with 2xx, also those left by a crash. */
export function startDeliverer({
  store,
  sender,
  retryDelaysMs,
  nowMs,
  ...rest
}: DelivererOptions): Deliverer {
  let url = rest.url;
  let closed = false;
  const queue: string[] = [];
  const underway = new Map<string, Promise<Delivery | undefined>>();
  const timers = new Map<string, NodeJS.Timeout>();

  const pump = () => {
    while (!closed && url && queue.length > 0 && underway.size < MOST_AT_ONCE) {
      void attempt(queue.shift() as string);
    }
  };
  const enqueue = (id: string) => {
    queue.push(id);
    pump();
  };

  function attempt(id: string): Promise<Delivery | undefined> {
    const running = underway.get(id);
    if (running) return running;
    clearTimeout(timers.get(id));
    timers.delete(id);
    const attempted = tryOnce(id)
      .catch((error) => {
        if (!closed) console.error('stripe-sandbox: a webhook was not recorded:', error);
        return undefined;
      })
      .finally(() => {
        underway.delete(id);
        pump();
      });
    underway.set(id, attempted);
    return attempted;
  }

  async function tryOnce(id: string): Promise<Delivery | undefined> {
    const delivery = store.get('deliveries', id);
    const event = delivery && store.get('events', delivery.event);
    if (!event || delivery.state !== 'pending' || !url) return delivery;
    const result = await sender.send(url, JSON.stringify(event, null, 2)).then(
      (status) => ({ lastStatus: status, lastError: null }),
      (error: Error) => ({ lastStatus: null, lastError: error.message }),
    );
    if (closed) return delivery;
    const taken = result.lastStatus !== null && result.lastStatus >= 200 && result.lastStatus < 300;
    const attempts = delivery.attempts + 1;
    const tried = await store.transact((tx) => {
      const current = tx.get('deliveries', id) ?? delivery;
      if (taken) tx.put('events', { ...event, pending_webhooks: 0 });
      return tx.put('deliveries', {
        ...current,
        ...result,
        attempts,
        state: taken ? 'delivered' : current.state,
        deliveredMs: taken ? nowMs() : null,
      });
    });
    if (tried.state === 'pending') retryLater(id, attempts);
    return tried;
  }

  function retryLater(id: string, attempts: number) {
    const delayMs = retryDelaysMs[Math.min(attempts, retryDelaysMs.length) - 1] ?? 1000;
    const timer = setTimeout(() => {
      timers.delete(id);
      enqueue(id);
    }, delayMs);
    timers.set(id, timer);
  }

  store.onCommit((changes) => {
    for (const [table, object] of changes) {
      if (table === 'deliveries' && object.state === 'pending' && object.attempts === 0) enqueue(object.id);
    }
  });
  for (const delivery of store.all('deliveries').reverse())
    if (delivery.state === 'pending') enqueue(delivery.id);

  return {
    setUrl(next) {
      url = next;
      pump();
    },
    url: () => url,
    attempt,
    async close() {
      closed = true;
      for (const timer of timers.values()) clearTimeout(timer);
      sender.close();
      await Promise.all(underway.values());
    },
  };
}
