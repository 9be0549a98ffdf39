/**
 * Gives the memory of a piece of a body back now. Left to the collector, the pieces of one photo weigh more than all else that a
 * service makes, and the whole heap is marked for them: see docs/decisions/14. To be called when nobody looks at the piece any
 * more: it is empty afterwards. One that shares its memory with others is left as it is.
 */
export function spend(piece: Uint8Array): void {
  const { buffer } = piece;
  if (piece.byteLength === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0);
}
