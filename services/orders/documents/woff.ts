import { inflateSync } from 'node:zlib';

const WOFF = { signature: 0x774f4646, headerBytes: 44, entryBytes: 20 };
const SFNT = { headerBytes: 12, entryBytes: 16 };

const aligned = (bytes: number): number => Math.ceil(bytes / 4) * 4;

/**
 * Decompresses a WOFF font (https://www.w3.org/TR/WOFF/) once; pdfkit would do it in JavaScript for each
 * document.
 * @throws Error when it is not a WOFF font
 */
export function unpackWoff(woff: Buffer): Buffer {
  if (woff.readUInt32BE(0) !== WOFF.signature) throw new Error('this is no WOFF font');
  const count = woff.readUInt16BE(12);
  const tables = Array.from({ length: count }, (_, at) => {
    const entry = WOFF.headerBytes + at * WOFF.entryBytes;
    const [offset, packed, length] = [4, 8, 12].map((field) => woff.readUInt32BE(entry + field)) as [
      number,
      number,
      number,
    ];
    const bytes = woff.subarray(offset, offset + packed);
    return {
      tag: woff.subarray(entry, entry + 4),
      checksum: woff.readUInt32BE(entry + 16),
      bytes: packed < length ? inflateSync(bytes) : bytes,
    };
  });

  const size = tables.reduce(
    (sum, { bytes }) => sum + aligned(bytes.length),
    SFNT.headerBytes + count * SFNT.entryBytes,
  );
  const sfnt = Buffer.alloc(size);
  const selector = Math.floor(Math.log2(count));
  woff.copy(sfnt, 0, 4, 8);
  sfnt.writeUInt16BE(count, 4);
  sfnt.writeUInt16BE(2 ** selector * 16, 6);
  sfnt.writeUInt16BE(selector, 8);
  sfnt.writeUInt16BE(count * 16 - 2 ** selector * 16, 10);
  let offset = SFNT.headerBytes + count * SFNT.entryBytes;
  tables.forEach(({ tag, checksum, bytes }, at) => {
    const entry = SFNT.headerBytes + at * SFNT.entryBytes;
    tag.copy(sfnt, entry);
    sfnt.writeUInt32BE(checksum, entry + 4);
    sfnt.writeUInt32BE(offset, entry + 8);
    sfnt.writeUInt32BE(bytes.length, entry + 12);
    bytes.copy(sfnt, offset);
    offset += aligned(bytes.length);
  });
  return sfnt;
}
