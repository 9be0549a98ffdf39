import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Stripe from 'stripe';
import { startStripeSandbox, type StripeSandbox, type StripeSandboxConfig } from '../service.ts';

export const SECRET_KEY = 'sk_test_sandbox';
export const PUBLISHABLE_KEY = 'pk_test_sandbox';
export const WEBHOOK_SECRET = 'whsec_sandbox';

export interface TestSandbox extends StripeSandbox {
  dataDir: string;
  /** The official client, without retries. */
  stripe: Stripe;
  /** The control API; throws on an error status. */
  control(method: 'GET' | 'PUT' | 'POST', path: string, body?: object): Promise<Record<string, any>>; // eslint-disable-line @typescript-eslint/no-explicit-any
  /** A request like those of the browser's script. */
  browser(
    method: 'GET' | 'POST',
    path: string,
    params: Record<string, string>,
  ): Promise<{ status: number; body: any }>; // eslint-disable-line @typescript-eslint/no-explicit-any
  /** Stops the sandbox and deletes its data. */
  remove(): Promise<void>;
}

export function clientOf(apiUrl: string, key = SECRET_KEY): Stripe {
  const { hostname, port } = new URL(apiUrl);
  return new Stripe(key, {
    host: hostname,
    port: Number(port),
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
  });
}

/** Starts a sandbox on a free port with its own folder. */
export async function openSandbox(overrides: Partial<StripeSandboxConfig> = {}): Promise<TestSandbox> {
  const dataDir = overrides.dataDir ?? (await mkdtemp(join(tmpdir(), 'stripe-sandbox-')));
  const sandbox = await startStripeSandbox({
    port: 0,
    dataDir,
    secretKey: SECRET_KEY,
    publishableKey: PUBLISHABLE_KEY,
    webhookSecret: WEBHOOK_SECRET,
    webhookRetryDelaysMs: [10, 20, 40],
    settleAfterMs: Infinity,
    ...overrides,
  });
  return {
    ...sandbox,
    dataDir,
    stripe: clientOf(sandbox.apiUrl),
    async control(method, path, body) {
      const response = await fetch(`${sandbox.url}/sandbox${path}`, {
        method,
        headers: { Authorization: `Bearer ${SECRET_KEY}`, 'Content-Type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      const answer = (await response.json()) as { error?: { message: string } };
      if (answer.error) throw new Error(answer.error.message);
      return answer;
    },
    async browser(method, path, params) {
      const form = new URLSearchParams({ key: PUBLISHABLE_KEY, ...params });
      const response =
        method === 'GET'
          ? await fetch(`${sandbox.apiUrl}/v1${path}?${form}`)
          : await fetch(`${sandbox.apiUrl}/v1${path}`, { method, body: form });
      return { status: response.status, body: await response.json() };
    },
    async remove() {
      await sandbox.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

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
