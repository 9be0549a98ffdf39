import type { ServerResponse } from 'node:http';

/** Memory for all uploads of a process. Only bytes that have arrived count. */
const MAX_HELD_BYTES = 300_000_000;

export interface UploadMemory {
  /**
   * Counts the bytes of one request until it is answered. The returned function returns false when the limit is
   * reached.
   */
  hold(response: ServerResponse): (bytes: number) => boolean;
}

export function openUploadMemory(maxHeldBytes = MAX_HELD_BYTES): UploadMemory {
  let heldBytes = 0;
  return {
    hold(response) {
      let own = 0;
      let answered = false;
      response.once('close', () => {
        answered = true;
        heldBytes -= own;
      });
      return (bytes) => {
        if (answered || heldBytes + bytes > maxHeldBytes) return false;
        own += bytes;
        heldBytes += bytes;
        return true;
      };
    },
  };
}
