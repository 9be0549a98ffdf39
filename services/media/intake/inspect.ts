import type { PHOTO_PROBLEMS } from '@arboleda/contracts/endpoints/media-fields.ts';
import { type Evidence, readEvidence } from '@arboleda/contracts/exif.ts';
import { fileTypeFromBuffer } from 'file-type';
import sharp, { type Metadata, type Sharp } from 'sharp';

/** Excludes SVG, which sharp would read. */
const ACCEPTED_TYPES = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif']);
/** sharp reads HEIC only when built with a decoder for HEVC, which is patented. */
const HEIC_TYPES = new Set(['image/heic', 'image/heif', 'image/heic-sequence', 'image/heif-sequence']);
/** No phone takes more than 50 MP; a larger file is a decompression bomb. */
const MAX_PIXELS = 52_000_000;
/** HEIF is decoded as a whole, in up to 22 bytes a pixel: a photo of 12 MP takes 200 to 280 MB. */
const MAX_HEIF_PIXELS = 12_500_000;
/** An interlaced PNG is decoded as a whole before it is resized, in up to 8 bytes a pixel. */
const MAX_INTERLACED_PIXELS = 24_000_000;
const PROBE_PIXELS = 64;
/** JPEG decoders produce 8 to 32 rows at a time. */
const PROBE_ROWS = 16;

export type PhotoProblem = (typeof PHOTO_PROBLEMS)[number];

export interface Inspected {
  contentType: string;
  evidence: Evidence;
}

export class PhotoRefused extends Error {
  readonly type: PhotoProblem;
  constructor(type: PhotoProblem, cause?: unknown) {
    super(type, { cause });
    this.name = 'PhotoRefused';
    this.type = type;
  }
}

/**
 * Checks an uploaded file. Decodes enough to show that it is valid: a thumbnail, or the first rows of a
 * complete JPEG.
 * @throws PhotoRefused
 */
export async function inspect(bytes: Buffer, now: Date): Promise<Inspected> {
  const contentType = (await fileTypeFromBuffer(bytes))?.mime ?? '';
  const isHeic = HEIC_TYPES.has(contentType);
  if (!isHeic && !ACCEPTED_TYPES.has(contentType)) throw new PhotoRefused('photo-not-an-image');
  // A JPEG is the remedy for every fault of a HEIC.
  const refuse = (type: PhotoProblem, cause?: unknown): never => {
    throw new PhotoRefused(isHeic ? 'photo-heic-unreadable' : type, cause);
  };
  const damaged = (cause: unknown) => refuse('photo-damaged', cause);
  const metadata = await sharp(bytes, { limitInputPixels: false }).metadata().catch(damaged);
  const maxPixels = maxPixelsOf(metadata);
  if (metadata.width * metadata.height > maxPixels) refuse('photo-too-many-pixels');
  const source = sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error' });
  const isWhole = metadata.format === 'jpeg' && isWholeJpeg(bytes);
  const probe = isWhole ? firstRows(source, metadata) : thumbnail(source);
  await probe.raw().toBuffer().catch(damaged);
  return { contentType, evidence: readEvidence(metadata.exif, now) };
}

const thumbnail = (source: Sharp): Sharp => source.resize(PROBE_PIXELS, PROBE_PIXELS, { fit: 'inside' });

/** A thirtieth of the work of a thumbnail, which decodes a JPEG of 12 MP to its end. */
const firstRows = (source: Sharp, { width, height }: Metadata): Sharp =>
  source.extract({ left: 0, top: 0, width, height: Math.min(height, PROBE_ROWS) });

/** Depends on the memory that decoding needs. */
function maxPixelsOf({ format, isProgressive }: Metadata): number {
  if (format === 'heif') return MAX_HEIF_PIXELS;
  return format === 'png' && isProgressive ? MAX_INTERLACED_PIXELS : MAX_PIXELS;
}

/** Markers of ITU-T T.81, table B.1: the second byte of each, after 0xff. */
const RESTART_INTERVAL = 0xdd;
const BASELINE_FRAME = 0xc0;
const EXTENDED_FRAME = 0xc1;
const END_OF_IMAGE = 0xd9;
const START_OF_SCAN = 0xda;
/** Segments allowed before a scan. Each states its length, which locates the next one. */
const isTable = (marker: number): boolean =>
  marker === 0xc4 || // Huffman tables
  marker === 0xdb || // quantization tables
  marker === 0xfe || // comment
  (marker & 0xf0) === 0xe0; // applications

/**
 * Whether the markers of a JPEG show that it is complete: one sequential frame with all components in one
 * scan, then the end of the file. A lenient decoder can fail only at the start of such a scan. False for all
 * other files, even complete ones: progressive, with trailing bytes, or with restart intervals, some of which
 * may be missing.
 */
export function isWholeJpeg(bytes: Buffer): boolean {
  const end = bytes.length - 2;
  if (bytes[end] !== 0xff || bytes[end + 1] !== END_OF_IMAGE) return false;
  let components: number | undefined;
  for (let at = 2; at + 4 <= end; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1]!;
    const length = bytes.readUInt16BE(at + 2);
    if (bytes[at] !== 0xff || length < 2) return false;
    if (marker === START_OF_SCAN) return bytes[at + 4] === components && at + 2 + length < end;
    if (marker === BASELINE_FRAME || marker === EXTENDED_FRAME) {
      if (components !== undefined) return false;
      components = bytes[at + 9];
    } else if (marker === RESTART_INTERVAL) {
      if (bytes.readUInt16BE(at + 4) > 0) return false;
    } else if (!isTable(marker)) return false;
  }
  return false;
}
