import { kindOf } from './kind.ts';

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
  /** Reason the server would refuse it. */
  refusedAs?: 'photo-heic-unreadable' | 'photo-not-an-image';
}

/**
 * Reduces a photo for slow lines and turns it upright. Files this browser cannot decode are sent unchanged or refused.
 */
export async function reduce(original: File): Promise<Reduced> {
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
