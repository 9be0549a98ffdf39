/**
 * The few tags of an EXIF block (TIFF 6.0, Exif 2.32) that tell where and when. Read by hand: libraries set aside
 * as much memory as a tag claims to need, gigabytes when a file is made to hurt.
 */
export interface ExifTags {
  dateTimeOriginal?: string;
  offsetTimeOriginal?: string;
  gpsLatitudeRef?: string;
  /** Degrees, minutes, seconds. */
  gpsLatitude?: number[];
  gpsLongitudeRef?: string;
  gpsLongitude?: number[];
  gpsDateStamp?: string;
  /** Hours, minutes, seconds of UTC. */
  gpsTimeStamp?: number[];
}

const POINTER_TO_EXIF = 0x8769;
const POINTER_TO_GPS = 0x8825;
const EXIF_TEXTS = { 0x9003: 'dateTimeOriginal', 0x9011: 'offsetTimeOriginal' } as const;
const GPS_TEXTS = { 0x01: 'gpsLatitudeRef', 0x03: 'gpsLongitudeRef', 0x1d: 'gpsDateStamp' } as const;
const GPS_NUMBERS = { 0x02: 'gpsLatitude', 0x04: 'gpsLongitude', 0x07: 'gpsTimeStamp' } as const;

const HEADER_BYTES = 8;
const ENTRY_BYTES = 12;
const ASCII = 2;
const LONG = 4;
const RATIONAL = 5;
const RATIONAL_BYTES = 8;
const MAX_TEXT_BYTES = 64;

/** @param block as sharp gives it: TIFF, or "Exif" and two zeros before it. Damage costs tags, never throws. */
export function readExif(block: Buffer): ExifTags {
  const tiff = block.subarray(0, 4).toString('latin1') === 'Exif' ? block.subarray(6) : block;
  const order = tiff.toString('latin1', 0, 2);
  if (tiff.length < HEADER_BYTES || (order !== 'II' && order !== 'MM')) return {};
  const reader = openReader(tiff, order);
  const root = reader.directory(reader.long(4));
  const exif = reader.directory(reader.pointer(root, POINTER_TO_EXIF));
  const gps = reader.directory(reader.pointer(root, POINTER_TO_GPS));
  return {
    ...pick(exif, EXIF_TEXTS, reader.text),
    ...pick(gps, GPS_TEXTS, reader.text),
    ...pick(gps, GPS_NUMBERS, reader.rationals),
  };
}

/** Tag → where its entry stands. */
type Directory = Map<number, number>;

/** Directories hold only entries that lie in the block; where a value lies is looked at before it is read. */
function openReader(tiff: Buffer, order: 'II' | 'MM') {
  const short = (at: number) => (order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const long = (at: number) => (order === 'II' ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
  const isA = (entry: number, type: number) => short(entry + 2) === type;
  const count = (entry: number) => long(entry + 4);
  return {
    long,
    directory(at: number | undefined): Directory {
      const found: Directory = new Map();
      if (at === undefined || at + 2 > tiff.length) return found;
      const entries = short(at);
      for (let index = 0; index < entries; index++) {
        const entry = at + 2 + index * ENTRY_BYTES;
        if (entry + ENTRY_BYTES > tiff.length) break;
        found.set(short(entry), entry);
      }
      return found;
    },
    pointer(directory: Directory, tag: number): number | undefined {
      const entry = directory.get(tag);
      return entry !== undefined && isA(entry, LONG) ? long(entry + 8) : undefined;
    },
    text(entry: number): string | undefined {
      if (!isA(entry, ASCII) || count(entry) > MAX_TEXT_BYTES) return undefined;
      const at = count(entry) <= 4 ? entry + 8 : long(entry + 8);
      return tiff
        .toString('latin1', at, at + count(entry))
        .split('\0')[0]!
        .trim();
    },
    rationals(entry: number): number[] | undefined {
      if (!isA(entry, RATIONAL) || count(entry) !== 3) return undefined;
      const at = long(entry + 8);
      if (at + 3 * RATIONAL_BYTES > tiff.length) return undefined;
      return [0, 1, 2].map((index) => at + index * RATIONAL_BYTES).map((each) => long(each) / long(each + 4));
    },
  };
}

/** The named tags of a directory; those that cannot be read are left out. */
function pick<Name extends keyof ExifTags, Value>(
  directory: Directory,
  names: Record<number, Name>,
  read: (entry: number) => Value | undefined,
): Partial<Record<Name, Value>> {
  const picked: Partial<Record<Name, Value>> = {};
  for (const [tag, name] of Object.entries(names)) {
    const entry = directory.get(Number(tag));
    const value = entry === undefined ? undefined : read(entry);
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}
