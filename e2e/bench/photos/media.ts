import { listen } from '@arboleda/chassis/http/server.ts';
import { openLogger } from '@arboleda/chassis/log.ts';
import { openPlatform } from '@arboleda/chassis/platform.ts';
import { testServiceKeyVariables } from '@arboleda/chassis/testing/config.ts';
import { startTestIdentity } from '@arboleda/chassis/testing/identity.ts';
import { SERVICES } from '@arboleda/contracts/services.ts';
import { freePorts } from '@arboleda/cli/embedded/ports.ts';
import { newPhoto, type Occasion } from '@arboleda/media/intake/new-photo.ts';
import { photoObjects } from '@arboleda/media/photos/objects.ts';
import { openPhotoStore } from '@arboleda/media/photos/open-store.ts';
import { contentHash, type Photo } from '@arboleda/media/photos/photo.ts';
import { openPhotos } from '@arboleda/media/photos/photos.ts';
import type { PhotoStore } from '@arboleda/media/photos/store.ts';
import { startPostgres } from '@arboleda/postgres/postgres.ts';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDataDir } from '../../harness/product.ts';
import { waitFor } from '../../harness/wait.ts';
import { type Core, end, start } from '../competitors/processes.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const WORKER = { id: 'worker-1', name: 'Rosa Prueba' };
export const ASSIGNMENT_ID = 'planted';
const OCCASION: Occasion = {
  assignmentId: ASSIGNMENT_ID,
  orderId: '0123456789abcdef01234567',
  orderedAt: '2026-01-01T00:00:00.000Z',
};

/** A process of the product. */
export interface Started {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

/** Engines for media, with fakes of auth and assignments. Replicas of media are processes of their own. */
export interface MediaSetup {
  store: PhotoStore;
  /** The token of the worker who has the assignment. */
  token: string;
  postgresPid: number;
  /** Puts a photo among those that wait to be made, past every replica. */
  accept(bytes: Uint8Array): Promise<Photo>;
  startMedia(core?: Core): Promise<Started>;
  startGateway(mediaUrl: string, core?: Core): Promise<Started>;
  close(): Promise<void>;
}

export async function openMediaSetup(): Promise<MediaSetup> {
  const data = await openDataDir();
  const postgres = await startPostgres({
    dir: join(data.path, 'postgres'),
    logFile: join(data.path, 'postgres.log'),
    password: 'bench',
  });
  const identity = await startTestIdentity();
  const assignments = await listen(
    (_request, response) => {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ ...OCCASION, workerId: WORKER.id, status: 'planted' }));
    },
    { host: '127.0.0.1', port: 0 },
  );
  const objectsDir = join(data.path, 'objects');
  const logger = openLogger('bench', 'error');
  const platform = await openPlatform(
    { databaseUrl: postgres.url, objectsDir, smtpUrl: 'smtp://127.0.0.1:1', mailFrom: '' },
    logger,
  );
  const store = await openPhotoStore(platform, logger);
  const photos = openPhotos(store, photoObjects(await platform.objects('media')));

  const run = async (name: string, script: string, env: Record<string, string>, core?: Core) => {
    const [port, metricsPort] = await freePorts(2);
    const url = `http://127.0.0.1:${port}`;
    const child = start({
      args: [script],
      cwd: ROOT,
      ...(core !== undefined && { core }),
      env: { PORT: String(port), METRICS_PORT: String(metricsPort), SITE_URL: url, ...env },
    });
    await waitFor(
      name,
      async () => (await fetch(`${url}/livez`).catch(() => undefined))?.ok && child.exitCode === null,
    );
    return { url, pid: child.pid!, stop: () => end(child) };
  };

  return {
    store,
    token: await identity.token({ role: 'worker', ...WORKER }),
    postgresPid: postgres.pid,
    async accept(bytes) {
      const file = {
        index: 0,
        originalName: 'siembra.jpg',
        detail: {},
        contentType: 'image/jpeg',
        evidence: {},
      };
      const options = { now: new Date(), maxDistanceMetres: 5_000 };
      const sent = { ...file, bytes: Buffer.from(bytes), digest: contentHash(bytes) };
      const photo = newPhoto(sent, OCCASION, WORKER, options);
      return photos.accept(photo, bytes);
    },
    async startMedia(core) {
      const media = await run(
        'media',
        'services/media/main.ts',
        {
          DATABASE_URL: postgres.url,
          OBJECTS_DIR: objectsDir,
          ...testServiceKeyVariables('media'),
          AUTH_URL: new URL(identity.jwksUrl).origin,
          ASSIGNMENTS_URL: assignments.url,
          SMTP_URL: 'smtp://127.0.0.1:1',
        },
        core,
      );
      await waitFor('media, ready', async () => (await fetch(`${media.url}/readyz`)).ok);
      return media;
    },
    startGateway: (mediaUrl, core) =>
      run(
        'the gateway',
        'gateway/main.ts',
        {
          ...Object.fromEntries(SERVICES.map((name) => [`${name.toUpperCase()}_URL`, mediaUrl])),
          // Limits count as ever, but one visitor may do what ten thousand do.
          RATE_LIMIT_SCALE: '1000000',
        },
        core,
      ),
    async close() {
      await platform.close();
      await assignments.close();
      await identity.close();
      await postgres.close();
      await data.remove();
    },
  };
}
