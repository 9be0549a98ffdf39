import type { GivenUp } from '@arboleda/chassis/dead-letters/dead-letters.ts';
import type { Logger } from '@arboleda/chassis/log.ts';
import type { Platform } from '@arboleda/chassis/ports/platform.ts';
import { discard, requeue } from './photos/photo.ts';
import { openPhotoStore } from './photos/open-store.ts';

/** Photos whose processing was given up, for "npm run dlq". */
export async function openGivenUp(platform: Platform, logger: Logger): Promise<GivenUp> {
  const store = await openPhotoStore(platform, logger);
  /** @returns whether it was a dead letter */
  const settle = async (id: string, decide: typeof discard) => {
    let isDone = false;
    await store.change(id, (current) => {
      const change = current && decide(current);
      isDone = change !== undefined;
      return change;
    });
    return isDone;
  };
  return {
    deadJobs: async () =>
      (await store.givenUp()).map(({ _id, work }) => ({
        id: _id,
        service: 'media',
        name: `pictures ${work!.step}`,
        payload: { photoId: _id },
        error: work!.givenUp!.error,
        failedAt: work!.givenUp!.at,
      })),
    replay: (id) => settle(id, (photo) => requeue(photo, new Date())),
    discard: (id) => settle(id, discard),
  };
}
