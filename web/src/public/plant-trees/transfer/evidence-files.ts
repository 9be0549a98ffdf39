import { MAX_EVIDENCE_BYTES, MAX_EVIDENCE_FILES } from '@arboleda/contracts/evidence.ts';
import type { ProblemType } from '@arboleda/contracts/problems.ts';

/** Reason to refuse a picture: a contract slug, or one that only the form knows. */
export type EvidenceRefusal = ProblemType | 'one-too-many' | 'chosen-twice';

export interface Picture {
  id: string;
  file: File;
  /** Object URL of the preview, valid while the page is open. */
  preview: string;
  refusal?: EvidenceRefusal | undefined;
}

export const EVIDENCE_TYPES = ['image/jpeg', 'image/png', 'image/gif'];

/** Magic bytes of accepted types; names and declared types prove nothing. */
const SIGNATURES = [
  [0xff, 0xd8, 0xff],
  [0x89, 0x50, 0x4e, 0x47],
  [0x47, 0x49, 0x46, 0x38],
];

/** Problem of a file by itself, checked before upload. */
export async function refusalOf(file: File): Promise<EvidenceRefusal | undefined> {
  const start = await firstBytes(file);
  const isPicture = SIGNATURES.some((signature) => signature.every((byte, at) => start[at] === byte));
  if (!isPicture) return 'evidence-not-an-image';
  return file.size > MAX_EVIDENCE_BYTES ? 'evidence-too-large' : undefined;
}

/** Problem of adding a file to the chosen ones. */
export function refusalBeside(file: File, chosen: readonly Picture[]): EvidenceRefusal | undefined {
  const isTheSame = ({ file: other }: Picture) =>
    other.name === file.name && other.size === file.size && other.lastModified === file.lastModified;
  if (chosen.some(isTheSame)) return 'chosen-twice';
  return chosen.length >= MAX_EVIDENCE_FILES ? 'one-too-many' : undefined;
}

export const acceptedOf = (pictures: readonly Picture[]): Picture[] =>
  pictures.filter(({ refusal }) => !refusal);

/** Uploaded share of each file for the share of the form: files are sent in sequence. */
export function sharesOf(sizes: readonly number[], share: number): number[] {
  let left = sizes.reduce((sum, size) => sum + size, 0) * share;
  return sizes.map((size) => {
    const gone = Math.min(size, Math.max(0, left));
    left -= size;
    return size === 0 ? 1 : gone / size;
  });
}

async function firstBytes(file: File): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.slice(0, 8).arrayBuffer());
  } catch {
    // The file was moved, or may not be read.
    return new Uint8Array();
  }
}
