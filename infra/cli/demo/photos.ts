import type { Coordinates } from '@arboleda/contracts/fields.ts';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

/** Folder of the drawn photos and receipts. */
export const PHOTOS = new URL('photos/', import.meta.url);

/** Where workers plant unless a test says otherwise. */
export const PLACE: Coordinates = { latitude: 4.637214, longitude: -75.487031 };

/** A file as a form or a file picker sends it. */
export interface NamedPicture {
  name: string;
  mimeType: string;
  buffer: Buffer<ArrayBuffer>;
}

/** A drawn receipt of a bank transfer. */
export async function receipt(drawing = 'transfer-school.jpg', name = drawing): Promise<NamedPicture> {
  return { name, mimeType: 'image/jpeg', buffer: await readFile(new URL(drawing, PHOTOS)) };
}

export function pictureForm(
  field: string,
  pictures: readonly NamedPicture[],
  texts: Record<string, string | number> = {},
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(texts)) form.append(name, String(value));
  for (const { name, mimeType, buffer } of pictures)
    form.append(field, new Blob([buffer], { type: mimeType }), name);
  return form;
}

/** A drawn photo as a phone would take it: a JPEG with place and time in its EXIF. */
export async function fieldPhoto(
  drawing: string,
  place: Coordinates,
  takenAt: Date,
  name = drawing,
  widthPx?: number,
): Promise<NamedPicture> {
  const stamp = exifTime(takenAt);
  const drawn = sharp(fileURLToPath(new URL(drawing, PHOTOS)));
  const jpeg = await (widthPx === undefined ? drawn : drawn.resize(widthPx))
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
  return { name, mimeType: 'image/jpeg', buffer: Buffer.from(jpeg) };
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
