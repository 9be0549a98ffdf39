import type { Call, Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { OpenService } from '@arboleda/chassis/service.ts';
import type { mediaEndpoints } from '@arboleda/contracts/endpoints/media.ts';
import { acceptsPhotos } from '@arboleda/contracts/order.ts';
import { fieldProblemTitle, Problem } from '@arboleda/contracts/problems.ts';
import type { Limiter } from '../limit.ts';
import type { PhotoMetrics } from '../metrics.ts';
import type { Photo } from '../photos/photo.ts';
import type { Photos } from '../photos/photos.ts';
import type { PhotoStore } from '../photos/store.ts';
import { newPhoto, type Occasion } from './new-photo.ts';
import { type Accepted, allRefused, type Refused, sortFiles } from './upload.ts';

type Endpoints = Pick<
  typeof mediaEndpoints,
  'POST /api/workers/assignments/{id}/photos' | 'POST /api/workers/growth-visits/{id}/photos'
>;
type Upload = Pick<
  Call<(typeof mediaEndpoints)['POST /api/workers/assignments/{id}/photos']>,
  'person' | 'body' | 'files' | 'language'
>;

export function intakeRoutes(parts: {
  service: Pick<OpenService, 'call' | 'clock'>;
  store: PhotoStore;
  photos: Photos;
  metrics: PhotoMetrics;
  /** Bounds the number of files decoded concurrently. */
  limited: Limiter;
  maxDistanceMetres: number;
  onUpload: () => void;
  onKept: () => void;
}): Handlers<Endpoints> {
  const { service, store, photos, metrics, limited, maxDistanceMetres, onUpload, onKept } = parts;

  /** @throws Problem `not-found` for an assignment that was never theirs */
  async function planting(workerId: string, id: string): Promise<Occasion> {
    const assignment = await service.call('GET /internal/assignments/{id}', { params: { id } });
    const isFormer = isFormerOf(workerId, assignment);
    // A former worker may still send photos of the planting.
    if (!isFormer && !acceptsPhotos(assignment.status)) throw new Problem('photos-not-yet');
    return { ...assignment, isFormer };
  }

  async function growthVisit(workerId: string, id: string): Promise<Occasion> {
    const visit = await service.call('GET /internal/growth-visits/{id}', { params: { id } });
    const isFormer = isFormerOf(workerId, visit);
    if (visit.state === 'waiting') throw new Problem('photos-not-yet');
    if (visit.state === 'scheduled') throw new Problem('growth-visit-not-due');
    return { ...visit, growthVisitId: visit.visitId, isFormer };
  }

  /** Stores a photo, or returns the one that the phone sent before under the same id, even with other bytes. */
  async function keep(file: Accepted, photo: Photo): Promise<ReturnType<typeof receipt>> {
    const before = photo.clientKey && (await store.byClientKey(photo.clientKey));
    return receipt(file, photo, before || (await photos.accept(photo, file.bytes)));
  }

  /**
   * @param asking the purpose, looked up while the files are checked. Its error takes precedence over those
   * of files
   */
  async function take(asking: Promise<Occasion>, { person, body, files, language }: Upload) {
    onUpload();
    const now = service.clock();
    const [asked, sorted] = await Promise.allSettled([asking, sortFiles(files, body.details, now, limited)]);
    const occasion = valueOf(asked);
    const { accepted, refused } = valueOf(sorted);
    for (const { type } of refused) metrics.refused.inc({ type });
    if (accepted.length === 0) throw allRefused(refused);
    const receipts = [];
    for (const file of accepted) {
      // A millisecond apart, so photos are shown in upload order.
      const at = new Date(now.getTime() + file.index);
      receipts.push(await keep(file, newPhoto(file, occasion, person, { now: at, maxDistanceMetres })));
      onKept();
    }
    for (const file of files) file.release();
    for (const { duplicate, flags } of receipts) {
      metrics.accepted.inc({ duplicate: String(duplicate) });
      if (!duplicate) for (const flag of flags) metrics.flagged.inc({ flag });
    }
    return {
      photos: receipts,
      refused: refused.map((file) => refusal(file, fieldProblemTitle(file.type, language))),
    };
  }

  return {
    'POST /api/workers/assignments/{id}/photos': async (call) =>
      take(planting(call.person.id, call.params.id), call),
    'POST /api/workers/growth-visits/{id}/photos': async (call) =>
      take(growthVisit(call.person.id, call.params.id), call),
  };
}

/** Whether the worker was reassigned. @throws Problem `not-found` when they never had it */
function isFormerOf(
  me: string,
  { workerId, formerWorkerIds }: { workerId?: string | undefined; formerWorkerIds: readonly string[] },
): boolean {
  if (workerId === me) return false;
  if (!formerWorkerIds.includes(me)) throw new Problem('not-found');
  return true;
}

function valueOf<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}

const idOf = ({ detail: { clientId } }: Accepted | Refused) => clientId && { clientId };

const receipt = (file: Accepted, sent: Photo, kept: Photo) => ({
  id: kept._id,
  filename: kept.filename,
  originalName: file.originalName,
  duplicate: kept.filename !== sent.filename,
  ...idOf(file),
  flags: [...kept.flags],
});

const refusal = (file: Refused, message: string) => ({
  index: file.index,
  originalName: file.originalName,
  ...idOf(file),
  type: file.type,
  message,
});
