import { listen } from '@arboleda/chassis/http/server.ts';
import { testServiceConfig } from '@arboleda/chassis/testing/config.ts';
import { migratedTemplate } from '@arboleda/chassis/testing/database.ts';
import { startTestIdentity } from '@arboleda/chassis/testing/identity.ts';
import { openTestPlatform } from '@arboleda/chassis/testing/platform.ts';
import { type Answer, request, type RequestParts } from '@arboleda/chassis/testing/request.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import type { mediaAdminEndpoints } from '@arboleda/contracts/endpoints/media-admin.ts';
import { execFile } from 'node:child_process';
import type { IncomingHttpHeaders } from 'node:http';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { MIGRATIONS, openPhotoStore } from '../photos/open-store.ts';
import { PICTURE_STEPS, type PictureStep } from '../photos/photo.ts';
import { pino } from 'pino';
import { startMedia } from '../service.ts';

export const WORKER = 'worker-1';
export const ORDER_ID = '0123456789abcdef01234567';

export const OTHER_ORDER_ID = 'fedcba9876543210fedcba98';
/** Before FIELD_TIME. */
const ORDERED_AT = '2026-02-20T12:00:00.000Z';
/** About 110 m from FIELD_PLACE. */
const ORDER_PLACE = { latitude: 4.59725, longitude: -74.075833 };

/** Assignments of the fake service, by default of WORKER. */
const ASSIGNMENTS: Record<string, object> = {
  planted: { workerId: WORKER, status: 'planted', coordinates: ORDER_PLACE },
  completed: { workerId: WORKER, status: 'completed', orderId: OTHER_ORDER_ID },
  assigned: { workerId: WORKER, status: 'assigned' },
  'somebody-elses': { workerId: 'worker-2', status: 'planted' },
  'taken-away': { workerId: 'worker-2', status: 'assigned', formerWorkerIds: [WORKER] },
  'nobodys-now': { status: 'pending', formerWorkerIds: [WORKER] },
  'far-away': { workerId: WORKER, status: 'planted', coordinates: { latitude: 6.25, longitude: -75.57 } },
  'ordered-later': { workerId: WORKER, status: 'planted', orderedAt: '2026-03-10T12:00:00.000Z' },
};
const GROWTH_VISITS: Record<string, object> = {
  due: { workerId: WORKER, state: 'due', coordinates: ORDER_PLACE },
  done: { workerId: WORKER, state: 'done' },
  scheduled: { workerId: WORKER, state: 'scheduled' },
  waiting: { workerId: WORKER, state: 'waiting' },
  'somebody-elses': { workerId: 'worker-2', state: 'due' },
  'taken-away': { workerId: 'worker-2', state: 'due', formerWorkerIds: [WORKER] },
};
const KNOWN: Record<string, (id: string) => object | undefined> = {
  assignments: (id) => ASSIGNMENTS[id] && { assignmentId: id, ...ASSIGNMENTS[id] },
  'growth-visits': (id) =>
    GROWTH_VISITS[id] && { visitId: id, assignmentId: 'planted', ...GROWTH_VISITS[id] },
};

const DLQ = fileURLToPath(new URL('../../../infra/chassis/dead-letters/main.ts', import.meta.url));
const TEMPLATE = migratedTemplate('media', MIGRATIONS);

/**
 * Media on real engines, with a fake of assignments. By default newer formats are not made, as they are slow.
 * Fewer steps simulate a process that died before the others. See restart.
 */
export async function startTestMedia({
  steps = ['jpeg'],
}: {
  steps?: readonly PictureStep[];
} = {}) {
  const platform = await openTestPlatform({ template: TEMPLATE });
  const identity = await startTestIdentity();
  const assignments = await startAssignments();
  const config = {
    ...testServiceConfig({
      databaseUrl: platform.databaseUrl,
      jwksUrl: identity.jwksUrl,
      serviceUrls: { assignments: assignments.url },
    }),
    concurrency: 2,
    maxDistanceMetres: 5_000,
  };
  let media = await startMedia(config, { platform, steps });
  const store = await openPhotoStore(platform, pino({ level: 'silent' }));
  const token = await identity.token({ role: 'worker', id: WORKER });

  const adminToken = await identity.token({ role: 'admin', id: 'admin-1', name: 'Ana' });

  const photosOf = async (orderId: string) => (await store.ofOrder(orderId, { limit: 1_000 })).length;
  const photo = (filename: string, w?: number, headers: Record<string, string> = {}) =>
    request(media.url, 'GET /api/photos/{filename}', {
      params: { filename },
      headers,
      ...(w && { query: { w } }),
    });
  return {
    platform,
    /** The photos as seen by another process. */
    store,
    identity,
    assignments,
    token,
    url: () => media.url,
    /** Starts the next process on the same engines, with all steps. */
    async restart() {
      await media.close();
      media = await startMedia(config, { platform, steps: PICTURE_STEPS });
    },
    /** Runs "npm run dlq" as a child process. */
    async dlq(...args: string[]): Promise<string> {
      const { databaseUrl } = platform;
      const mongodbUrl =
        process.env.TEST_MONGODB_URL &&
        new URL(new URL(databaseUrl).pathname, process.env.TEST_MONGODB_URL).href;
      const env = {
        ...process.env,
        DATABASE_URL: databaseUrl,
        ...(mongodbUrl && { MONGODB_URL: mongodbUrl }),
      };
      return (await promisify(execFile)(process.execPath, [DLQ, ...args], { env })).stdout.trim();
    },
    /** Another replica on the same engines; the caller closes it. */
    replica: () => startMedia(config, { platform, steps: ['jpeg'] }),
    /** Sends files for an assignment, by default as WORKER. */
    async upload(
      files: readonly { bytes: Uint8Array; name?: string; type?: string }[],
      options: {
        assignment?: string;
        visit?: string;
        token?: string;
        language?: string;
        /** Sent as JSON; strings are sent unchanged. */
        details?: unknown;
        /** URL of a replica; defaults to the first one. */
        at?: string;
      } = {},
    ): Promise<Answer> {
      const { details } = options;
      const form = new FormData();
      if (details !== undefined) {
        form.append('details', typeof details === 'string' ? details : JSON.stringify(details));
      }
      for (const { bytes, name = 'IMG_1.jpg', type = 'image/jpeg' } of files) {
        form.append('photos', new File([bytes as never], name, { type }));
      }
      const key = options.visit
        ? 'POST /api/workers/growth-visits/{id}/photos'
        : 'POST /api/workers/assignments/{id}/photos';
      return request(options.at ?? media.url, key, {
        params: { id: options.visit ?? options.assignment ?? 'planted' },
        token: options.token ?? token,
        headers: { 'Accept-Language': options.language ?? 'en' },
        form,
      });
    },
    admin: (key: keyof typeof mediaAdminEndpoints, parts: RequestParts = {}) =>
      request(media.url, key, { token: adminToken, ...parts }),
    photo,
    ready: (filename: string, w?: number) =>
      waitFor(async () => {
        const answer = await photo(filename, w);
        return answer.status === 200 && answer;
      }, 20_000),
    kept: async (id: string) => (await store.get(id))!,
    modern: (id: string) =>
      waitFor(async () => {
        const kept = await store.get(id);
        return kept?.hasModern && kept;
      }, 40_000),
    photosKept: async (): Promise<number> => (await photosOf(ORDER_ID)) + (await photosOf(OTHER_ORDER_ID)),
    async metric(line: string): Promise<number> {
      const text = await (await fetch(new URL('/metrics', media.url))).text();
      return Number(
        text
          .split('\n')
          .find((each) => each.startsWith(line))
          ?.split(' ')
          .at(-1) ?? 0,
      );
    },
    async close() {
      await media.close();
      await store.close();
      await assignments.close();
      await identity.close();
      await platform.close();
    },
  };
}
export type TestMedia = Awaited<ReturnType<typeof startTestMedia>>;

async function startAssignments() {
  const calls: { path: string; headers: IncomingHttpHeaders }[] = [];
  const behaviour = { answers: true };
  const server = await listen(
    (incoming, response) => {
      calls.push({ path: incoming.url!, headers: incoming.headers });
      if (!behaviour.answers) return void incoming.socket.destroy();
      const [kind = '', id = ''] = incoming.url!.split('/').slice(-2);
      const found = KNOWN[kind]?.(id);
      response.writeHead(found ? 200 : 404, { 'Content-Type': 'application/json' });
      response.end(
        JSON.stringify(
          found
            ? { orderId: ORDER_ID, orderedAt: ORDERED_AT, formerWorkerIds: [], ...found }
            : { type: 'not-found', status: 404 },
        ),
      );
    },
    { host: '127.0.0.1', port: 0 },
  );
  return { ...server, calls, behaviour };
}
