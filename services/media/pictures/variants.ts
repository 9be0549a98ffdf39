import { releaseMemory } from '@arboleda/chassis/http/release-memory.ts';
import sharp, { type Sharp } from 'sharp';
import { type Variant, widthsFor } from '../photos/photo.ts';
import type { Format } from './formats.ts';

/** Settings of similar visual quality at the size of a photo on a page. */
const ENCODERS: Record<Format, (picture: Sharp) => Sharp> = {
  jpeg: (picture) => picture.jpeg({ quality: 80, progressive: true }),
  webp: (picture) => picture.webp({ quality: 75 }),
  // A higher effort takes three times as long and saves a twentieth.
  avif: (picture) => picture.avif({ quality: 50, effort: 2 }),
};
/** Taller pictures are fitted by height: JPEG ends at 65,535 rows, WebP at 16,383. */
const MAX_HEIGHT_IN_WIDTHS = 3;

/**
 * Decodes every accepted original. Without `unlimited` libvips refuses a JPEG after a hundred errors; its
 * limits for other formats, and for JPEGs with many scans, were checked at upload.
 */
const LENIENT = { failOn: 'none', limitInputPixels: false, unlimited: true } as const;

/** A decoded photo: upright, in sRGB, without metadata, no larger than the largest size. */
export interface Decoded {
  /** Widths to make, smallest first. */
  widths: readonly number[];
  encode(nominalWidth: number, format: Format): Promise<Variant & { bytes: Buffer }>;
  /** Frees the pixels once pending pictures are made. */
  release(): void;
}

/**
 * Bounds sharp's memory, process-wide: one thread per picture, as several concurrent pictures use the cores
 * better, and no cache.
 */
export function boundSharp(): void {
  sharp.cache(false);
  sharp.concurrency(1);
}

/**
 * Decodes an original, or the first frame of an animation, once for all sizes and formats.
 * @param original is empty afterwards
 */
export async function decode(original: Uint8Array): Promise<Decoded> {
  const source = sharp(original, LENIENT).autoOrient();
  const widths = widthsFor((await source.metadata()).autoOrient.width);
  const { data: pixels, info: raw } = await fit(source, widths.at(-1)!)
    .flatten({ background: 'white' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  releaseMemory(original);
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
    // Freed explicitly, as the garbage collector would keep them for long while the heap is small. libvips
    // reads them on another thread.
    release: () => void Promise.allSettled(encoding).then(() => releaseMemory(pixels)),
  };
}

const fit = (picture: Sharp, width: number): Sharp =>
  picture.resize(width, width * MAX_HEIGHT_IN_WIDTHS, { fit: 'inside', withoutEnlargement: true });
