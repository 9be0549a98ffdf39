import type { UploadedFile } from '@arboleda/chassis/http/upload.ts';
import type { PhotoDetail } from '@arboleda/contracts/endpoints/media-fields.ts';
import { fieldProblem, Problem } from '@arboleda/contracts/problems.ts';
import type { Limiter } from '../limit.ts';
import { inspect, type Inspected, type PhotoProblem, PhotoRefused } from './inspect.ts';

const FIELD = 'photos';

/** A file of an upload, with the phone's details. */
interface Sent {
  /** Position in the upload, from 0. */
  index: number;
  originalName: string;
  detail: PhotoDetail;
}
export type Accepted = Sent & Inspected & Pick<UploadedFile, 'bytes' | 'digest'>;
export type Refused = Sent & { type: PhotoProblem };

/**
 * Checks every file before any is stored. `limited` bounds concurrent decoding.
 * @param details the phone's details of each file, if sent
 * @throws Problem when there is no file, or `details` does not match the files
 */
export async function sortFiles(
  files: readonly UploadedFile[],
  details: readonly PhotoDetail[] | undefined,
  now: Date,
  limited: Limiter,
): Promise<{ accepted: Accepted[]; refused: Refused[] }> {
  if (files.length === 0) throw fieldProblem(FIELD, 'required');
  if (details && details.length !== files.length) throw fieldProblem('details', 'invalid');
  const accepted: Accepted[] = [];
  const refused: Refused[] = [];
  for (const [index, file] of files.entries()) {
    const sent = { index, originalName: harmlessName(file.originalName), detail: details?.[index] ?? {} };
    try {
      if (file.isTooLarge) throw new PhotoRefused('photo-too-large');
      const inspected = await limited(() => inspect(file.bytes, now));
      accepted.push({ ...sent, ...inspected, bytes: file.bytes, digest: file.digest });
    } catch (error) {
      if (!(error instanceof PhotoRefused)) throw error;
      refused.push({ ...sent, type: error.type });
    }
  }
  return { accepted, refused };
}

/** When every file is refused: the first problem, naming each such file as `photos.1`. */
export const allRefused = (refused: readonly Refused[]): Problem =>
  new Problem(refused[0]!.type, {
    fields: refused.map(({ index, type }) => ({ path: `${FIELD}.${index}`, type })),
  });

const MAX_NAME_LENGTH = 200;
/** Control characters, lone surrogates and bidirectional overrides. */
const HARMFUL = /[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Sanitizes a file name for storage and display. Never use it as a path. */
export function harmlessName(name: string): string {
  const last = name.split(/[/\\]/).at(-1)!;
  const clean = [...last.replaceAll(HARMFUL, '')].slice(0, MAX_NAME_LENGTH).join('').trim();
  return clean || 'photo';
}
