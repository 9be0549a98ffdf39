import type { PhotoDetails } from '../outbox/item.ts';

/** Where a JPEG's EXIF block begins: after "Exif" and two zeros of its APP1 segment. */
function findTiff(view: DataView): number | undefined {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return undefined;
  for (let at = 2; at + 10 <= view.byteLength;) {
    const marker = view.getUint16(at);
    if (marker >> 8 !== 0xff || marker === 0xffda) return undefined;
    if (marker === 0xffe1 && view.getUint32(at + 4) === 0x45786966) return at + 10;
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

const ENTRY_BYTES = 12;
const BYTES_OF_TYPE: Record<number, number> = { 2: 1, 4: 4, 5: 8 };
const MAX_VALUES = 64;

/** Reads entries of TIFF directories (TIFF 6.0, Exif 2.32); what lies outside the block is not there. */
function openTiff(view: DataView, start: number) {
  const little = view.getUint16(start) === 0x4949;
  const short = (at: number) => view.getUint16(start + at, little);
  const long = (at: number) => view.getUint32(start + at, little);
  const entry = (directory: number | undefined, tag: number) => {
    if (directory === undefined) return undefined;
    const entries = short(directory);
    for (let index = 0; index < entries; index++) {
      const at = directory + 2 + index * ENTRY_BYTES;
      if (short(at) !== tag) continue;
      const type = short(at + 2);
      const count = Math.min(long(at + 4), MAX_VALUES);
      const bytes = (BYTES_OF_TYPE[type] ?? 0) * count;
      return { type, count, at: bytes > 4 ? long(at + 8) : at + 8 };
    }
    return undefined;
  };
  return {
    root: () => long(4),
    pointer(directory: number | undefined, tag: number): number | undefined {
      const found = entry(directory, tag);
      return found?.type === 4 ? long(found.at) : undefined;
    },
    text(directory: number | undefined, tag: number): string {
      const found = entry(directory, tag);
      if (found?.type !== 2) return '';
      const codes = Array.from({ length: found.count }, (_, at) => view.getUint8(start + found.at + at));
      return String.fromCharCode(...codes)
        .split('\0')[0]!
        .trim();
    },
    rationals(directory: number | undefined, tag: number): number[] {
      const found = entry(directory, tag);
      if (found?.type !== 5) return [];
      return Array.from(
        { length: found.count },
        (_, at) => long(found.at + at * 8) / long(found.at + at * 8 + 4),
      );
    },
  };
}

const EXIF = 0x8769;
const GPS = 0x8825;
const DATE_TIME_ORIGINAL = 0x9003;
const OFFSET_TIME_ORIGINAL = 0x9011;
/** Trees grow in Colombia: UTC−5 all year. */
const COLOMBIA_OFFSET = '-05:00';

/** Where and when a JPEG says that it was taken. Never throws: what cannot be read or be true is not there. */
export function readExif(file: ArrayBuffer): PhotoDetails {
  try {
    const view = new DataView(file);
    const start = findTiff(view);
    if (start === undefined) return {};
    const tiff = openTiff(view, start);
    const exif = tiff.pointer(tiff.root(), EXIF);
    const gps = tiff.pointer(tiff.root(), GPS);
    const latitude = degrees(tiff.rationals(gps, 2), tiff.text(gps, 1) === 'S');
    const longitude = degrees(tiff.rationals(gps, 4), tiff.text(gps, 3) === 'W');
    const takenAt = instant(tiff.text(exif, DATE_TIME_ORIGINAL), tiff.text(exif, OFFSET_TIME_ORIGINAL));
    return { ...(takenAt && { takenAt }), ...place(latitude, longitude) };
  } catch {
    return {};
  }
}

/** Six decimals are a tenth of a metre. */
function degrees([whole = NaN, minutes = NaN, seconds = NaN]: number[], isNegative: boolean): number {
  const value = Math.round((whole + minutes / 60 + seconds / 3600) * 1e6) / 1e6;
  return isNegative ? -value : value;
}

/** 0, 0 is what cameras write before they have a fix. */
function place(latitude: number, longitude: number): PhotoDetails {
  const isPlace = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return isPlace && (latitude !== 0 || longitude !== 0) ? { latitude, longitude } : {};
}

function instant(local: string, offset: string): string | undefined {
  const parts = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)$/.exec(local);
  if (!parts) return undefined;
  const zone = /^[+-]\d\d:\d\d$/.test(offset) ? offset : COLOMBIA_OFFSET;
  const time = Date.parse(`${parts[1]}-${parts[2]}-${parts[3]}T${parts[4]}${zone}`);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
