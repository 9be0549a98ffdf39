import { createHmac } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import type { Delivery } from './objects.ts';
import type { Store } from './storage/store.ts';

interface DelivererOptions {
  store: Store;
  /** Signs the webhooks. */
  secret: string;
  url: string | undefined;
  /** Delays before the second, third … attempt; the last one repeats. */
  retryDelaysMs: number[];
  nowMs: () => number;
}

export interface Deliverer {
  setUrl(url: string): void;
  /** Makes one attempt now. */
  attempt(id: string): Promise<Delivery | undefined>;
  close(): Promise<void>;
}

/** Stripe sends many concurrently too, and promises no order. */
const MOST_AT_ONCE = 16;

/** Sends pending webhooks until they are answered with 2xx, also those left by a crash. */
export function startDeliverer({
  store,
  secret,
  retryDelaysMs,
  nowMs,
  ...rest
}: DelivererOptions): Deliverer {
  const sender = openSender(secret, nowMs);
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
    attempt,
    async close() {
      closed = true;
      for (const timer of timers.values()) clearTimeout(timer);
      sender.close();
      await Promise.all(underway.values());
    },
  };
}

interface Sender {
  /** Posts a signed event. @returns the HTTP status @throws on a timeout */
  send(url: string, body: string): Promise<number>;
  close(): void;
}

const TIMEOUT_MS = 10_000;

/** Sends webhooks like Stripe, without following redirects. */
function openSender(secret: string, nowMs: () => number): Sender {
  const agents = { http: new http.Agent({ keepAlive: true }), https: new https.Agent({ keepAlive: true }) };
  const closing = new AbortController();
  return {
    send(url, body) {
      const secure = url.startsWith('https:');
      const options = {
        method: 'POST',
        agent: secure ? agents.https : agents.http,
        signal: AbortSignal.any([closing.signal, AbortSignal.timeout(TIMEOUT_MS)]),
        headers: {
          'Content-Type': 'application/json; charset=utf-8',
          'Content-Length': Buffer.byteLength(body),
          'Stripe-Signature': signatureHeader(body, secret, Math.floor(nowMs() / 1000)),
          'User-Agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        },
      };
      return new Promise((resolve, reject) => {
        const request = (secure ? https : http).request(url, options, (response) => {
          response.resume();
          response.on('error', reject);
          response.on('end', () => resolve(response.statusCode ?? 0));
        });
        request.on('error', reject);
        request.end(body);
      });
    },
    close() {
      closing.abort(new Error('The sandbox is closing.'));
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

/** The `Stripe-Signature` header of a body: https://docs.stripe.com/webhooks/signature */
export function signatureHeader(body: string, secret: string, timestampS: number): string {
  const v1 = createHmac('sha256', secret).update(`${timestampS}.${body}`, 'utf8').digest('hex');
  return `t=${timestampS},v1=${v1}`;
}
