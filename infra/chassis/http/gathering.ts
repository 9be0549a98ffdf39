import { createHash } from 'node:crypto';
import { spend } from './spent.ts';

export interface Gathered {
  bytes: Buffer;
  /** Their SHA-256, base64url. */
  digest: string;
  /** Gives their memory back now: for when nothing reads them any more. They are empty afterwards. */
  forget(): void;
}

/** The pieces of a file become one Buffer as they come: each is copied once, hashed, and given back. */
export interface Gathering {
  add(piece: Buffer): void;
  /** Forgets what has come so far. */
  drop(): void;
  end(): Gathered;
}

/** @param expectedBytes as much as will come, as far as that is known. What never comes is never touched, and takes no memory. */
export function openGathering(expectedBytes: number): Gathering {
  const hash = createHash('sha256');
  let memory = Buffer.alloc(0);
  let length = 0;
  const move = (size: number) => {
    const other = Buffer.allocUnsafeSlow(size);
    memory.copy(other, 0, 0, length);
    spend(memory);
    memory = other;
  };
  return {
    add(piece) {
      const needed = length + piece.length;
      if (needed > memory.length) move(Math.max(expectedBytes, needed, memory.length * 2));
      memory.set(piece, length);
      length = needed;
      hash.update(piece);
      spend(piece);
    },
    drop() {
      spend(memory);
      memory = Buffer.alloc(0);
      length = 0;
    },
    end() {
      // The first of several small files: the rest was meant for the others.
      if (memory.length > 2 * length) move(length);
      return {
        bytes: memory.subarray(0, length),
        digest: hash.digest('base64url'),
        forget: () => spend(memory),
      };
    },
  };
}
