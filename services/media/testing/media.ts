import { listen } from '@arboleda/chassis/http/server.ts';
import type { Platform } from '@arboleda/chassis/ports/platform.ts';
import { testServiceConfig } from '@arboleda/chassis/testing/config.ts';
import { startTestIdentity } from '@arboleda/chassis/testing/identity.ts';
import { openTestPlatform } from '@arboleda/chassis/testing/platform.ts';
import { type Answer, request } from '@arboleda/chassis/testing/request.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import type { IncomingHttpHeaders } from 'node:http';
import { startMedia } from '../service.ts';

export const WORKER = 'worker-1';
const ORDER_ID = '0123456789abcdef01234567';

/** What the stand-in for assignments knows; each is of WORKER unless its name says otherwise. */
const ASSIGNMENTS: Record<string, { workerId: string; status: string }> = {
  planted: { workerId: WORKER, status: 'planted' },
  completed: { workerId: WORKER, status: 'completed' },
  assigned: { workerId: WORKER, status: 'assigned' },
  'somebody-elses': { workerId: 'worker-2', status: 'planted' },
};

/**
 * A media service on real engines, with assignments played by a small server. With `jobsRun: false` it dies, as it
 * were, before it comes to its jobs: see restart.
 */
export async function startTestMedia({ jobsRun = true } = {}) {
  const platform = await openTestPlatform();
  const identity = await startTestIdentity();
  const assignments = await startAssignments();
  const config = {
    ...testServiceConfig({
      databaseUrl: platform.databaseUrl,
      jwksUrl: identity.jwksUrl,
      serviceUrls: { assignments: assignments.url },
    }),
    concurrency: 2,
  };
  let media = await startMedia(config, { platform: jobsRun ? platform : withoutJobs(platform) });
  const token = await identity.token({ role: 'worker', id: WORKER });

  const photo = (filename: string, w?: number) =>
    request(media.url, 'GET /api/photos/{filename}', { params: { filename }, ...(w && { query: { w } }) });

  return {
    platform,
    identity,
    assignments,
    token,
    url: () => media.url,
    /** The next process: the same engines, its jobs run. */
    async restart() {
      await media.close();
      media = await startMedia(config, { platform });
    },
    /** Sends files for an assignment, as WORKER unless told otherwise. */
    async upload(
      files: readonly { bytes: Uint8Array; name?: string; type?: string }[],
      options: { assignment?: string; token?: string; language?: string } = {},
    ): Promise<Answer> {
      const form = new FormData();
      for (const { bytes, name = 'IMG_1.jpg', type = 'image/jpeg' } of files) {
        form.append('photos', new File([bytes as never], name, { type }));
      }
      return request(media.url, 'POST /api/workers/assignments/{id}/photos', {
        params: { id: options.assignment ?? 'planted' },
        token: options.token ?? token,
        headers: { 'Accept-Language': options.language ?? 'en' },
        form,
      });
    },
    photo,
    /** The photo once it can be looked at. */
    ready: (filename: string, w?: number) =>
      waitFor(async () => {
        const answer = await photo(filename, w);
        return answer.status === 200 && answer;
      }, 20_000),
    async photosKept(): Promise<number> {
      const photos = await (await platform.documents('media')).collection({ name: 'photos', indexes: [] });
      return photos.count();
    },
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
      await assignments.close();
      await identity.close();
      await platform.close();
    },
  };
}
export type TestMedia = Awaited<ReturnType<typeof startTestMedia>>;

const withoutJobs = (platform: Platform): Platform => ({
  ...platform,
  jobs: (service) => ({ ...platform.jobs(service), handle: async () => {} }),
});

async function startAssignments() {
  const calls: { path: string; headers: IncomingHttpHeaders }[] = [];
  const behaviour = { answers: true };
  const server = await listen(
    (incoming, response) => {
      calls.push({ path: incoming.url!, headers: incoming.headers });
      if (!behaviour.answers) return void incoming.socket.destroy();
      const id = incoming.url!.split('/').at(-1)!;
      const found = ASSIGNMENTS[id];
      response.writeHead(found ? 200 : 404, { 'Content-Type': 'application/json' });
      response.end(
        JSON.stringify(
          found ? { assignmentId: id, orderId: ORDER_ID, ...found } : { type: 'not-found', status: 404 },
        ),
      );
    },
    { host: '127.0.0.1', port: 0 },
  );
  return { ...server, calls, behaviour };
}
