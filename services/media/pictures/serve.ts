import type { BinaryReply } from '@arboleda/chassis/http/handlers.ts';
import { LEASE_MS } from '@arboleda/contracts/lease.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import type { PhotoMetrics } from '../metrics.ts';
import type { PhotoObjects } from '../photos/objects.ts';
import { type Photo, variantFor } from '../photos/photo.ts';
import { CONTENT_TYPES, type Format, wantedFormat } from './formats.ts';

/** A picture never changes; but its photo may be hidden, and is then to leave caches within a month. */
const FINAL_SECONDS = 30 * 86_400;
/** While what the caller would rather have is being made. */
const PROVISIONAL_SECONDS = 60;

/** What one caller asked of a photo. */
interface Asked {
  width: number;
  accept: string | undefined;
  /** If-None-Match: the versions that the caller has. */
  known: string | undefined;
}

/** Shows photos to those who may see them. */
export function pictureServer(objects: PhotoObjects, metrics: PhotoMetrics) {
  /** @throws Problem `not-found` while there is nothing to show. */
  async function show(photo: Photo | undefined, { width, accept, known }: Asked) {
    const variant = photo && variantFor(photo, width);
    if (!variant) throw new Problem('not-found');
    const wanted = wantedFormat(accept);
    const format: Format = photo.hasModern ? wanted : 'jpeg';
    const picture = { nominalWidth: variant.nominalWidth, format };
    const info = await objects.pictureInfo(photo, picture, known);
    if (!info) throw new Problem('not-found');
    metrics.shown.inc({ format });
    const reply: BinaryReply = {
      contentType: CONTENT_TYPES[format],
      etag: info.etag,
      sizeBytes: info.sizeBytes,
      vary: 'Accept',
      bytes: (part) => objects.pictureBytes(photo, picture, part),
    };
    return { reply, isFinal: format === wanted };
  }

  return {
    /** For everybody, and to be kept by them; by gateways for as long as hiding it waits: see admin/routes.ts. */
    async toPublic(photo: Photo | undefined, asked: Asked): Promise<BinaryReply> {
      const { reply, isFinal } = await show(photo?.hidden ? undefined : photo, asked);
      return {
        ...reply,
        leaseMs: LEASE_MS,
        ...(isFinal ? { immutableSeconds: FINAL_SECONDS } : { publicSeconds: PROVISIONAL_SECONDS }),
      };
    },
    /** Hidden ones too; nobody keeps it. */
    toAdmin: async (photo: Photo | undefined, asked: Asked): Promise<BinaryReply> =>
      (await show(photo, asked)).reply,
  };
}
export type PictureServer = ReturnType<typeof pictureServer>;
