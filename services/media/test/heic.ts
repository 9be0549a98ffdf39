/** A HEIC file like a phone's: ISO/IEC 23008-12 boxes around an HEVC picture that our sharp cannot decode. */
export function heicPhoto(width = 4032, height = 3024): Buffer {
  const picture = Buffer.alloc(400, 0x26);
  const head = [box('ftyp', ascii('heic'), uint32(0), ascii('mif1heic'))];
  const meta = (pictureAt: number) =>
    fullBox(
      'meta',
      fullBox('hdlr', uint32(0), ascii('pict'), Buffer.alloc(13)),
      fullBox('pitm', uint16(1)),
      // Version 0, 4-byte offsets and lengths; item 1 has one extent.
      fullBox(
        'iloc',
        Buffer.from([0x44, 0x00]),
        uint16(1),
        uint16(1),
        uint16(0),
        uint16(1),
        uint32(pictureAt),
        uint32(picture.length),
      ),
      fullBox('iinf', uint16(1), versioned(2, 'infe', uint16(1), uint16(0), ascii('hvc1'), Buffer.from([0]))),
      box(
        'iprp',
        box('ipco', box('hvcC', HEVC_CONFIGURATION), fullBox('ispe', uint32(width), uint32(height))),
        fullBox('ipma', uint32(1), uint16(1), Buffer.from([2, 0x81, 0x02])),
      ),
    );
  const bytesBefore = (parts: readonly Buffer[]) => Buffer.concat(parts).length;
  const pictureAt = bytesBefore([...head, meta(0)]) + 8;
  return Buffer.concat([...head, meta(pictureAt), box('mdat', picture)]);
}

/** Main profile, 4:2:0, 8 bits, no parameter sets (ISO/IEC 14496-15). */
const HEVC_CONFIGURATION = Buffer.from([
  1, 0x01, 0x60, 0, 0, 0, 0x90, 0, 0, 0, 0, 0, 90, 0xf0, 0, 0xfc, 0xfd, 0xf8, 0xf8, 0, 0, 0x0f, 0,
]);

const ascii = (text: string) => Buffer.from(text, 'latin1');

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function box(type: string, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([uint32(body.length + 8), ascii(type), body]);
}

const versioned = (version: number, type: string, ...content: readonly Buffer[]) =>
  box(type, Buffer.from([version, 0, 0, 0]), ...content);
const fullBox = (type: string, ...content: readonly Buffer[]) => versioned(0, type, ...content);
