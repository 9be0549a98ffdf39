import type { Coordinates } from '@arboleda/contracts/fields.ts';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

/** Folder of the drawn photos and receipts. */
export const PHOTOS = new URL('photos/', import.meta.url);

/** A drawn photo as a phone would take it: a JPEG with place and time in its EXIF. */
export async function fieldPhoto(name: string, place: Coordinates, takenAt: Date): Promise<Blob> {
  const stamp = exifTime(takenAt);
  const jpeg = await sharp(fileURLToPath(new URL(name, PHOTOS)))
    .jpeg({ quality: 90 })
    .withExif({
      IFD0: { Make: 'Arboleda', Model: 'Demo' },
      IFD2: { DateTimeOriginal: stamp, OffsetTimeOriginal: '+00:00' },
      IFD3: {
        GPSLatitudeRef: place.latitude < 0 ? 'S' : 'N',
        GPSLatitude: exifDegrees(place.latitude),
        GPSLongitudeRef: place.longitude < 0 ? 'W' : 'E',
        GPSLongitude: exifDegrees(place.longitude),
      },
    })
    .toBuffer();
  return new Blob([new Uint8Array(jpeg)], { type: 'image/jpeg' });
}

/** "2026:03:01 10:11:12", UTC. */
const exifTime = (time: Date): string =>
  time.toISOString().slice(0, 19).replace('T', ' ').replaceAll('-', ':');

/** Degrees, minutes and seconds as EXIF fractions: "4/1 38/1 463200/10000". */
export function exifDegrees(value: number): string {
  const tenThousandths = Math.round(Math.abs(value) * 3600 * 10_000);
  const seconds = tenThousandths % 600_000;
  const minutes = Math.floor(tenThousandths / 600_000);
  return `${Math.floor(minutes / 60)}/1 ${minutes % 60}/1 ${seconds}/10000`;
}
