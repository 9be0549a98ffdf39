import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { OpenService } from '@arboleda/chassis/service.ts';
import type { mediaEndpoints } from '@arboleda/contracts/endpoints/media.ts';
import { acceptsPhotos } from '@arboleda/contracts/order.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { limiter } from './limit.ts';
import type { PhotoMetrics } from './metrics.ts';
import { type Photo, variantFor } from './photo.ts';
import type { PhotoStore } from './store.ts';
import { type Assignment, checkFiles, newPhoto } from './upload.ts';

const YEAR_SECONDS = 31_536_000;

export function routes(parts: {
  service: Pick<OpenService, 'call' | 'clock'>;
  store: PhotoStore;
  metrics: PhotoMetrics;
  concurrency: number;
}): Handlers<typeof mediaEndpoints> {
  const { service, store, metrics } = parts;
  const limited = limiter(parts.concurrency);

  /** @throws Problem `not-found` for somebody else's too: whose it is, is nobody's business. */
  async function assignmentOf(workerId: string, id: string): Promise<Assignment> {
    const assignment = await service.call('GET /internal/assignments/{id}', { params: { id } });
    if (assignment.workerId !== workerId) throw new Problem('not-found');
    if (!acceptsPhotos(assignment.status)) throw new Problem('photos-not-yet');
    return assignment;
  }

  return {
    async 'POST /api/workers/assignments/{id}/photos'({ params, person, files }) {
      const assignment = await assignmentOf(person.id, params.id);
      const now = service.clock();
      const checked = await checkFiles(files, now, limited).catch((error: unknown) => {
        if (error instanceof Problem) for (const { type } of error.fields) metrics.refused.inc({ type });
        throw error;
      });
      const photos = [];
      for (const [index, file] of checked.entries()) {
        // A millisecond apart: photos are shown in the order they were sent.
        const photo = newPhoto(file, assignment, new Date(now.getTime() + index));
        photos.push(receipt(photo, await store.accept(photo, file.bytes)));
      }
      for (const { duplicate } of photos) metrics.accepted.inc({ duplicate: String(duplicate) });
      return { photos };
    },

    async 'GET /api/photos/{filename}'({ params, query }) {
      const photo = await store.byFilename(params.filename);
      const variant = photo && variantFor(photo, Number(query.w));
      const found = variant && (await store.variant(photo, variant));
      if (!found) throw new Problem('not-found');
      const { info, bytes } = found;
      return {
        contentType: info.contentType,
        etag: info.etag,
        sizeBytes: info.sizeBytes,
        immutableSeconds: YEAR_SECONDS,
        bytes,
      };
    },
  };
}

const receipt = (sent: Photo, kept: Photo) => ({
  id: kept._id,
  filename: kept.filename,
  originalName: sent.originalName,
  duplicate: kept.filename !== sent.filename,
});
