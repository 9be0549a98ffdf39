import sharp, { type Sharp } from 'sharp';
import { type Variant, widthsFor } from './photo.ts';

const JPEG = { quality: 80, progressive: true } as const;
/** A picture taller than this many widths is fitted by its height: JPEG ends at 65,535 rows. */
const MAX_HEIGHT_IN_WIDTHS = 3;

/**
 * Bounds sharp's memory. These are settings of the whole process: one thread for a picture (several pictures at a
 * time use the cores better), and nothing kept between pictures.
 */
export function boundSharp(): void {
  sharp.cache(false);
  sharp.concurrency(1);
}

/**
 * Pictures for the public: upright, in sRGB, without any metadata, the first frame of an animation. The original is
 * decoded once; the smaller ones are made of the largest.
 * @returns smallest first.
 */
export async function makeVariants(original: Uint8Array): Promise<(Variant & { bytes: Buffer })[]> {
  const source = sharp(original, { failOn: 'none', limitInputPixels: false }).autoOrient();
  const widths = widthsFor((await source.metadata()).autoOrient.width);
  const largest = await fit(source, widths.at(-1)!)
    .flatten({ background: 'white' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const made = [];
  for (const nominalWidth of widths) {
    const { data, info } = await fit(sharp(largest.data, { raw: largest.info }), nominalWidth)
      .jpeg(JPEG)
      .toBuffer({ resolveWithObject: true });
    made.push({ nominalWidth, width: info.width, height: info.height, bytes: data });
  }
  return made;
}

const fit = (picture: Sharp, width: number): Sharp =>
  picture.resize(width, width * MAX_HEIGHT_IN_WIDTHS, { fit: 'inside', withoutEnlargement: true });
