import type { Variant } from '../../photos/photo.ts';
import type { Format } from '../formats.ts';

/** Where the originals come in, one behind the other, in the order in which they are asked to be decoded: as messages they would be copied thrice. */
export const ORIGINALS_FD = 4;

/** What is asked of the process. `photo` is the number under which a decoded photo lies there. */
export type Asked =
  | { do: 'decode'; photo: number; sizeBytes: number }
  | { do: 'encode'; photo: number; nominalWidth: number; format: Format }
  | { do: 'release'; photo: number };

export interface Answers {
  /** The nominal widths worth making of it, smallest first. */
  decode: readonly number[];
  encode: Variant & { bytes: Buffer };
  release: undefined;
}

export type Question = Asked & { id: number };
export type Answer = { id: number } & ({ value: unknown } | { failure: string });
