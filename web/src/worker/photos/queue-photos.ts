import { findExif, readEvidence } from '@arboleda/contracts/exif.ts';
import { MAX_PHOTO_BYTES } from '@arboleda/contracts/photo.ts';
import type { Occasion, PhotoDetails, PhotoItem } from '../outbox/item.ts';
import type { Outbox } from '../outbox/outbox.ts';
import { currentPlace } from '../place/place.ts';

/** Place and time from a photo's EXIF. Read before the picture is reduced, with the server's parser. */
export function readExif(file: ArrayBuffer, now: Date): PhotoDetails {
  const { takenAt, coordinates } = readEvidence(findExif(new Uint8Array(file)), now);
  return { ...(takenAt && { takenAt }), ...coordinates };
}

/** Type by magic bytes, whatever the name: accepted, not decodable by the server, or no photo. */
type FileKind = 'accepted' | 'heic' | 'other';

const HEIC_BRANDS = /^(hei[cxms]|hev[cxms]|mif1|msf1)$/;
const AVIF_BRANDS = /^avi[fs]$/;

function kindOf(file: ArrayBuffer): FileKind {
  const head = String.fromCharCode(...new Uint8Array(file.slice(0, 12)));
  if (head.slice(4, 8) === 'ftyp') {
    const brand = head.slice(8, 12);
    if (HEIC_BRANDS.test(brand)) return 'heic';
    return AVIF_BRANDS.test(brand) ? 'accepted' : 'other';
  }
  const isWebp = head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP';
  const isAccepted = isWebp || ['\xff\xd8\xff', '\x89PNG', 'GIF8'].some((start) => head.startsWith(start));
  return isAccepted ? 'accepted' : 'other';
}

/** Longest side the server keeps; more would waste data. */
const LONGEST_SIDE_PX = 1600;
const THUMBNAIL_PX = 224;
const QUALITY = 0.86;
/** Smaller files are sent unchanged, with their EXIF. */
const SMALL_BYTES = 700_000;

interface Reduced {
  file: ArrayBuffer;
  type: string;
  thumbnail?: ArrayBuffer;
  refusedAs?: 'photo-heic-unreadable' | 'photo-not-an-image';
}

/**
 * Reduces a photo for slow lines and turns it upright. Files this browser cannot decode are sent unchanged or refused.
 */
async function reduce(original: File): Promise<Reduced> {
  const asItIs = async () => ({ file: await original.arrayBuffer(), type: original.type });
  let picture: Drawable;
  try {
    picture = await readPicture(original);
  } catch {
    const unread = await asItIs();
    const kind = kindOf(unread.file);
    // Missing AVIF support or memory must not lose a photo.
    if (kind === 'accepted') return unread;
    return { ...unread, refusedAs: kind === 'heic' ? 'photo-heic-unreadable' : 'photo-not-an-image' };
  }
  try {
    const thumbnail = await drawn(picture, THUMBNAIL_PX);
    const isSmall =
      original.type === 'image/jpeg' &&
      original.size <= SMALL_BYTES &&
      Math.max(picture.width, picture.height) <= LONGEST_SIDE_PX;
    if (isSmall) return { ...(await asItIs()), thumbnail };
    return { file: await drawn(picture, LONGEST_SIDE_PX), type: 'image/jpeg', thumbnail };
  } finally {
    if ('close' in picture) picture.close();
  }
}

type Drawable = ImageBitmap | HTMLImageElement;

/** Some browsers decode formats such as HEIC only in an img element. @throws when undecodable */
async function readPicture(original: File): Promise<Drawable> {
  try {
    return await createImageBitmap(original, { imageOrientation: 'from-image' });
  } catch {
    const image = new Image();
    const address = URL.createObjectURL(original);
    try {
      image.src = address;
      await image.decode();
      return image;
    } finally {
      URL.revokeObjectURL(address);
    }
  }
}

async function drawn(picture: Drawable, longestPx: number): Promise<ArrayBuffer> {
  const scale = Math.min(1, longestPx / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const pen = canvas.getContext('2d')!;
  pen.imageSmoothingQuality = 'high';
  // JPEG has no transparency; without a background it turns black.
  pen.fillStyle = '#ffffff';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', QUALITY));
  if (!blob) throw new Error('the picture could not be drawn');
  return blob.arrayBuffer();
}

/** A younger picture was taken where the phone is now, ms. */
const JUST_TAKEN_MS = 900_000;
/** Longest wait for a photo's place before it is sent without, ms. */
const PLACE_TIMEOUT_MS = 15_000;

/** Whether the phone's current place may be used for the photo. */
export const lacksPlace = (details: PhotoDetails, takenMs: number, now: number): boolean =>
  details.latitude === undefined && Math.abs(now - takenMs) < JUST_TAKEN_MS;

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
      heldUntil: wantsPlace && !refusal ? now + PLACE_TIMEOUT_MS : 0,
    };
    await outbox.add(item, refusal ? undefined : file);
    if (wantsPlace && !refusal) void addPlace(outbox, item.id);
  }
}

async function addPlace(outbox: Outbox, id: string): Promise<void> {
  const place = await currentPlace(PLACE_TIMEOUT_MS).catch(() => undefined);
  await outbox.change(id, (item) =>
    item.kind === 'photo' ? { ...item, heldUntil: 0, details: { ...item.details, ...place } } : item,
  );
}
