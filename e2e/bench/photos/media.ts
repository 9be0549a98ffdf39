import { listen } from '@arboleda/chassis/http/server.ts';
import { openLogger } from '@arboleda/chassis/log.ts';
import { openPlatform } from '@arboleda/chassis/platform.ts';
import { testServiceKeyVariables } from '@arboleda/chassis/testing/config.ts';
import { startTestIdentity } from '@arboleda/chassis/testing/identity.ts';
import { SERVICES, urlVariable } from '@arboleda/contracts/services.ts';
import { freePorts } from '@arboleda/postgres/free-ports.ts';
import { newPhoto, type Occasion } from '@arboleda/media/intake/new-photo.ts';
import { photoObjects } from '@arboleda/media/photos/objects.ts';
import { openPhotoStore } from '@arboleda/media/photos/open-store.ts';
import { contentHash, type Photo } from '@arboleda/media/photos/photo.ts';
import { openPhotos } from '@arboleda/media/photos/photos.ts';
import type { PhotoStore } from '@arboleda/media/photos/store.ts';
import { join } from 'node:path';
import { type Core, openPostgres, ROOT, type Server, startServer } from '../processes.ts';

const WORKER = { id: 'worker-1', name: 'Rosa Prueba' };
export const ASSIGNMENT_ID = 'planted';
const OCCASION: Occasion = {
  assignmentId: ASSIGNMENT_ID,
  orderId: '0123456789abcdef01234567',
  orderedAt: '2026-01-01T00:00:00.000Z',
};

/** Engines for media, with fakes of auth and assignments. Replicas of media are processes of their own. */
export interface MediaSetup extends AsyncDisposable {
  store: PhotoStore;
  /** The token of the worker who has the assignment. */
  token: string;
  /** Puts a photo among those that wait to be made, past every replica. */
  accept(bytes: Uint8Array): Promise<Photo>;
  startMedia(core?: Core): Promise<Server>;
  startGateway(mediaUrl: string, core?: Core): Promise<Server>;
}

export async function openMediaSetup(): Promise<MediaSetup> {
  await using closing = new AsyncDisposableStack();
  const postgres = closing.use(await openPostgres());
  const identity = await startTestIdentity();
  closing.defer(() => identity.close());
  const assignments = await listen(
    (_request, response) => {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ ...OCCASION, workerId: WORKER.id, status: 'planted' }));
    },
    { host: '127.0.0.1', port: 0 },
  );
  closing.defer(() => assignments.close());
  const objectsDir = join(postgres.folder, 'objects');
  const logger = openLogger('bench', 'error');
  const platform = await openPlatform(
    { databaseUrl: postgres.url, objectsDir, smtpUrl: 'smtp://127.0.0.1:1', mailFrom: '' },
    logger,
  );
  closing.defer(() => platform.close());
  const store = await openPhotoStore(platform, logger);
  const photos = openPhotos(store, photoObjects(await platform.objects('media')));

  const run = async (
    name: string,
    path: string,
    script: string,
    env: Record<string, string>,
    core?: Core,
  ) => {
    const [metricsPort] = await freePorts(1);
    return startServer(name, path, (port, url) => ({
      args: [script],
      cwd: ROOT,
      ...(core !== undefined && { core }),
      env: { PORT: String(port), METRICS_PORT: String(metricsPort), SITE_URL: url, ...env },
    }));
  };

  const kept = closing.move();
  return {
    store,
    token: await identity.token({ role: 'worker', ...WORKER }),
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
    startMedia: (core) =>
      run(
        'media',
        '/readyz',
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
      ),
    startGateway: (mediaUrl, core) =>
      run(
        'the gateway',
        '/livez',
        'gateway/main.ts',
        {
          ...Object.fromEntries(SERVICES.map((name) => [urlVariable(name), mediaUrl])),
          // Limits count as ever, but one visitor may do what ten thousand do.
          RATE_LIMIT_SCALE: '1000000',
        },
        core,
      ),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
