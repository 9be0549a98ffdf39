import { listen } from '@arboleda/chassis/http/server.ts';
import { openPool } from '@arboleda/chassis/adapters/postgres/sql/pool.ts';
import { TEST_ORDER_TOKEN_SECRET, testServiceConfig } from '@arboleda/chassis/testing/config.ts';
import { migratedTemplate } from '@arboleda/chassis/testing/database.ts';
import { startTestIdentity } from '@arboleda/chassis/testing/identity.ts';
import { openTestPlatform } from '@arboleda/chassis/testing/platform.ts';
import { probeEvents } from '@arboleda/chassis/testing/probe.ts';
import { toEnvelope } from '@arboleda/chassis/events/envelope.ts';
import { type Answer, request, type RequestParts } from '@arboleda/chassis/testing/request.ts';
import { wakeWorkers } from '@arboleda/chassis/testing/periodic.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import type { Overrides, RunningService } from '@arboleda/chassis/service.ts';
import type { Endpoints } from '@arboleda/contracts/endpoints/index.ts';
import type { NewEvent } from '@arboleda/contracts/events/index.ts';
import { QUOTE_AUDIENCE, QUOTE_ISSUER } from '@arboleda/contracts/quote.ts';
import {
  openSandbox,
  PUBLISHABLE_KEY,
  SECRET_KEY,
  WEBHOOK_SECRET,
} from '@arboleda/stripe-sandbox/test/sandbox.ts';
import { SignJWT } from 'jose';
import type { QueryResultRow } from 'pg';
import { pino } from 'pino';
import type { PaymentsConfig } from '../config.ts';
import { startPayments } from '../service.ts';
import { openStripeDoor } from './stripe-door.ts';

const QUOTE_SECRET = 'a quote secret that only tests know';
const NEVER_MS = 24 * 60 * 60 * 1000;
/** Disables the reconciler's schedule; tests run it explicitly. */
export const QUIET = {
  intervalMs: NEVER_MS,
  listsIntervalMs: NEVER_MS,
  chargesIntervalMs: NEVER_MS,
  afterMs: NEVER_MS,
};

export type Harness = Awaited<ReturnType<typeof openHarness>>;

export const TEMPLATE = migratedTemplate('payments', new URL('../migrations/', import.meta.url));

export const quoteOf = (
  claims: { currency: string; rate: number; country?: string },
  signing: { secret?: string; exp?: string | number } = {},
): Promise<string> =>
  new SignJWT({ country: 'CO', ...claims, ratesAsOf: '2026-11-20' })
    .setProtectedHeader({ alg: 'HS256' })
    .setJti('quote-1')
    .setIssuer(QUOTE_ISSUER)
    .setAudience(QUOTE_AUDIENCE)
    .setExpirationTime(signing.exp ?? '30m')
    .sign(new TextEncoder().encode(signing.secret ?? QUOTE_SECRET));

export const grove = {
  trees: 5,
  packageType: 'grove',
  currency: 'USD',
  customerEmail: 'Ana@Arboleda.test',
  customerName: 'Ana García',
  locale: 'es-CO',
};

/** A fake of pricing that quotes every currency at one rate. */
async function startPricingStub() {
  let calls = 0;
  let isDown = false;
  const server = await listen(
    async (incoming, response) => {
      calls++;
      if (isDown) return void incoming.socket.destroy();
      const { currency, visitor } = JSON.parse(Buffer.concat(await incoming.toArray()).toString());
      response.setHeader('Content-Type', 'application/json');
      const country = /-([A-Z]{2})/.exec(visitor.acceptLanguage ?? '')?.[1] ?? 'US';
      const quote = await quoteOf({ currency, rate: currency === 'USD' ? 1 : 4115, country });
      response.end(JSON.stringify({ quote }));
    },
    { host: '127.0.0.1', port: 0 },
  );
  return { ...server, calls: () => calls, setDown: (down: boolean) => void (isDown = down) };
}

/** The payments service with a real PostgreSQL, and the Stripe sandbox behind a proxy that can fail. */
export async function openHarness(own: Partial<PaymentsConfig> = {}, overrides: Overrides = {}) {
  const logs: Record<string, unknown>[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => void logs.push(JSON.parse(line)) });
  const [platform, identity, sandbox, pricing] = await Promise.all([
    openTestPlatform({ template: TEMPLATE }),
    startTestIdentity(),
    openSandbox(),
    startPricingStub(),
  ]);
  const door = await openStripeDoor(sandbox.apiUrl);
  const events = await probeEvents(platform, [
    'payment.succeeded',
    'payment.failed',
    'payment.refunded',
    'payment.refund_failed',
    'payment.refund_status_changed',
    'payment.disputed',
    'photo_package.purchased',
    'photo_package.status_changed',
  ]);
  const pool = openPool(platform.databaseUrl, logger, { max: 2, name: 'test', schema: 'payments' });
  const running: RunningService[] = [];

  async function start(
    changes: Partial<PaymentsConfig> = {},
    replaced: Overrides = overrides,
  ): Promise<RunningService> {
    const config: PaymentsConfig = {
      ...testServiceConfig({
        databaseUrl: platform.databaseUrl,
        jwksUrl: identity.jwksUrl,
        serviceUrls: { pricing: pricing.url },
      }),
      stripe: {
        secretKey: SECRET_KEY,
        publishableKey: PUBLISHABLE_KEY,
        webhookSecrets: [WEBHOOK_SECRET],
        apiUrl: door.url,
        scriptUrl: sandbox.scriptUrl,
        // On a busy machine a card may take long to look up, and a payment would be published without it.
        detailWithinMs: 25_000,
      },
      quoteSecret: QUOTE_SECRET,
      orderTokenSecret: TEST_ORDER_TOKEN_SECRET,
      bankAccounts: [{ bank: 'bancolombia', accountType: 'A', accountNumber: '0', holder: 'H', taxId: 'T' }],
      siteUrl: 'https://arboleda.test',
      photoPackages: {
        first_year: 'price_first_year',
        three_year: 'price_three_year',
        lifetime: 'price_lifetime',
      },
      transfers: {},
      abandonedDays: 90,
      reconcile: QUIET,
      ...own,
      ...changes,
    };
    const service = await startPayments(config, { platform, logger, ...replaced });
    running.push(service);
    return service;
  }

  const query = async <Row extends QueryResultRow>(text: string, values: unknown[] = []) =>
    (await pool.query<Row>(text, values)).rows;
  const first = await start();
  await wakeWorkers(query);
  await waitFor(async () => (await query('select 1 from reconciled_lists')).length === 5);
  const webhookUrl = (service: RunningService) => `${service.url}/api/payments/stripe-webhook`;
  sandbox.setWebhookUrl(webhookUrl(first));

  return {
    url: first.url,
    platform,
    identity,
    sandbox,
    door,
    pricing,
    events,
    logs,
    start,
    checkout: (
      body: object = grove,
      parts: { key?: string; url?: string; acceptLanguage?: string; address?: string } = {},
    ): Promise<Answer> =>
      request(parts.url ?? first.url, 'POST /api/pricing/create-payment-intent', {
        body,
        headers: {
          ...(parts.key && { 'Idempotency-Key': parts.key }),
          ...(parts.address && { 'X-Forwarded-For': parts.address }),
          ...(parts.acceptLanguage && { 'Accept-Language': parts.acceptLanguage }),
        },
      }),
    /** Confirms the payment as the buyer's browser does. */
    pay: (answer: Answer, method = 'pm_card_visa') =>
      sandbox.stripe.paymentIntents.confirm(intentIdOf(answer), {
        payment_method: method,
        return_url: 'https://arboleda.test/',
      }),
    webhook: (raw: string, signature: string, url = first.url): Promise<Answer> =>
      request(url, 'POST /api/payments/stripe-webhook', { raw, headers: { 'Stripe-Signature': signature } }),
    async payments(): Promise<PaymentRow[]> {
      return (await pool.query<PaymentRow>('select * from payments order by created_at')).rows;
    },
    async receipts(): Promise<{ id: string; type: string; payment_id: string | null }[]> {
      return (await pool.query('select * from stripe_events')).rows;
    },
    async forgetIntent(answer: Answer): Promise<void> {
      await pool.query(
        `update payments set state = jsonb_set(state, '{intentId}', '"pi_gone"') where order_id = $1`,
        [answer.body.orderId],
      );
    },
    admin: async (key: keyof Endpoints, parts: RequestParts = {}): Promise<Answer> =>
      request(first.url, key, { token: await identity.token({ role: 'admin', name: 'Lucía' }), ...parts }),
    async publish(event: NewEvent): Promise<void> {
      await platform.bus.publish([toEnvelope(event, 1, new Date())]);
    },
    query,
    intents: async () => (await sandbox.stripe.paymentIntents.list({ limit: 100 })).data,
    metrics: async () => (await fetch(`${first.url}/metrics`)).text(),
    async close() {
      await sandbox.remove();
      for (const service of running.reverse()) await service.close();
      await door.close();
      await pricing.close();
      await identity.close();
      await pool.end();
      await platform.close();
    },
  };
}

export const intentIdOf = (answer: Answer): string => String(answer.body.client_secret).split('_secret_')[0]!;

export interface PaymentRow {
  id: string;
  order_id: string;
  status: string;
  state: Record<string, unknown>;
  amount_minor: string;
  currency: string;
  language: string;
  locale: string | null;
  customer: Record<string, string>;
  quote: Record<string, unknown>;
  intent_id: string | null;
  idempotency_key: string | null;
}
