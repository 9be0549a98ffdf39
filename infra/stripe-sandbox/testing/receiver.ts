import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { WEBHOOK_SECRET } from './sandbox.ts';

export interface Receiver {
  url: string;
  /** In order of arrival, verified by the official package. */
  events: Stripe.Event[];
  /** Status of all answers from now on. */
  answer(status: number): void;
  /** Resolves when this many events of a type (or of any) have arrived. */
  received(count: number, type?: string): Promise<Stripe.Event[]>;
  close(): Promise<void>;
}

const DEADLINE_MS = 5000;

/** A webhook endpoint like a shop's. */
export async function openReceiver(): Promise<Receiver> {
  const stripe = new Stripe('sk_test_unused');
  const events: Stripe.Event[] = [];
  let status = 200;
  let waiting: Array<() => void> = [];
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    try {
      const signature = String(req.headers['stripe-signature']);
      events.push(stripe.webhooks.constructEvent(Buffer.concat(chunks), signature, WEBHOOK_SECRET));
      res.writeHead(status).end();
    } catch (error) {
      res.writeHead(400).end((error as Error).message);
    }
    waiting.forEach((check) => check());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const matching = (type?: string) => events.filter((event) => !type || event.type === type);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    events,
    answer: (next) => (status = next),
    received: (count, type) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => {
          const seen = events.map((event) => event.type).join(', ');
          reject(new Error(`Waited for ${count} × ${type ?? 'any event'}; came: ${seen || 'nothing'}`));
        }, DEADLINE_MS);
        const check = () => {
          if (matching(type).length < count) return;
          clearTimeout(late);
          waiting = waiting.filter((other) => other !== check);
          resolve(matching(type));
        };
        waiting.push(check);
        check();
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
