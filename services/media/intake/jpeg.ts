/** Markers of ITU-T T.81, table B.1: the second byte of each, after 0xff. */
const RESTART_INTERVAL = 0xdd;
const BASELINE_FRAME = 0xc0;
const EXTENDED_FRAME = 0xc1;
const END_OF_IMAGE = 0xd9;
const START_OF_SCAN = 0xda;
/** Tables and what applications write: they may stand before a scan, and their length tells where the next one begins. */
const isTable = (marker: number): boolean =>
  marker === 0xc4 || // Huffman tables
  marker === 0xdb || // quantization tables
  marker === 0xfe || // comment
  (marker & 0xf0) === 0xe0; // applications

/**
 * Whether a JPEG's outline says that it is all there: one sequential frame, all of whose components come in one scan, after which
 * the file ends as it should. A decoder that bears any number of mistakes mends whatever is wrong within such a scan: it can only
 * fail at its beginning.
 * `false` for every other, whole or not: progressive ones, those with something behind them, and those with restart
 * intervals, of which some may be missing.
 */
export function isWholeJpeg(bytes: Buffer): boolean {
  const end = bytes.length - 2;
  if (bytes[end] !== 0xff || bytes[end + 1] !== END_OF_IMAGE) return false;
  let components: number | undefined;
  for (let at = 2; at + 4 <= end; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1]!;
    const length = bytes.readUInt16BE(at + 2);
    if (bytes[at] !== 0xff || length < 2) return false;
    if (marker === START_OF_SCAN) return bytes[at + 4] === components && at + 2 + length < end;
    if (marker === BASELINE_FRAME || marker === EXTENDED_FRAME) {
      if (components !== undefined) return false;
      components = bytes[at + 9];
    } else if (marker === RESTART_INTERVAL) {
      if (bytes.readUInt16BE(at + 4) > 0) return false;
    } else if (!isTable(marker)) return false;
  }
  return false;
}
