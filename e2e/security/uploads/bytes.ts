import { crc32, deflateSync } from 'node:zlib';

/** Stands in everything that must never reach a person who looks at a picture. */
export const PAYLOAD = '<script>alert("ARBOLEDA-PAYLOAD")</script>';
export const MARK = 'ARBOLEDA-PAYLOAD';

export const text = (value: string): Buffer => Buffer.from(value, 'latin1');

export function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([text(type), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}

export const PNG_MAGIC = text('\x89PNG\r\n\x1a\n');

/** A PNG header. @param bits of a sample @param colour 0 grey, 2 RGB, 3 palette, 6 RGBA */
export function ihdr(width: number, height: number, bits: number, colour: number, interlaced = 0): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([bits, colour, 0, 0, interlaced], 8);
  return chunk('IHDR', data);
}

interface PngParts {
  width: number;
  height: number;
  bits?: number;
  colour?: number;
  interlaced?: number;
  /** Pixel data; zeros of the right size when absent. */
  pixels?: Buffer;
  /** Between header and pixels. */
  extra?: readonly Buffer[];
}

export function png({
  width,
  height,
  bits = 1,
  colour = 0,
  interlaced = 0,
  pixels,
  extra = [],
}: PngParts): Buffer {
  const samples = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[colour]!;
  const rows = pixels ?? Buffer.alloc(height * (1 + Math.ceil((width * bits * samples) / 8)));
  const parts = [ihdr(width, height, bits, colour, interlaced), ...extra, chunk('IDAT', deflateSync(rows))];
  return Buffer.concat([PNG_MAGIC, ...parts, chunk('IEND', Buffer.alloc(0))]);
}

/** A JPEG segment: 0xe1 is APP1 (EXIF, XMP), 0xe2 APP2 (ICC), 0xfe a comment. */
export function segment(marker: number, data: Uint8Array): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}

/** Segments right behind the start of a JPEG. */
export const withSegments = (jpeg: Buffer, ...segments: readonly Buffer[]): Buffer =>
  Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);

/** One directory of TIFF entries, little-endian. @param next where the next directory is said to be */
export function exif(
  entries: readonly (readonly [tag: number, type: number, count: number, value: number])[],
  next = 0,
): Buffer {
  const data = Buffer.alloc(8 + 2 + entries.length * 12 + 4);
  data.write('II*\0', 0, 'latin1');
  data.writeUInt32LE(8, 4);
  data.writeUInt16LE(entries.length, 8);
  for (const [index, [tag, type, count, value]] of entries.entries()) {
    const at = 10 + index * 12;
    data.writeUInt16LE(tag, at);
    data.writeUInt16LE(type, at + 2);
    data.writeUInt32LE(count, at + 4);
    data.writeUInt32LE(value, at + 8);
  }
  data.writeUInt32LE(next, 10 + entries.length * 12);
  return Buffer.concat([text('Exif\0\0'), data]);
}

/** A GIF of many frames, each as large as its canvas and one colour. */
export function gif(side: number, frames: number, before: Buffer = Buffer.alloc(0)): Buffer {
  const screen = Buffer.alloc(7);
  screen.writeUInt16LE(side, 0);
  screen.writeUInt16LE(side, 2);
  screen[4] = 0x80;
  const image = Buffer.alloc(10);
  image[0] = 0x2c;
  image.writeUInt16LE(side, 5);
  image.writeUInt16LE(side, 7);
  // One pixel, and the end: a reader fills the rest, or refuses.
  const frame = Buffer.concat([image, Buffer.from([2, 2, 0x44, 0x01, 0])]);
  const colours = Buffer.from([0, 0, 0, 255, 255, 255]);
  const all = Array.from({ length: frames }, () => frame);
  return Buffer.concat([text('GIF89a'), screen, colours, before, ...all, Buffer.from([0x3b])]);
}

/** A ZIP of one stored file. */
export function zip(name: string, content: string): Buffer {
  const data = text(content);
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt32LE(crc32(data), 14);
  head.writeUInt32LE(data.length, 18);
  head.writeUInt32LE(data.length, 22);
  head.writeUInt16LE(name.length, 26);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  return Buffer.concat([head, text(name), data, end]);
}
