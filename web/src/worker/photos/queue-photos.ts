import { MAX_PHOTO_BYTES } from '@arboleda/contracts/photo.ts';
import type { Occasion, PhotoDetails, PhotoItem } from '../outbox/item.ts';
import type { Outbox } from '../outbox/outbox.ts';
import { currentPlace } from '../place/current.ts';
import { readExif } from './exif.ts';
import { reduce } from './reduce.ts';

/** A younger picture was taken where the phone is now, ms. */
const JUST_TAKEN_MS = 900_000;
/** Longest wait for a photo's place before it is sent without, ms. */
export const PLACE_TIMEOUT_MS = 15_000;

/** Whether the phone's current place may be used for the photo. */
export const lacksPlace = (details: PhotoDetails, takenMs: number, now: number): boolean =>
  details.latitude === undefined && Math.abs(now - takenMs) < JUST_TAKEN_MS;

/** Details of a photo from its file and the phone. */
export function detailsOf(exif: PhotoDetails, lastModified: number, now: number): PhotoDetails {
  if (exif.takenAt || lastModified <= 0 || lastModified > now) return exif;
  return { ...exif, takenAt: new Date(lastModified).toISOString() };
}

let lastAt = 0;
/** Unique timestamps, so that items keep their order. */
export const nextMoment = (): number => (lastAt = Math.max(Date.now(), lastAt + 1));

/** Queues photos: reads place and time, reduces them, then adds the phone's place to a fresh photo. */
export async function queuePhotos(
  outbox: Outbox,
  workerId: string,
  occasion: Occasion,
  files: readonly File[],
): Promise<void> {
  for (const original of files) {
    const now = Date.now();
    const exif = readExif(await original.arrayBuffer(), new Date(now));
    const details = detailsOf(exif, original.lastModified, now);
    const wantsPlace = lacksPlace(details, details.takenAt ? Date.parse(details.takenAt) : now, now);
    const { file, type, thumbnail, refusedAs } = await reduce(original);
    // Refused before it costs data.
    const refusal = refusedAs ?? (file.byteLength > MAX_PHOTO_BYTES ? 'photo-too-large' : undefined);
    const item: PhotoItem = {
      kind: 'photo',
      id: crypto.randomUUID(),
      workerId,
      occasion,
      at: nextMoment(),
      name: original.name,
      type,
      details,
      ...(thumbnail && { thumbnail }),
      state: refusal ? { step: 'refused', type: refusal, message: '' } : { step: 'waiting' },
      attempts: 0,
      triedAt: 0,
      retryAt: 0,
      placeUntil: wantsPlace && !refusal ? now + PLACE_TIMEOUT_MS : 0,
    };
    await outbox.add(item, refusal ? undefined : file);
    if (wantsPlace && !refusal) void addPlace(outbox, item.id);
  }
}

async function addPlace(outbox: Outbox, id: string): Promise<void> {
  const place = await currentPlace(PLACE_TIMEOUT_MS).catch(() => undefined);
  await outbox.change(id, (item) =>
    item.kind === 'photo' ? { ...item, placeUntil: 0, details: { ...item.details, ...place } } : item,
  );
}
