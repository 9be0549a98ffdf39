import { spend } from '@arboleda/chassis/http/spent.ts';
import sharp, { type Sharp } from 'sharp';
import { type Variant, widthsFor } from '../photos/photo.ts';
import type { Format } from './formats.ts';

/** Settings that look alike at a photo's size on a page. */
const ENCODERS: Record<Format, (picture: Sharp) => Sharp> = {
  jpeg: (picture) => picture.jpeg({ quality: 80, progressive: true }),
  webp: (picture) => picture.webp({ quality: 75 }),
  // More effort takes three times as long to save a twentieth.
  avif: (picture) => picture.avif({ quality: 50, effort: 2 }),
};
/** A picture taller than this many widths is fitted by its height: JPEG ends at 65,535 rows, WebP at 16,383. */
const MAX_HEIGHT_IN_WIDTHS = 3;

/**
 * Pictures are made of every original that was accepted. Without `unlimited` libvips gives up a JPEG after a hundred mistakes.
 * Its limits for other formats, and for JPEGs of many scans, were checked when the file came in.
 */
const LENIENT = { failOn: 'none', limitInputPixels: false, unlimited: true } as const;

/** A photo as pixels: upright, in sRGB, without any metadata, no larger than the largest size. */
export interface Decoded {
  /** The nominal widths worth making of it, smallest first. */
  widths: readonly number[];
  encode(nominalWidth: number, format: Format): Promise<Variant & { bytes: Buffer }>;
  /** Frees the pixels, after the last picture that is being made of them. */
  release(): void;
}

/**
 * Bounds sharp's memory, for the whole process: one thread for a picture, because several pictures at a time use the cores
 * better, and no cache between pictures.
 */
export function boundSharp(): void {
  sharp.cache(false);
  sharp.concurrency(1);
}

/**
 * Decodes an original once, or the first frame of an animation. All sizes and formats are made of its pixels.
 * @param original is empty afterwards
 */
export async function decode(original: Uint8Array): Promise<Decoded> {
  const source = sharp(original, LENIENT).autoOrient();
  const widths = widthsFor((await source.metadata()).autoOrient.width);
  const { data: pixels, info: raw } = await fit(source, widths.at(-1)!)
    .flatten({ background: 'white' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  spend(original);
  const encoding = new Set<Promise<unknown>>();
  return {
    widths,
    async encode(nominalWidth, format) {
      const sized = fit(sharp(pixels, { raw }), nominalWidth);
      const encoded = ENCODERS[format](sized).toBuffer({ resolveWithObject: true });
      encoding.add(encoded);
      const { data, info } = await encoded.finally(() => encoding.delete(encoded));
      return { nominalWidth, width: info.width, height: info.height, bytes: data };
    },
    // The garbage collector would keep them for long, as the heap is small. libvips reads them on another thread.
    release: () => void Promise.allSettled(encoding).then(() => spend(pixels)),
  };
}

const fit = (picture: Sharp, width: number): Sharp =>
  picture.resize(width, width * MAX_HEIGHT_IN_WIDTHS, { fit: 'inside', withoutEnlargement: true });
