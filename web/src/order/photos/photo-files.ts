import { LARGEST_PHOTO_WIDTH } from '@arboleda/contracts/photo.ts';
import { Zip, ZipPassThrough } from 'fflate';
import { call } from '../../api/client.ts';
import { isProblem } from '../../api/problem.ts';
import type { PublicOrder } from '../../api/order.ts';

type Photo = Pick<PublicOrder['photos'][number], 'filename' | 'takenAt' | 'uploadedAt'>;

/** "arboleda-7F3A9C-02.jpg" */
export const photoFileName = (shortId: string, number: number): string =>
  `arboleda-${shortId}-${String(number).padStart(2, '0')}.jpg`;

/** A photo in the largest size there is, as JPEG, which every program opens. */
export const fetchPhoto = ({ filename }: Pick<Photo, 'filename'>): Promise<Blob> =>
  call('GET /api/photos/{filename}', {
    params: { filename },
    query: { w: `${LARGEST_PHOTO_WIDTH}` },
    headers: { accept: 'image/jpeg' },
  });

/**
 * All photos in one zip file, uncompressed, as JPEG gains nothing by it. Photos that were hidden a moment ago are left
 * out.
 * @param onPhoto called with the number of photos that arrived
 */
export async function zipPhotos(
  photos: readonly Photo[],
  shortId: string,
  onPhoto: (arrived: number) => void,
): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const zip = new Zip((error, part) => {
    if (error) throw error;
    parts.push(part as Uint8Array<ArrayBuffer>);
  });
  for (const [at, photo] of photos.entries()) {
    const file = await fetchPhoto(photo).catch((failure: unknown) => {
      if (isProblem(failure, 'not-found')) return undefined;
      throw failure;
    });
    onPhoto(at + 1);
    if (!file) continue;
    const entry = new ZipPassThrough(photoFileName(shortId, at + 1));
    entry.mtime = photo.takenAt ?? photo.uploadedAt;
    zip.add(entry);
    entry.push(new Uint8Array(await file.arrayBuffer()), true);
  }
  zip.end();
  return new Blob(parts, { type: 'application/zip' });
}
