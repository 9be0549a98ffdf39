/**
 * Frees a chunk's memory at once. Left to the garbage collector, the chunks of a photo outweigh everything else and
 * cause full collections: docs/decisions/14. The chunk is empty afterwards. A chunk that shares its memory is left
 * as it is.
 */
export function releaseMemory(piece: Uint8Array): void {
  const { buffer } = piece;
  if (piece.byteLength === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0);
}
