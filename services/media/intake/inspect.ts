import type { PHOTO_PROBLEMS } from '@arboleda/contracts/endpoints/media-fields.ts';
import { type Evidence, readEvidence } from '@arboleda/contracts/exif.ts';
import { fileTypeFromBuffer } from 'file-type';
import sharp, { type Metadata, type Sharp } from 'sharp';

/** SVG is none of them, though sharp would read it. */
const ACCEPTED_TYPES = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif']);
/** What phones call HEIC. sharp reads it where it was built with a decoder for HEVC, which is patented. */
const HEIC_TYPES = new Set(['image/heic', 'image/heif', 'image/heic-sequence', 'image/heif-sequence']);
/** A 50 MP phone is the most that is carried to a field; more is a file that grows when it is decoded. */
const MAX_PIXELS = 52_000_000;
/** These are decoded as a whole, in up to 22 bytes a pixel: no more than a 12 MP camera's fit into 200 to 280 MB. */
const MAX_HEIF_PIXELS = 12_500_000;
/** An interlaced PNG is unpacked as a whole before it is made smaller, in up to 8 bytes a pixel. */
const MAX_INTERLACED_PIXELS = 24_000_000;
const PROBE_PIXELS = 64;
/** What a JPEG's decoder makes at a time are 8 to 32 rows. */
const PROBE_ROWS = 16;

export type PhotoProblem = (typeof PHOTO_PROBLEMS)[number];

/** A file that is a photo. */
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
 * Looks at a file as it came from outside, and decodes as much of it as it takes to know that it can be decoded: once at
 * thumbnail size, or the first rows of what a camera wrote. @throws PhotoRefused
 */
export async function inspect(bytes: Buffer, now: Date): Promise<Inspected> {
  const contentType = (await fileTypeFromBuffer(bytes))?.mime ?? '';
  const isHeic = HEIC_TYPES.has(contentType);
  if (!isHeic && !ACCEPTED_TYPES.has(contentType)) throw new PhotoRefused('photo-not-an-image');
  // Whatever is wrong with a HEIC, a JPEG in its place would be right.
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

/** A thirtieth of the work of a thumbnail, for which a JPEG of 12 MP is read to its end. */
const firstRows = (source: Sharp, { width, height }: Metadata): Sharp =>
  source.extract({ left: 0, top: 0, width, height: Math.min(height, PROBE_ROWS) });

/** By what decoding needs, so that no photo takes more memory than another. */
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
/** Tables and what applications write: they may stand before a scan, and their length tells where the next one begins. */
const isTable = (marker: number): boolean =>
  marker === 0xc4 || // Huffman tables
  marker === 0xdb || // quantization tables
  marker === 0xfe || // comment
  (marker & 0xf0) === 0xe0; // applications

/**
 * Whether a JPEG's outline says that it is all there: one sequential frame, all of whose components come in one scan, after which
 * the file ends as it should. A decoder that bears any number of mistakes mends whatever is wrong within such a scan: it can only
 * fail at its beginning.
 * `false` for every other, whole or not: progressive ones, those with something behind them, and those with restart
 * intervals, of which some may be missing.
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
