import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';

/** A unique image that does not compress well. */
export const picture = (width = 120, height = 80): Sharp =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#284',
      noise: { type: 'gaussian', mean: 120, sigma: 30 },
    },
  });

export const jpeg = (): Promise<Buffer> => picture().jpeg().toBuffer();

export const SVG = Buffer.from(
  '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>',
);

/** A PNG of some kilobytes that decodes to 256 million pixels. */
export function pixelBomb(): Buffer {
  const side = 16_000;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.writeUInt8(1, 8); // one bit a pixel, grey
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.alloc(side * (1 + side / 8)))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}

/** A complete JPEG of exactly this size, padded after its end marker. */
export async function jpegOf(sizeBytes: number): Promise<Buffer> {
  const bytes = await jpeg();
  return Buffer.concat([bytes, Buffer.alloc(sizeBytes - bytes.length)]);
}
