import { ORGANISATION } from '@arboleda/contracts/organisation.ts';
import { toEnvelope } from '@arboleda/chassis/events/envelope.ts';
import { type RunningService } from '@arboleda/chassis/service.ts';
import {
  TEST_CERTIFICATES,
  TEST_ORDER_TOKEN_SECRET,
  testServiceConfig,
} from '@arboleda/chassis/testing/config.ts';
import { migratedTemplate } from '@arboleda/chassis/testing/database.ts';
import { startTestIdentity, type TestIdentity } from '@arboleda/chassis/testing/identity.ts';
import { openTestPlatform, type TestPlatform } from '@arboleda/chassis/testing/platform.ts';
import { type EventProbe, probeEvents } from '@arboleda/chassis/testing/probe.ts';
import { type Answer, request } from '@arboleda/chassis/testing/request.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import type { ApiResponse } from '@arboleda/contracts/api.ts';
import { jest } from '@jest/globals';
import type { ArboledaEvent, NewEvent } from '@arboleda/contracts/events/index.ts';
import { startOrders } from '../service.ts';
import { MIGRATIONS } from '../order/store.ts';

/** `waitFor` gives up after 10 s with a message; jest's own timeout has none. */
jest.setTimeout(30_000);

type AdminOrder = ApiResponse<'GET /api/admin/orders/{id}'>['order'];

/** Early events are retried at once, for long enough. */
const QUICK_RETRIES = { maxAttempts: 200, delaysMs: [20], maxDelayMs: 50 };

export const TEMPLATE = migratedTemplate('orders', MIGRATIONS);

/** The service with its own database and a bus. */
export interface OrdersFixture {
  platform: TestPlatform;
  identity: TestIdentity;
  service: RunningService;
  probe: EventProbe;
  adminToken: string;
  call(...args: Parameters<typeof request> extends [string, ...infer Rest] ? Rest : never): Promise<Answer>;
  /** Publishes events as their services do; the same object again keeps its event id. */
  publish(...events: readonly (NewEvent | ArboledaEvent)[]): Promise<void>;
  /** The admin's view of an order once `ready` holds. */
  order(id: string, ready?: (order: AdminOrder) => boolean): Promise<AdminOrder>;
  close(): Promise<void>;
}

export const enveloped = (event: NewEvent): ArboledaEvent => toEnvelope(event, 1, new Date());

export async function openOrders(): Promise<OrdersFixture> {
  const platform = await openTestPlatform({ eventRetries: QUICK_RETRIES, template: TEMPLATE });
  const identity = await startTestIdentity();
  const config = testServiceConfig({ databaseUrl: platform.databaseUrl, jwksUrl: identity.jwksUrl });
  const service = await startOrders(
    {
      ...config,
      orderTokenSecret: TEST_ORDER_TOKEN_SECRET,
      statsBaselineTrees: 50_000,
      statsCacheMs: 20,
      organisation: ORGANISATION,
      ...TEST_CERTIFICATES,
    },
    { platform },
  );
  const probe = await probeEvents(platform, [
    'order.created',
    'order.status_changed',
    'order.updated',
    'order.withdrawal_requested',
    'order.withdrawal_retracted',
    'certificate.issued',
    'certificate.revoked',
    'gift.scheduled',
    'gift.cancelled',
    'gift.claimed',
    'gift.thanked',
    'gift.declined',
  ]);
  const adminToken = await identity.token({ role: 'admin' });
  const call: OrdersFixture['call'] = (...args) => request(service.url, ...args);
  return {
    platform,
    identity,
    service,
    probe,
    adminToken,
    call,
    async publish(...events) {
      for (const event of events) {
        await platform.bus.publish(['id' in event ? event : enveloped(event)]);
      }
    },
    order: (id, ready = () => true) =>
      waitFor(async () => {
        const { body } = await call('GET /api/admin/orders/{id}', { params: { id }, token: adminToken });
        return body.order && ready(body.order) && (body.order as AdminOrder);
      }),
    async close() {
      await service.close();
      await identity.close();
      await platform.close();
    },
  };
}
