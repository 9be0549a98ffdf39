import { migratedTemplate } from '@arboleda/chassis/testing/database.ts';
import { openTestPlatform } from '@arboleda/chassis/testing/platform.ts';
import { probeEvents } from '@arboleda/chassis/testing/probe.ts';
import { pino } from 'pino';
import { MIGRATIONS, openPhotoStore } from '../photos/open-store.ts';
import { photoStoreConformance } from './store-conformance.ts';

const TYPES = ['photo.uploaded', 'photo.hidden', 'photo.restored'] as const;

photoStoreConformance(async () => {
  const platform = await openTestPlatform({
    template: migratedTemplate('media', MIGRATIONS),
    onPostgres: true,
  });
  const events = await probeEvents(platform, TYPES);
  return {
    store: await openPhotoStore(platform, pino({ level: 'silent' })),
    published: () => TYPES.flatMap((type) => events.all(type)),
    close: () => platform.close(),
  };
});
