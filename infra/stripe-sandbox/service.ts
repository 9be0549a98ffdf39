import express from 'express';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pagesRouter } from './browser/pages.ts';
import { hostedPageRouter } from './checkout/hosted-page.ts';
import { expireSessions, sessionEndpoints } from './checkout/sessions.ts';
import { controlRouter } from './control.ts';
import { withoutRequest } from './events.ts';
import { apiRouter } from './http/endpoint.ts';
import { readingEndpoints } from './http/lists.ts';
import type { Charge } from './objects.ts';
import { cardEndpoints } from './payments/cards.ts';
import { intentEndpoints } from './payments/intents.ts';
import { isSettled, settleCharge } from './payments/money.ts';
import { refundEndpoints } from './payments/refunds.ts';
import { openStore, type Store } from './storage/store.ts';
import { startDeliverer } from './webhooks.ts';

export interface StripeSandboxConfig {
  /** 0 picks a free port. */
  port: number;
  host?: string;
  dataDir: string;
  secretKey: string;
  publishableKey: string;
  webhookSecret: string;
  /** Events wait until it is set. */
  webhookUrl?: string | undefined;
  webhookRetryDelaysMs?: number[] | undefined;
  /** Delay from a payment to its settlement; with Infinity the control API settles. */
  settleAfterMs?: number | undefined;
}

export interface StripeSandbox {
  url: string;
  apiUrl: string;
  scriptUrl: string;
  setWebhookUrl(url: string): void;
  close(): Promise<void>;
}

/** Growing like Stripe's, but shorter, for people who wait at a screen. */
const RETRY_DELAYS_MS = [500, 1000, 2000, 5000, 10_000, 30_000, 60_000, 5 * 60_000, 30 * 60_000, 60 * 60_000];
const EXPIRY_SWEEP_MS = 30_000;
/** Stripe takes seconds. */
const SETTLE_AFTER_MS = 1_000;

/** Starts a server with the part of Stripe's API that Arboleda uses. For development only. */
export async function startStripeSandbox(config: StripeSandboxConfig): Promise<StripeSandbox> {
  const nowMs = Date.now;
  const host = config.host ?? '127.0.0.1';
  const keys = { secretKey: config.secretKey, publishableKey: config.publishableKey };
  const store = await openStore(config.dataDir, nowMs);
  const deliverer = startDeliverer({
    store,
    secret: config.webhookSecret,
    url: config.webhookUrl,
    retryDelaysMs: config.webhookRetryDelaysMs ?? RETRY_DELAYS_MS,
    nowMs,
  });

  let url = '';
  const endpoints = [
    ...intentEndpoints,
    ...cardEndpoints,
    ...refundEndpoints,
    ...sessionEndpoints,
    ...readingEndpoints,
  ];
  const app = express().disable('x-powered-by').disable('etag');
  app.use('/v1', apiRouter(endpoints, { store, keys, nowMs, apiUrl: () => url }));
  app.use('/sandbox', controlRouter({ store, deliverer, keys, nowMs }));
  app.use('/c/pay', hostedPageRouter({ store, nowMs, publishableKey: config.publishableKey }));
  app.use(await pagesRouter({ store, publishableKey: config.publishableKey }));
  app.get(
    '/',
    (_req, res) => void res.type('text').send('Stripe sandbox: see infra/stripe-sandbox/README.md\n'),
  );

  const server = createServer(app);
  try {
    await once(server.listen(config.port, host), 'listening');
  } catch (error) {
    await deliverer.close();
    await store.close();
    throw error;
  }
  const { port } = server.address() as AddressInfo;
  url = `http://${host === '0.0.0.0' || host === '::' ? 'localhost' : host}:${port}`;
  const sweep = setInterval(
    () => void store.transact((tx) => expireSessions(withoutRequest(tx, nowMs()))),
    EXPIRY_SWEEP_MS,
  ).unref();
  const { settleAfterMs = SETTLE_AFTER_MS } = config;
  const settling = Number.isFinite(settleAfterMs)
    ? setInterval(
        () => void settleCharges(store, nowMs(), settleAfterMs),
        Math.max(settleAfterMs, 100),
      ).unref()
    : undefined;

  return {
    url,
    apiUrl: url,
    scriptUrl: `${url}/endive/stripe.js`,
    setWebhookUrl: (next) => deliverer.setUrl(next),
    async close() {
      clearInterval(sweep);
      clearInterval(settling);
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      await deliverer.close();
      server.closeAllConnections();
      await closed;
      await store.close();
    },
  };
}

async function settleCharges(store: Store, nowMs: number, afterMs: number): Promise<void> {
  const isDue = (charge: Charge) => !isSettled(charge) && nowMs - charge.created * 1000 >= afterMs;
  if (!store.all('charges').some(isDue)) return;
  await store.transact((tx) => {
    for (const charge of tx.all('charges').filter(isDue)) settleCharge(withoutRequest(tx, nowMs), charge);
  });
}
