import type { Logger } from '@arboleda/chassis/log.ts';
import type { Platform } from '@arboleda/chassis/ports/platform.ts';
import { SPANS } from '@arboleda/chassis/telemetry/names.ts';
import { tracedCalls } from '@arboleda/chassis/telemetry/trace.ts';
import { openPostgresPhotos } from './postgres-store.ts';
import type { PhotoStore } from './store.ts';

export const MIGRATIONS = new URL('../migrations/', import.meta.url);

const OPERATIONS = ['get', 'change', 'byFilenames', 'byClientKey', 'ofFiles', 'ofOrder', 'flagged'] as const;

/** Uses MongoDB if the environment names one, else PostgreSQL. */
export async function openPhotoStore(platform: Platform, logger: Logger): Promise<PhotoStore> {
  if (!platform.mongodb) return openPostgresPhotos(await platform.sql('media', MIGRATIONS));
  const { openMongoPhotos } = await import('./mongodb-store.ts');
  const store = await platform.mongodb('media', (db) => openMongoPhotos({ db, bus: platform.bus, logger }));
  return tracedCalls(store, OPERATIONS, (operation) => ({
    name: SPANS.callEngine('mongodb', operation),
    kind: 'client',
    attributes: {
      'db.system.name': 'mongodb',
      'db.collection.name': 'photos',
      'db.operation.name': operation,
    },
  }));
}
