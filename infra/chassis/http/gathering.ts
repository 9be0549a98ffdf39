import { createHash } from 'node:crypto';
import { releaseMemory } from './spent.ts';

export interface BufferedFile {
  bytes: Buffer;
  /** SHA-256 in base64url. */
  digest: string;
  /** Frees the memory at once. `bytes` is empty afterwards. */
  release(): void;
}

/** Collects the chunks of a file in one Buffer. Each chunk is copied once, hashed and freed. */
export interface UploadBuffer {
  add(piece: Buffer): void;
  /** Drops what was added. */
  drop(): void;
  end(): BufferedFile;
}

/** @param expectedBytes best guess of the size; memory that is reserved but not written is not used */
export function openUploadBuffer(expectedBytes: number): UploadBuffer {
  const hash = createHash('sha256');
  let memory = Buffer.alloc(0);
  let length = 0;
  const move = (size: number) => {
    const other = Buffer.allocUnsafeSlow(size);
    memory.copy(other, 0, 0, length);
    releaseMemory(memory);
    memory = other;
  };
  return {
    add(piece) {
      const needed = length + piece.length;
      if (needed > memory.length) move(Math.max(expectedBytes, needed, memory.length * 2));
      memory.set(piece, length);
      length = needed;
      hash.update(piece);
      releaseMemory(piece);
    },
    drop() {
      releaseMemory(memory);
      memory = Buffer.alloc(0);
      length = 0;
    },
    end() {
      // The reserved size was for several files, and this one is small.
      if (memory.length > 2 * length) move(length);
      return {
        bytes: memory.subarray(0, length),
        digest: hash.digest('base64url'),
        release: () => releaseMemory(memory),
      };
    },
  };
}
