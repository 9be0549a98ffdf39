import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { deflateSync, gzipSync } from 'node:zlib';
import {
  chunk,
  exif,
  gif,
  ihdr,
  PAYLOAD,
  png,
  PNG_MAGIC,
  segment,
  text,
  withSegments,
  zip,
} from './bytes.ts';

/** `refused`: no picture, or none that anybody took. `either`: refused, or shown without what was hidden in it. */
export interface HostileFile {
  name: string;
  bytes: Buffer;
  must: 'refused' | 'either' | 'shown';
}

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99" onload="alert(1)">${PAYLOAD}<rect width="99" height="99"/></svg>`;
const ENTITIES = `<!DOCTYPE svg [<!ENTITY a "${'x'.repeat(99)}"><!ENTITY b "${'&a;'.repeat(99)}"><!ENTITY c "${'&b;'.repeat(99)}"><!ENTITY f SYSTEM "file:///etc/passwd">]>`;
const XMP = 'http://ns.adobe.com/xap/1.0/\0';
const XMP_EXTENSION = 'http://ns.adobe.com/xmp/extension/\0';

const noise = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#284',
      noise: { type: 'gaussian', mean: 120, sigma: 30 },
    },
  });

/** Every file that we know somebody could send in place of a photo; nothing is fetched, all are made here. */
export async function hostileFiles(): Promise<HostileFile[]> {
  const [jpeg, pngPhoto, webp, placed, thumbnailed] = await Promise.all([
    noise(400, 300).jpeg().toBuffer(),
    noise(200, 150).png().toBuffer(),
    noise(200, 150).webp().toBuffer(),
    noise(400, 301).withExif(PLACE).jpeg().toBuffer(),
    noise(400, 302)
      .withExif({ IFD0: { Artist: PAYLOAD, ImageDescription: PAYLOAD } })
      .jpeg()
      .toBuffer(),
  ]);
  const only = (must: HostileFile['must'], files: Record<string, Buffer>): HostileFile[] =>
    Object.entries(files).map(([name, bytes]) => ({ name, bytes, must }));
  return [
    ...only('refused', notPictures()),
    ...only('refused', bombs()),
    ...only('either', polyglots(jpeg, pngPhoto)),
    ...only('either', metadata(jpeg)),
    ...only('either', broken(jpeg, pngPhoto)),
    ...only('refused', cut(jpeg, pngPhoto, webp)),
    ...only('shown', { 'EXIF with a place': placed, 'EXIF with markup': thumbnailed }),
  ];
}

const PLACE = {
  IFD0: { Make: 'ARBOLEDA-PAYLOAD' },
  IFD3: {
    GPSLatitudeRef: 'N',
    GPSLatitude: '4/1 35/1 5370/100',
    GPSLongitudeRef: 'W',
    GPSLongitude: '74/1 4/1 3300/100',
  },
};

/** The beginning of a file of ISO base media: HEIC, AVIF, MP4. */
const isoMedia = (brands: string): Buffer =>
  Buffer.concat([Buffer.from([0, 0, 0, 24]), text(`ftyp${brands}`), randomBytes(500)]);

const notPictures = (): Record<string, Buffer> => ({
  'SVG with a script': text(SVG),
  'SVG with entities that grow': text(`${ENTITIES}${SVG.replace('</svg>', '&c;&f;</svg>')}`),
  'SVG behind an XML declaration': text(`<?xml version="1.0"?>${ENTITIES}${SVG}`),
  'SVG, packed': gzipSync(SVG),
  HTML: text(`<!doctype html>${PAYLOAD}`),
  JavaScript: text('alert(1)'),
  PDF: text(`%PDF-1.7\n1 0 obj<</OpenAction<</S/JavaScript/JS(alert(1))>>>>endobj`),
  ZIP: zip('index.html', PAYLOAD),
  program: Buffer.concat([text('MZ'), randomBytes(2_000)]),
  'ELF program': Buffer.concat([text('\x7fELF'), randomBytes(2_000)]),
  BMP: Buffer.concat([text('BM'), Buffer.alloc(500)]),
  ICO: Buffer.concat([Buffer.from([0, 0, 1, 0, 1, 0]), Buffer.alloc(500)]),
  TIFF: exif([[256, 4, 1, 8]]).subarray(6),
  video: isoMedia('mp42'),
  'HEIC of nothing': isoMedia('heic\0\0\0\0mif1heic'),
  'AVIF of nothing': isoMedia('avif\0\0\0\0mif1avif'),
  nothing: Buffer.alloc(0),
  'one byte': Buffer.from([0xff]),
  'the beginning of a JPEG': Buffer.from([0xff, 0xd8, 0xff]),
  'the beginning of a PNG': PNG_MAGIC,
  'the beginning of a GIF': text('GIF89a'),
  'the beginning of a WebP': text('RIFF\x10\0\0\0WEBPVP8 '),
  noise: randomBytes(50_000),
  zeros: Buffer.alloc(50_000),
});

/** Small on the way, huge when they are decoded. */
const bombs = (): Record<string, Buffer> => ({
  'PNG of 16,000 × 16,000': png({ width: 16_000, height: 16_000 }),
  'PNG of 16,000 × 16,000, interlaced': png({ width: 16_000, height: 16_000, interlaced: 1, pixels: FEW }),
  'PNG of 7,000 × 7,000, interlaced': png({
    width: 7_000,
    height: 7_000,
    bits: 8,
    colour: 2,
    interlaced: 1,
    pixels: FEW,
  }),
  'PNG that says 2³¹−1 × 2³¹−1': png({ width: 2 ** 31 - 1, height: 2 ** 31 - 1, pixels: FEW }),
  'PNG of 30,000,000 × 2': png({ width: 30_000_000, height: 2, pixels: FEW }),
  'PNG of no width': png({ width: 0, height: 9, pixels: FEW }),
  'GIF of 65,535 × 65,535': gif(65_535, 1),
  'GIF of 9,000 × 9,000 in 500 frames': gif(9_000, 500),
  'JPEG that says 65,535 × 65,535': withSegments(NO_JPEG, frame(65_535)),
  'JPEG of no size': withSegments(NO_JPEG, frame(0)),
  'WebP that says 16,383 × 16,383': Buffer.concat([
    text('RIFF\x16\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0'),
    Buffer.from([0xfe, 0x3f, 0, 0xfe, 0x3f, 0]),
  ]),
});

const FEW = Buffer.alloc(9_000);
const NO_JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xd9]);

/** The segment of a JPEG that says its size. */
const frame = (side: number): Buffer =>
  segment(
    0xc0,
    Buffer.from([8, side >> 8, side & 255, side >> 8, side & 255, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]),
  );

const comment = (value: string): Buffer => segment(0xfe, text(value));
const app1 = (data: Buffer | string): Buffer => segment(0xe1, typeof data === 'string' ? text(data) : data);
const times = (count: number, make: (at: number) => Buffer): Buffer[] =>
  Array.from({ length: count }, (_, at) => make(at));

function polyglots(jpeg: Buffer, pngPhoto: Buffer): Record<string, Buffer> {
  const behind = (photo: Buffer, more: Buffer | string) => Buffer.concat([photo, Buffer.from(more)]);
  const withChunk = (type: string, ...data: (Buffer | string)[]) =>
    insert(pngPhoto, chunk(type, Buffer.concat(data.map((one) => Buffer.from(one)))));
  const grown = deflateSync(Buffer.alloc(60_000_000));
  const gifComment = Buffer.concat([Buffer.from([0x21, 0xfe, PAYLOAD.length]), text(`${PAYLOAD}\0`)]);
  return {
    'JPEG and HTML behind it': behind(jpeg, `<html>${PAYLOAD}</html>`),
    'JPEG with HTML as a comment': withSegments(jpeg, comment(`<html>${PAYLOAD}`)),
    'JPEG with PHP as a comment': withSegments(jpeg, comment(`<?php system("id"); /* ${PAYLOAD} */ ?>`)),
    'JPEG and ZIP behind it': behind(jpeg, zip('a.html', PAYLOAD)),
    'JPEG and PDF behind it': behind(jpeg, `%PDF-1.7 ${PAYLOAD}`),
    'PDF and JPEG behind it': behind(text(`%PDF-1.7 ${PAYLOAD}\n`), jpeg),
    'HTML and JPEG behind it': behind(text(PAYLOAD), jpeg),
    'GIF and JavaScript': Buffer.concat([
      text(`GIF89a=/*${PAYLOAD}`),
      gif(8, 1).subarray(6),
      text('*/alert(1)'),
    ]),
    'GIF with a comment': gif(8, 1, gifComment),
    'GIF of 3,000 frames': gif(300, 3_000),
    'PNG and ZIP behind it': behind(pngPhoto, zip('a.html', PAYLOAD)),
    'PNG and PHAR behind it': behind(pngPhoto, `<?php __HALT_COMPILER(); ?> ${PAYLOAD}`),
    'PNG with text': withChunk('tEXt', `Comment\0${PAYLOAD}`),
    'PNG with international text': withChunk('iTXt', `XML:com.adobe.xmp\0\0\0\0\0${PAYLOAD}`),
    'PNG with packed text that grows to 60 MB': withChunk('zTXt', 'Comment\0\0', grown),
    'PNG with a colour profile that grows to 60 MB': withChunk('iCCP', 'p\0\0', grown),
    'PNG with a chunk of its own': withChunk('arBo', PAYLOAD),
  };
}

const insert = (of: Buffer, extra: Buffer): Buffer =>
  Buffer.concat([of.subarray(0, 33), extra, of.subarray(33)]);

function metadata(jpeg: Buffer): Record<string, Buffer> {
  const withExif = (...exifParts: Parameters<typeof exif>) => withSegments(jpeg, app1(exif(...exifParts)));
  return {
    'EXIF whose value is 4 GB': withExif([
      [0x010e, 2, 0xffff_ffff, 0],
      [0x9003, 2, 0xffff_fff0, 26],
    ]),
    'EXIF that points beyond its end': withExif([
      [0x8769, 4, 1, 0xffff_fff0],
      [0x8825, 4, 1, 0x7fff_ffff],
    ]),
    'EXIF whose directories are a circle': withExif(
      [
        [0x8769, 4, 1, 8],
        [0x8825, 4, 1, 8],
      ],
      8,
    ),
    'EXIF of 65,535 entries': withSegments(
      jpeg,
      app1(Buffer.concat([text('Exif\0\0II*\0\x08\0\0\0\xff\xff'), Buffer.alloc(9_000, 1)])),
    ),
    'EXIF that turns it in a way there is not': withExif([[0x0112, 3, 1, 99]]),
    'EXIF without an end': withSegments(jpeg, app1('Exif\0\0MM')),
    'EXIF three times': withSegments(jpeg, ...times(3, () => app1(exif([[0x0112, 3, 1, 6]])))),
    'XMP with markup': withSegments(
      jpeg,
      app1(`${XMP}<x:xmpmeta xmlns:x="adobe:ns:meta/">${PAYLOAD}</x:xmpmeta>`),
    ),
    'XMP with entities that grow': withSegments(
      jpeg,
      app1(`${XMP}${ENTITIES.replaceAll('svg', 'x')}<x>&c;&f;${PAYLOAD}</x>`),
    ),
    'XMP in a thousand pieces': withSegments(
      jpeg,
      ...times(30, (at) =>
        app1(`${XMP_EXTENSION}${'A'.repeat(32)}\xff\xff\xff\xff\0\0\0${String.fromCharCode(at)}${PAYLOAD}`),
      ),
    ),
    'ICC of 3 MB': withSegments(
      jpeg,
      ...times(46, (at) => {
        const head = text(`ICC_PROFILE\0${String.fromCharCode(at + 1)}.`);
        return segment(0xe2, Buffer.concat([head, randomBytes(65_000)]));
      }),
    ),
    'ICC of nothing': withSegments(jpeg, segment(0xe2, text('ICC_PROFILE\0\x01\x01'))),
    'comments of 4 MB': withSegments(
      jpeg,
      ...times(62, () => comment(PAYLOAD.repeat(1_500).slice(0, 65_000))),
    ),
  };
}

const broken = (jpeg: Buffer, pngPhoto: Buffer): Record<string, Buffer> => ({
  'PNG with a wrong checksum': changed(pngPhoto, 40),
  'PNG without pixels': Buffer.concat([PNG_MAGIC, ihdr(9, 9, 8, 2), chunk('IEND', Buffer.alloc(0))]),
  'PNG with its header twice': insert(pngPhoto, ihdr(9_999, 9_999, 8, 2)),
  'PNG of colours that are not in its palette': png({
    width: 9,
    height: 9,
    bits: 8,
    colour: 3,
    pixels: Buffer.alloc(90, 200),
    extra: [chunk('PLTE', Buffer.from([1, 2, 3]))],
  }),
  'PNG of unknown depth': png({ width: 9, height: 9, bits: 13, pixels: Buffer.alloc(200) }),
  'PNG of pixels that never end': png({ width: 9, height: 9, pixels: Buffer.alloc(40_000_000) }),
  'JPEG of a thousand beginnings': Buffer.concat([...times(1_000, () => Buffer.from([0xff, 0xd8])), jpeg]),
  'JPEG with its frame twice': withSegments(jpeg, frame(9)),
  'JPEG with noise in its middle': Buffer.concat([
    jpeg.subarray(0, jpeg.length / 2),
    randomBytes(400),
    jpeg.subarray(jpeg.length / 2),
  ]),
});

function changed(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at]! ^= 0xff;
  return copy;
}

/** Photos whose connection broke off, or that were made to look so. */
function cut(jpeg: Buffer, pngPhoto: Buffer, webp: Buffer): Record<string, Buffer> {
  const cuts = [
    ['JPEG', jpeg, [0.02, 0.2, 0.5, 0.9]],
    ['PNG', pngPhoto, [0.02, 0.5, 0.9]],
    ['WebP', webp, [0.1, 0.5, 0.9]],
  ] as const;
  return Object.fromEntries(
    cuts.flatMap(([kind, bytes, shares]) =>
      shares.map((share) => {
        const part = bytes.subarray(0, Math.floor(bytes.length * share));
        return [`${kind} cut at ${share * 100} %`, part] as const;
      }),
    ),
  );
}
