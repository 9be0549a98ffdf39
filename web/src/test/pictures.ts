/** Magic bytes of each picture type, enough for type detection. */
export const PICTURES = {
  jpg: Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0),
  png: Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
  gif: Uint8Array.of(0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 0, 0),
};

/** @param more number of bytes to append */
export const pictureFile = (name: string, start: Uint8Array<ArrayBuffer>, more = 0): File =>
  new File([start, new Uint8Array(more)], name, { type: `image/${name.split('.').pop()}` });

interface Tags {
  takenAt?: string;
  offset?: string;
  latitude?: number[];
  latitudeRef?: string;
  longitude?: number[];
  longitudeRef?: string;
}

type Entry = [tag: number, value: string | number[] | number];

/** Start of a JPEG whose EXIF contains place and time. */
export function jpegWithExif(tags: Tags, little = true): ArrayBuffer {
  const exif = entries([0x9003, tags.takenAt], [0x9011, tags.offset]);
  const gps = entries([1, tags.latitudeRef], [2, tags.latitude], [3, tags.longitudeRef], [4, tags.longitude]);
  const bytes = new Uint8Array(600);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, 0xffd8);
  view.setUint16(2, 0xffe1);
  view.setUint16(4, 590);
  view.setUint32(6, 0x45786966);
  const tiff = new DataView(bytes.buffer, 12);
  tiff.setUint16(0, little ? 0x4949 : 0x4d4d);
  tiff.setUint16(2, 42, little);
  tiff.setUint32(4, 8, little);
  write(tiff, little, 8, [
    [0x8769, 100],
    [0x8825, 250],
  ]);
  write(tiff, little, 100, exif);
  write(tiff, little, 250, gps);
  return bytes.buffer;
}

const entries = (...all: [number, string | number[] | undefined][]): Entry[] =>
  all.filter((one): one is [number, string | number[]] => one[1] !== undefined);

function write(tiff: DataView, little: boolean, at: number, list: Entry[]): void {
  tiff.setUint16(at, list.length, little);
  let heap = at + 2 + list.length * 12 + 4;
  for (const [index, [tag, value]] of list.entries()) {
    const entry = at + 2 + index * 12;
    const set = (type: number, count: number, bytes: number): number => {
      tiff.setUint16(entry, tag, little);
      tiff.setUint16(entry + 2, type, little);
      tiff.setUint32(entry + 4, count, little);
      if (bytes <= 4) return entry + 8;
      tiff.setUint32(entry + 8, heap, little);
      heap += bytes;
      return heap - bytes;
    };
    if (typeof value === 'number') tiff.setUint32(set(4, 1, 4), value, little);
    else if (typeof value === 'string') {
      const place = set(2, value.length + 1, value.length + 1);
      for (const [offset, sign] of [...value].entries()) tiff.setUint8(place + offset, sign.charCodeAt(0));
    } else {
      const place = set(5, value.length, value.length * 8);
      for (const [offset, part] of value.entries()) {
        tiff.setUint32(place + offset * 8, Math.round(part * 10_000), little);
        tiff.setUint32(place + offset * 8 + 4, 10_000, little);
      }
    }
  }
}
