import { toEnvelope } from '@arboleda/chassis/events/envelope.ts';
import type { RunningService } from '@arboleda/chassis/service.ts';
import { testServiceConfig } from '@arboleda/chassis/testing/config.ts';
import { migratedTemplate } from '@arboleda/chassis/testing/database.ts';
import { startTestIdentity, type TestIdentity } from '@arboleda/chassis/testing/identity.ts';
import { openTestPlatform, type TestPlatform } from '@arboleda/chassis/testing/platform.ts';
import { type EventProbe, probeEvents } from '@arboleda/chassis/testing/probe.ts';
import { type Answer, request, type RequestParts } from '@arboleda/chassis/testing/request.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import type { ApiResponse } from '@arboleda/contracts/api.ts';
import type { Endpoints } from '@arboleda/contracts/endpoints/index.ts';
import { jest } from '@jest/globals';
import pg from 'pg';
import type { ArboledaEvent, EventData, NewEvent } from '@arboleda/contracts/events/index.ts';
import { startAssignments } from '../service.ts';
import { type AssignmentStore, type FieldLists, MIGRATIONS, openStore } from '../store.ts';
import { orderCreated, workerRegistered } from './builders.ts';

/** `waitFor` gives up after 10 s with a message; jest's own timeout has none. */
jest.setTimeout(30_000);

type Listed = ApiResponse<'GET /api/workers/assignments'>;

/** Early events are retried at once, for long enough. */
const QUICK_RETRIES = { maxAttempts: 200, delaysMs: [20], maxDelayMs: 50 };

/** The service with its own database and a bus. */
export interface AssignmentsFixture {
  platform: TestPlatform;
  identity: TestIdentity;
  service: RunningService;
  probe: EventProbe;
  /** The service's own tables, to wait for effects that no endpoint shows. */
  store: AssignmentStore & FieldLists;
  call(...args: Parameters<typeof request> extends [string, ...infer Rest] ? Rest : never): Promise<Answer>;
  /** Publishes events as their services do; the same object again keeps its event id. */
  publish(...events: readonly (NewEvent | ArboledaEvent)[]): Promise<void>;
  tokenOf(workerId: string): Promise<string>;
  /** A worker's list once `ready` holds. */
  list(workerId: string, ready?: (list: Listed) => boolean): Promise<Listed>;
  /** A new order's assignment. */
  assignedOrder(order?: Partial<EventData<'order.created'>>): Promise<EventData<'order.assigned'>>;
  /** Registers workers and waits until the service has them. */
  known(...workers: Partial<EventData<'worker.registered'>>[]): Promise<void>;
  asAdmin(
    key: keyof Endpoints & `${string}/api/admin/${string}`,
    parts: RequestParts & { adminId?: string },
  ): Promise<Answer>;
  move(workerId: string, assignmentId: string, body: unknown): Promise<Answer>;
  /** Deletes all data and recorded events, once pending work has ended. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

export const enveloped = <Event extends NewEvent>(event: Event, sequence = 1): ArboledaEvent =>
  toEnvelope(event, sequence, new Date());

/** @param databaseUrl of another fixture, for a second replica */
export async function openAssignments(
  options: { retryWaitingMs?: number; serveVisitsMs?: number; databaseUrl?: string; clock?: () => Date } = {},
): Promise<AssignmentsFixture> {
  const { retryWaitingMs = 60_000, serveVisitsMs = 3_600_000, databaseUrl } = options;
  const { clock = () => new Date() } = options;
  const platform = await openTestPlatform({
    eventRetries: QUICK_RETRIES,
    template: migratedTemplate('assignments', MIGRATIONS),
    ...(databaseUrl && { databaseUrl }),
  });
  const identity = await startTestIdentity();
  const config = testServiceConfig({ databaseUrl: platform.databaseUrl, jwksUrl: identity.jwksUrl });
  const service = await startAssignments({ ...config, retryWaitingMs, serveVisitsMs }, { platform, clock });
  const probe = await probeEvents(platform, [
    ...(['order.assigned', 'order.planted', 'order.completed', 'order.late_step'] as const),
    ...(['growth_visit.scheduled', 'growth_visit.due', 'growth_visit.completed'] as const),
    'photo_package.completed',
  ]);
  const store = openStore(await platform.sql('assignments', MIGRATIONS), clock);
  const database = new pg.Client({ connectionString: platform.databaseUrl });
  await database.connect();
  const call: AssignmentsFixture['call'] = (...args) => request(service.url, ...args);
  const tokenOf = (id: string) => identity.token({ role: 'worker', id });
  const publish = async (...events: readonly (NewEvent | ArboledaEvent)[]) => {
    for (const event of events) {
      await platform.bus.publish(['id' in event ? event : enveloped(event)]);
    }
  };
  return {
    platform,
    identity,
    service,
    probe,
    store,
    call,
    publish,
    tokenOf,
    async list(workerId, ready = () => true) {
      const token = await tokenOf(workerId);
      return waitFor(async () => {
        const { body } = await call('GET /api/workers/assignments', { token });
        return ready(body) && (body as Listed);
      });
    },
    async assignedOrder(order) {
      const created = orderCreated(order);
      await publish(created);
      const { data } = await probe.next('order.assigned', ({ key }) => key === created.data.orderId);
      return data;
    },
    async known(...workers) {
      await publish(...workers.map((worker) => workerRegistered(worker)));
      for (const { workerId } of workers) await waitFor(() => store.workers.get(workerId!));
    },
    async asAdmin(key, { adminId = 'admin-1', ...parts }) {
      const token = await identity.token({ role: 'admin', id: adminId, name: 'Luz' });
      return call(key, { token, ...parts });
    },
    move: async (workerId, id, body) =>
      call('PUT /api/workers/assignments/{id}/status', {
        params: { id },
        body,
        token: await tokenOf(workerId),
      }),
    async clear() {
      await waitFor(async () => {
        // Drops retries.
        await database.query('delete from chassis.deliveries where failed > 0');
        const { rowCount } = await database.query(
          'select from graphile_worker.jobs where locked_at is not null',
        );
        const events = (await platform.bus.waiting('assignments')) + (await probe.waiting());
        return rowCount === 0 && events === 0;
      });
      const { rows } = await database.query<{ name: string }>(
        `select format('assignments.%I', tablename) as name from pg_tables
         where schemaname = 'assignments' and not starts_with(tablename, '_')`,
      );
      await database.query(`truncate ${rows.map(({ name }) => name).join(', ')}`);
      probe.forget();
    },
    async close() {
      await database.end();
      await service.close();
      await identity.close();
      await platform.close();
    },
  };
}
