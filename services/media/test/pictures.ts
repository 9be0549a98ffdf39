import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';

/** A picture that does not compress well, left half bright, right half dark. */
export const picture = (width = 400, height = 300): Sharp =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#284',
      noise: { type: 'gaussian', mean: 120, sigma: 30 },
    },
  });

/**
 * A JPEG that announces restart markers every `blocks` blocks and has none: a decoder reports an error at
 * each.
 */
export const withRestarts = (jpeg: Buffer, blocks: number): Buffer =>
  Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xdd, 0, 4, 0, blocks]), jpeg.subarray(2)]);

/** EXIF as written by a phone near Bogotá: 4°35′53.7″ N, 74°4′33″ W, 1 March 2026, 10:11:12 local time. */
export const FIELD_EXIF = {
  IFD0: { Make: 'Fieldphone' },
  IFD2: { DateTimeOriginal: '2026:03:01 10:11:12', OffsetTimeOriginal: '-05:00' },
  IFD3: {
    GPSLatitudeRef: 'N',
    GPSLatitude: '4/1 35/1 5370/100',
    GPSLongitudeRef: 'W',
    GPSLongitude: '74/1 4/1 3300/100',
  },
};
export const FIELD_PLACE = { latitude: 4.59825, longitude: -74.075833 };
export const FIELD_TIME = '2026-03-01T15:11:12.000Z';

export const fieldPhoto = (): Promise<Buffer> => picture().withExif(FIELD_EXIF).jpeg().toBuffer();

export async function exifBlock(exif: typeof FIELD_EXIF | Record<string, object>): Promise<Buffer> {
  const photo = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#284' } })
    .withExif(exif as never)
    .jpeg()
    .toBuffer();
  return (await sharp(photo).metadata()).exif!;
}

/** A PNG of some kilobytes that decodes to 256 million pixels. */
export function pixelBomb(): Buffer {
  const side = 16_000;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.writeUInt8(1, 8); // one bit a pixel, grey
  const rows = Buffer.alloc(side * (1 + side / 8));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
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

export const SVG = Buffer.from(
  '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
);
