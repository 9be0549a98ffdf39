import { MAX_EVIDENCE_BYTES, MAX_EVIDENCE_FILES } from '@arboleda/contracts/evidence.ts';
import type { ProblemType } from '@arboleda/contracts/problems.ts';

/** Why a picture is not taken: a slug of contracts, or one that only a form can know. */
export type EvidenceRefusal = ProblemType | 'one-too-many' | 'chosen-twice';

export interface Picture {
  id: string;
  file: File;
  /** Address of its preview, for as long as the page is open. */
  preview: string;
  refusal?: EvidenceRefusal | undefined;
}

export const EVIDENCE_TYPES = ['image/jpeg', 'image/png', 'image/gif'];

/** First bytes of the kinds that are taken: what a file is called and says of itself proves nothing. */
const SIGNATURES = [
  [0xff, 0xd8, 0xff],
  [0x89, 0x50, 0x4e, 0x47],
  [0x47, 0x49, 0x46, 0x38],
];

/** What speaks against a file by itself, before anything is sent. */
export async function refusalOf(file: File): Promise<EvidenceRefusal | undefined> {
  const start = await firstBytes(file);
  const isPicture = SIGNATURES.some((signature) => signature.every((byte, at) => start[at] === byte));
  if (!isPicture) return 'evidence-not-an-image';
  return file.size > MAX_EVIDENCE_BYTES ? 'evidence-too-large' : undefined;
}

/** Whether there is room for one more beside those that will be sent. */
export function refusalBeside(file: File, chosen: readonly Picture[]): EvidenceRefusal | undefined {
  const isTheSame = ({ file: other }: Picture) =>
    other.name === file.name && other.size === file.size && other.lastModified === file.lastModified;
  if (chosen.some(isTheSame)) return 'chosen-twice';
  return chosen.length >= MAX_EVIDENCE_FILES ? 'one-too-many' : undefined;
}

export const acceptedOf = (pictures: readonly Picture[]): Picture[] =>
  pictures.filter(({ refusal }) => !refusal);

/** How much of each file has gone when so much of the form has: they go one after the other. */
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
    // The file has gone from where it was chosen, or may not be read.
    return new Uint8Array();
  }
}
