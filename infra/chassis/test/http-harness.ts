import { endpoint, type Endpoint } from '@arboleda/contracts/endpoint.ts';
import { Writable } from 'node:stream';
import { z } from 'zod';
import type { Admission } from '../http/admission.ts';
import { serviceApp } from '../http/app.ts';
import type { Call } from '../http/handlers.ts';
import { openIdentity } from '../http/identity.ts';
import { openMetrics } from '../http/metrics.ts';
import { contractRouter } from '../http/router.ts';
import { listen } from '../http/server.ts';
import { openLogger } from '../log.ts';
import type { Readiness } from '../readiness.ts';
import { TEST_SERVICE_KEYS } from '../testing/config.ts';
import { startTestIdentity } from '../testing/identity.ts';

type AnyHandler = (call: Call<Endpoint>) => Promise<unknown>;
/** Endpoints by key, with their handlers. */
type Routes = Record<string, { declared?: Partial<Endpoint>; handle?: AnyHandler }>;

/** A public endpoint of orders that returns anything, unless declared otherwise. */
const declare = (declared: Partial<Endpoint> = {}): Endpoint =>
  endpoint({ service: 'orders', summary: 'Test', access: 'public', response: z.unknown(), ...declared });

/** Starts the HTTP layer of a service without engines. */
export async function startHttp(
  routes: Routes,
  options: {
    admission?: Admission;
    ready?: () => Promise<Readiness>;
    draining?: () => boolean;
    deadlineMs?: number;
    stopping?: AbortSignal;
    askAgainMs?: number;
    now?: () => number;
    stopWithinMs?: number;
  } = {},
) {
  const identity = await startTestIdentity();
  const lines: Record<string, unknown>[] = [];
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      for (const line of chunk.toString().trim().split('\n')) lines.push(JSON.parse(line));
      done();
    },
  });
  const logger = openLogger('orders', 'info', output);
  const metrics = openMetrics('orders');
  const router = contractRouter(
    Object.fromEntries(Object.entries(routes).map(([key, { declared }]) => [key, declare(declared)])),
    Object.fromEntries(
      Object.entries(routes).map(([key, { handle }]) => [key, handle ?? (async () => ({}))]),
    ),
    openIdentity({
      jwksUrl: identity.jwksUrl,
      serviceKeys: TEST_SERVICE_KEYS,
      service: 'orders',
      now: options.now,
    }),
    options,
  );
  const ready = options.ready ?? (async () => ({ ready: true, waitingFor: [] }));
  const draining = options.draining ?? (() => false);
  const app = serviceApp({ service: 'orders', metrics, logger, ready, routes: () => router, draining });
  const server = await listen(app, { host: '127.0.0.1', port: 0, ...options });
  return {
    url: server.url,
    identity,
    /** Log lines. */
    lines,
    stop: server.close,
    async send(method: string, path: string, init: Omit<RequestInit, 'method'> = {}) {
      const response = await fetch(new URL(path, server.url), { method, ...init });
      const text = await response.text();
      const json = /\bjson\b/.test(response.headers.get('content-type') ?? '');
      return {
        status: response.status,
        headers: response.headers,
        text,
        body: json ? JSON.parse(text) : undefined,
      };
    },
    async close() {
      await server.close();
      await identity.close();
    },
  };
}
export type TestHttp = Awaited<ReturnType<typeof startHttp>>;

export const json = (value: unknown, headers: Record<string, string> = {}) => ({
  body: JSON.stringify(value),
  headers: { 'Content-Type': 'application/json', ...headers },
});
