import type { ProblemType } from '@arboleda/contracts/problems.ts';
import { type FieldFault, Problem } from '@arboleda/contracts/problems.ts';
import { fileTypeFromBuffer } from 'file-type';
import sharp from 'sharp';
import type { HashedFile } from './announcement.ts';

/** What a file is by its first bytes, and as what sharp has to read it. SVG is not among them, though sharp would. */
const ACCEPTED: Record<string, { contentType: string; format: string }> = {
  'image/jpeg': { contentType: 'image/jpeg', format: 'jpeg' },
  'image/png': { contentType: 'image/png', format: 'png' },
  'image/apng': { contentType: 'image/png', format: 'png' },
  'image/gif': { contentType: 'image/gif', format: 'gif' },
};
/** No camera writes more into 5 MB; more is a file that grows when it is decoded. */
const MAX_PIXELS = 40_000_000;
/** An interlaced PNG is unpacked as a whole before it is made smaller, in up to 8 bytes a pixel. */
const MAX_INTERLACED_PIXELS = 20_000_000;
/** Enough to read a receipt; a long screenshot keeps its width. */
const VIEW = { widthPixels: 2_000, maxHeightPixels: 12_000, quality: 85 };

export interface ReadImage {
  contentType: string;
  /** A JPEG made here: upright, the first frame, nothing in it but the picture. */
  view: Buffer;
}

class ImageRefused extends Error {
  readonly type: ProblemType;
  constructor(type: ProblemType, cause?: unknown) {
    super(type, { cause });
    this.name = 'ImageRefused';
    this.type = type;
  }
}

/**
 * Bounds sharp's memory. These are settings of the whole process: one thread for a picture, and nothing kept between
 * pictures.
 */
export function boundSharp(): void {
  sharp.cache(false);
  sharp.concurrency(1);
}

/** Reads images one after another, so that only one at a time is decoded in this process. */
export function imageReader(): (
  files: readonly HashedFile[],
  signal: AbortSignal,
) => Promise<(HashedFile & ReadImage)[]> {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    const turn = last.then(run);
    last = turn.catch(() => undefined);
    return turn;
  };
  return (files, signal) => readAll(files, (file) => inTurn(() => readUnlessLeft(file, signal)));
}

/** Who does not wait any more costs no more. */
function readUnlessLeft(file: HashedFile, signal: AbortSignal): Promise<ReadImage> {
  signal.throwIfAborted();
  return readImage(file.bytes);
}

/** @throws Problem of the first fault that names each file at fault, as `evidenceFiles.1` */
async function readAll(
  files: readonly HashedFile[],
  read: (file: HashedFile) => Promise<ReadImage>,
): Promise<(HashedFile & ReadImage)[]> {
  const images: (HashedFile & ReadImage)[] = [];
  const faults: (FieldFault & { type: ProblemType })[] = [];
  for (const [index, file] of files.entries()) {
    try {
      images.push({ ...file, ...(await read(file)) });
    } catch (error) {
      if (!(error instanceof ImageRefused)) throw error;
      faults.push({ path: `evidenceFiles.${index}`, type: error.type });
    }
  }
  if (faults[0]) throw new Problem(faults[0].type, { fields: faults });
  return images;
}

/** Looks at a file as it came from outside and makes the copy that people look at. @throws ImageRefused */
export async function readImage(bytes: Buffer): Promise<ReadImage> {
  const accepted = ACCEPTED[(await fileTypeFromBuffer(bytes))?.mime ?? ''];
  if (!accepted) throw new ImageRefused('evidence-not-an-image');
  const damaged = (cause: unknown) => {
    throw new ImageRefused('evidence-damaged', cause);
  };
  const metadata = await sharp(bytes, { limitInputPixels: false }).metadata().catch(damaged);
  const { format, width, height, isProgressive } = metadata;
  // One kind to the sniffer and another to the decoder: not a picture that anybody took.
  if (format !== accepted.format) throw new ImageRefused('evidence-not-an-image');
  const maxPixels = format === 'png' && isProgressive ? MAX_INTERLACED_PIXELS : MAX_PIXELS;
  if (width * height > maxPixels) throw new ImageRefused('photo-too-many-pixels');
  const view = await sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
    .autoOrient()
    .resize(VIEW.widthPixels, VIEW.maxHeightPixels, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: 'white' })
    .jpeg({ quality: VIEW.quality })
    .toBuffer()
    .catch(damaged);
  return { contentType: accepted.contentType, view };
}
