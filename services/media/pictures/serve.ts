import type { BinaryReply } from '@arboleda/chassis/http/handlers.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import type { PhotoMetrics } from '../metrics.ts';
import type { PhotoObjects } from '../photos/objects.ts';
import { type Photo, variantFor } from '../photos/photo.ts';
import { CONTENT_TYPES, type Format, wantedFormat } from './formats.ts';

/** Hidden photos disappear from browsers and gateways within this time: see docs/decisions/12. */
const PUBLIC_SECONDS = 60;

interface Asked {
  width: number;
  accept: string | undefined;
}

export function pictureServer(objects: PhotoObjects, metrics: PhotoMetrics) {
  /** @throws Problem `not-found` while there is no picture */
  async function show(photo: Photo | undefined, { width, accept }: Asked): Promise<BinaryReply> {
    const variant = photo && variantFor(photo, width);
    if (!variant) throw new Problem('not-found');
    const wanted = wantedFormat(accept);
    const format: Format = photo.hasModern ? wanted : 'jpeg';
    const picture = { nominalWidth: variant.nominalWidth, format };
    const info = await objects.pictureInfo(photo, picture);
    if (!info) throw new Problem('not-found');
    metrics.shown.inc({ format });
    return {
      contentType: CONTENT_TYPES[format],
      etag: info.etag,
      sizeBytes: info.sizeBytes,
      vary: 'Accept',
      bytes: (part) => objects.pictureBytes(photo, picture, part),
    };
  }

  return {
    /** Publicly cacheable for a short time. */
    toPublic: async (photo: Photo | undefined, asked: Asked): Promise<BinaryReply> => ({
      ...(await show(photo?.hidden ? undefined : photo, asked)),
      publicSeconds: PUBLIC_SECONDS,
    }),
    /** Includes hidden photos; must not be cached. */
    toAdmin: (photo: Photo | undefined, asked: Asked): Promise<BinaryReply> => show(photo, asked),
  };
}
export type PictureServer = ReturnType<typeof pictureServer>;
