import { openPool } from '@arboleda/chassis/adapters/postgres/sql/pool.ts';
import { toEnvelope } from '@arboleda/chassis/events/envelope.ts';
import { listen } from '@arboleda/chassis/http/server.ts';
import type { ObjectStore } from '@arboleda/chassis/ports/object-store.ts';
import { openService, type RunningService } from '@arboleda/chassis/service.ts';
import { TEST_ORDER_TOKEN_SECRET, testServiceConfig } from '@arboleda/chassis/testing/config.ts';
import { migratedTemplate } from '@arboleda/chassis/testing/database.ts';
import { startTestIdentity } from '@arboleda/chassis/testing/identity.ts';
import { openTestPlatform } from '@arboleda/chassis/testing/platform.ts';
import { probeEvents } from '@arboleda/chassis/testing/probe.ts';
import { type Answer, request } from '@arboleda/chassis/testing/request.ts';
import { transfersEndpoints } from '@arboleda/contracts/endpoints/transfers.ts';
import type { ArboledaEvent, NewEvent } from '@arboleda/contracts/events/index.ts';
import { QUOTE_AUDIENCE, QUOTE_ISSUER } from '@arboleda/contracts/quote.ts';
import { SignJWT } from 'jose';
import { pino } from 'pino';
import type { TransfersConfig } from '../config.ts';
import { openTransfers } from '../transfers.ts';
import { jpeg } from './pictures.ts';

const MIGRATIONS = new URL('../../migrations/', import.meta.url);
const QUOTE_SECRET = 'a quote secret that only tests know';
const COP_RATE = 4115;

export const quoteOf = (currency: string, rate: number, exp: string | Date = '30m'): Promise<string> =>
  new SignJWT({ currency, rate, country: 'CO', ratesAsOf: '2026-11-20' })
    .setProtectedHeader({ alg: 'HS256' })
    .setJti('quote-1')
    .setIssuer(QUOTE_ISSUER)
    .setAudience(QUOTE_AUDIENCE)
    .setExpirationTime(exp)
    .sign(new TextEncoder().encode(QUOTE_SECRET));

export const FORM = {
  trees: '5',
  packageType: 'grove',
  currency: 'COP',
  customerEmail: 'Ana@Arboleda.test',
  customerName: 'Ana García',
  customerPhone: '+57 300 000 0000',
  paymentMethod: 'manual_bancolombia',
  bankName: 'bancolombia',
  referenceNumber: '',
};

export interface SentFile {
  bytes: Uint8Array;
  name?: string;
  type?: string;
}

/** A fake of pricing that quotes every currency at one rate, or is unavailable. */
async function startPricing() {
  const behaviour = { answers: true };
  const server = await listen(
    async (incoming, response) => {
      if (!behaviour.answers) return void incoming.socket.destroy();
      const { currency } = JSON.parse(Buffer.concat(await incoming.toArray()).toString());
      response.setHeader('Content-Type', 'application/json');
      response.end(
        JSON.stringify({ quote: await quoteOf(currency, currency === 'USD' ? 1 : COP_RATE, '100y') }),
      );
    },
    { host: '127.0.0.1', port: 0 },
  );
  return { ...server, behaviour };
}

export interface ObjectFaults {
  put?: (key: string) => Promise<void>;
  get?: (key: string) => Promise<void>;
}

/** Bank transfers with a real PostgreSQL. Tests can advance the clock and make the object store fail. */
export async function startTestTransfers() {
  const platform = await openTestPlatform({ template: migratedTemplate('payments', MIGRATIONS) });
  const identity = await startTestIdentity();
  const pricing = await startPricing();
  const events = await probeEvents(platform, ['payment.submitted', 'payment.succeeded', 'payment.rejected']);
  const logs: Record<string, unknown>[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => void logs.push(JSON.parse(line)) });
  const pool = openPool(platform.databaseUrl, logger, { max: 2, name: 'test', schema: 'payments' });
  const objects = await platform.objects('payments');
  const running: RunningService[] = [];
  const faults: ObjectFaults = {};
  let aheadMs = 0;

  const faulty: ObjectStore = {
    ...objects,
    put: async (key, bytes, contentType) => {
      await faults.put?.(key);
      await objects.put(key, bytes, contentType);
    },
    get: async (key, range) => {
      await faults.get?.(key);
      return objects.get(key, range);
    },
  };

  /** Large, as tests send many transfers of one person from one machine. */
  const undecided = { megabytes: 5_000, megabytesOfNetwork: 5_000, transfersOfEmail: 1_000 };

  async function start(transfers: TransfersConfig = {}): Promise<RunningService> {
    const config = testServiceConfig({
      databaseUrl: platform.databaseUrl,
      jwksUrl: identity.jwksUrl,
      serviceUrls: { pricing: pricing.url },
    });
    const service = await openService('payments', config, {
      platform: { ...platform, objects: async () => faulty },
      logger,
      clock: () => new Date(Date.now() + aheadMs),
    });
    const sql = await service.platform.sql('payments', MIGRATIONS);
    service.onClose(() => sql.close());
    const jobs = service.platform.jobs('payments');
    service.onClose(() => jobs.close());
    const parts = {
      service,
      sql,
      jobs,
      config: {
        quoteSecret: QUOTE_SECRET,
        orderTokenSecret: TEST_ORDER_TOKEN_SECRET,
        transfers: { undecided, ...transfers },
      },
      housekeepingEveryMs: 50,
    };
    const { routes, followers } = await openTransfers(parts);
    await service.subscribe({
      'order.updated': async (event) =>
        void (await sql.consume(event.id, (tx) => followers.orderUpdated(tx, event))),
      'customer.erased': async (event) =>
        void (await sql.consume(event.id, (tx) => followers.customerErased(tx, event))),
    });
    const started = await service.listen(transfersEndpoints, routes);
    running.push(started);
    return started;
  }

  const first = await start();
  const admins = {
    clara: await identity.token({ role: 'admin', id: 'clara', name: 'Clara' }),
    diego: await identity.token({ role: 'admin', id: 'diego', name: 'Diego' }),
  };

  async function rows<Row>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return (await pool.query(sql, values)).rows as Row[];
  }

  return {
    url: first.url,
    platform,
    identity,
    pricing,
    events,
    faults,
    admins,
    start,
    rows,
    objects,
    logs,
    /** By the service's clock. */
    inSeconds: (seconds: number) => new Date(Date.now() + aheadMs + seconds * 1000),
    advance: (ms: number) => void (aheadMs += ms),
    /** Submits a transfer, with a unique image by default. */
    async send(
      fields: Record<string, string | undefined> = {},
      options: {
        files?: readonly SentFile[];
        key?: string;
        url?: string;
        language?: string;
        address?: string;
      } = {},
    ): Promise<Answer> {
      const form = new FormData();
      for (const [name, value] of Object.entries({ ...FORM, ...fields })) {
        if (value !== undefined) form.append(name, value);
      }
      const files: readonly SentFile[] = options.files ?? [{ bytes: await jpeg() }];
      for (const { bytes, name = 'comprobante.jpg', type = 'image/jpeg' } of files) {
        form.append('evidenceFiles', new File([bytes as never], name, { type }));
      }
      return request(options.url ?? first.url, 'POST /api/manual-payments/create-order', {
        form,
        headers: {
          ...(options.key && { 'Idempotency-Key': options.key }),
          'Accept-Language': options.language ?? 'en',
          ...(options.address && { 'X-Forwarded-For': options.address }),
        },
      });
    },
    list: (query: Record<string, string> = {}, token = admins.clara) =>
      request(first.url, 'GET /api/admin/manual-payments/pending-verification', { query, token }),
    verify: (id: string, options: { body?: object; token?: string; url?: string } = {}) =>
      request(options.url ?? first.url, 'POST /api/admin/manual-payments/verify/{id}', {
        params: { id },
        token: options.token ?? admins.clara,
        ...(options.body && { body: options.body }),
      }),
    reject: (id: string, body: object = { reason: 'No money came' }, token = admins.clara) =>
      request(first.url, 'POST /api/admin/manual-payments/reject/{id}', { params: { id }, token, body }),
    evidence: (filename: string, options: { token?: string } = {}) =>
      request(first.url, 'GET /api/admin/manual-payments/evidence/{filename}', {
        params: { filename },
        token: options.token ?? admins.clara,
      }),
    /** An order on the admin's list, of any status. */
    async order(id: string) {
      const answer = await this.list({ status: 'all', limit: '100' });
      return answer.body.orders.find((one: { _id: string }) => one._id === id);
    },
    async kept() {
      const counts = await rows<{ transfers: number; files: number; removals: number }>(
        `select (select count(*)::int from transfers) as transfers, (select count(*)::int from transfer_evidence) as files,
           (select count(*)::int from evidence_removals) as removals`,
      );
      return counts[0]!;
    },
    publish: (event: NewEvent) => platform.bus.publish([toEnvelope(event, 1, new Date()) as ArboledaEvent]),
    metrics: async () => (await fetch(`${first.url}/metrics`)).text(),
    async close() {
      for (const service of running.reverse()) await service.close();
      await pricing.close();
      await identity.close();
      await pool.end();
      await platform.close();
    },
  };
}
export type TestTransfers = Awaited<ReturnType<typeof startTestTransfers>>;
