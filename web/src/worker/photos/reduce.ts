import { kindOf } from './kind.ts';

/** As large as the server keeps a photo at most; more would only cost data. */
const LONGEST_SIDE_PX = 1600;
const THUMBNAIL_PX = 224;
const QUALITY = 0.86;
/** A file that is this small already goes as it is, with its own EXIF. */
const SMALL_BYTES = 700_000;

interface Reduced {
  file: ArrayBuffer;
  type: string;
  thumbnail?: ArrayBuffer;
  /** Why the server would refuse it. */
  refusedAs?: 'photo-heic-unreadable' | 'photo-not-an-image';
}

/** A photo made small enough for a phone's line, upright. What this browser cannot read goes as it came, if at all. */
export async function reduce(original: File): Promise<Reduced> {
  const asItIs = async () => ({ file: await original.arrayBuffer(), type: original.type });
  let picture: Drawable;
  try {
    picture = await readPicture(original);
  } catch {
    const unread = await asItIs();
    const kind = kindOf(unread.file);
    // A browser without AVIF, or a phone without room for so many pixels, is no reason to lose a photo.
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

/** Some browsers read in an img element what they read nowhere else, such as HEIC. @throws when this one reads it nowhere */
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
  // JPEG has no transparency; black would be what a PNG's becomes.
  pen.fillStyle = '#ffffff';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', QUALITY));
  if (!blob) throw new Error('the picture could not be drawn');
  return blob.arrayBuffer();
}
