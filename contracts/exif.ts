export interface Evidence {
  coordinates?: { latitude: number; longitude: number };
  takenAt?: string;
}

/** Limit of JPEG; a longer block in another format would exhaust memory. */
const MAX_EXIF_BYTES = 65_536;
/** Colombia is UTC−5 all year. */
const COLOMBIA_OFFSET = '-05:00';
/** Earlier dates come from cameras whose clock was never set. */
const EARLIEST = Date.UTC(2000, 0, 1);
/** Clocks differ by minutes; later times come from a wrong clock. */
const CLOCK_TOLERANCE_MS = 15 * 60_000;

/**
 * Reads an EXIF block (TIFF 6.0, Exif 2.32), with or without its "Exif" header. Never throws; omits malformed or
 * impossible values. Hand-written because libraries allocate what a tag claims, which a hostile file can set to
 * gigabytes.
 */
export function readEvidence(block: Uint8Array | undefined, now: Date): Evidence {
  if (!block || block.length > MAX_EXIF_BYTES) return {};
  const tags = readTags(block);
  const hasSigns = [tags.latitude, tags.longitude].some((parts) => parts && parts[0]! < 0);
  const coordinates = believablePlace({
    latitude: degreesOf(tags.latitude, tags.latitudeRef, ['N', 'S'], hasSigns),
    longitude: degreesOf(tags.longitude, tags.longitudeRef, ['E', 'W'], hasSigns),
  });
  const takenAt = timeOf(tags, now);
  return { ...(coordinates && { coordinates }), ...(takenAt && { takenAt }) };
}

/** A place on earth, or undefined. Cameras and phones write an exact 0 when they have no fix. */
export function believablePlace(claimed: {
  latitude: number | undefined;
  longitude: number | undefined;
}): Evidence['coordinates'] {
  const { latitude = NaN, longitude = NaN } = claimed;
  const isPlace = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return isPlace && latitude !== 0 && longitude !== 0 ? { latitude, longitude } : undefined;
}

/** A time with its offset as an ISO instant; undefined when the camera's clock was evidently wrong. */
export function believableTime(claimed: string, now: Date): string | undefined {
  const time = Date.parse(claimed);
  const believable = time >= EARLIEST && time <= now.getTime() + CLOCK_TOLERANCE_MS;
  return believable ? new Date(time).toISOString() : undefined;
}

/**
 * Six decimals are about a tenth of a metre. The reference gives the hemisphere. Without one the sign does, but only where
 * a minus shows that signs are used: many programs leave both out, and Colombia would be in India.
 */
function degreesOf(
  parts: number[] | undefined,
  reference: string | undefined,
  [positive, negative]: [string, string],
  hasSigns: boolean,
): number | undefined {
  if (!parts) return undefined;
  const [degrees = NaN, minutes = 0, seconds = 0] = parts;
  const value = Math.abs(degrees) + Math.abs(orZero(minutes)) / 60 + Math.abs(orZero(seconds)) / 3600;
  const letter = reference?.[0]?.toUpperCase();
  const isReferred = letter === positive || letter === negative;
  if (!isReferred && !hasSigns) return undefined;
  const isNegative = isReferred ? letter === negative : degrees < 0;
  return (Math.round(value * 1e6) / 1e6) * (isNegative ? -1 : 1);
}

/** 0/0 stands for a part that the camera does not tell. */
const orZero = (part: number): number => (Number.isNaN(part) ? 0 : part);

/**
 * Camera clock at its own offset or Colombia's. GPS time belongs to the last fix, maybe days old, so it is only a
 * fallback.
 */
function timeOf(tags: Tags, now: Date): string | undefined {
  const local = dateTime(tags.dateTimeOriginal);
  const offset = /^([+-]\d\d:\d\d|Z)/.exec(tags.offsetTimeOriginal ?? '')?.[1];
  const claimed = [
    local && offset && local + offset,
    local && local + COLOMBIA_OFFSET,
    !local && gpsTime(tags),
  ];
  for (const one of claimed) {
    const time = believableTime(one || '', now);
    if (time) return time;
  }
  return undefined;
}

/** Parses EXIF's local time: "2026:03:01 10:11:12". */
function dateTime(value = ''): string | undefined {
  const parts = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)/.exec(value);
  return parts ? `${parts[1]}-${parts[2]}-${parts[3]}T${parts[4]}` : undefined;
}

/** Parses GPS time in UTC: "2026:03:01" and [15, 11, 12]. */
function gpsTime({ gpsDate, gpsClock }: Tags): string | undefined {
  if (!gpsDate || gpsClock?.length !== 3) return undefined;
  const clock = gpsClock.map((part) => String(Math.floor(orZero(part))).padStart(2, '0')).join(':');
  const time = dateTime(`${gpsDate} ${clock}`);
  return time && `${time}Z`;
}

interface Tags {
  dateTimeOriginal?: string;
  offsetTimeOriginal?: string;
  latitudeRef?: string;
  /** Degrees, minutes, seconds; minutes and seconds may be missing. */
  latitude?: number[];
  longitudeRef?: string;
  longitude?: number[];
  gpsDate?: string;
  /** Hours, minutes, seconds of UTC. */
  gpsClock?: number[];
}

const HEADER_BYTES = 8;
const ENTRY_BYTES = 12;
const RATIONAL_BYTES = 8;
const MAX_TEXT_BYTES = 64;
/** An IFD is a long that points to a directory: Adobe's supplement 1 to TIFF 6.0. */
const TYPE = { ascii: 2, long: 4, rational: 5, signedRational: 10, ifd: 13 };

function readTags(block: Uint8Array): Tags {
  const start = ascii(block, 0, 4) === 'Exif' ? 6 : 0;
  const tiff = new DataView(block.buffer, block.byteOffset + start, Math.max(0, block.length - start));
  const order = ascii(block, start, start + 2);
  if (tiff.byteLength < HEADER_BYTES || (order !== 'II' && order !== 'MM')) return {};
  const { directory, text, rationals, pointer } = openReader(tiff, order === 'II');
  const root = directory(tiff.getUint32(4, order === 'II'));
  const exif = directory(pointer(root, 0x8769));
  const gps = directory(pointer(root, 0x8825));
  return {
    dateTimeOriginal: text(exif, 0x9003),
    offsetTimeOriginal: text(exif, 0x9011),
    latitudeRef: text(gps, 1),
    latitude: rationals(gps, 2),
    longitudeRef: text(gps, 3),
    longitude: rationals(gps, 4),
    gpsClock: rationals(gps, 7),
    gpsDate: text(gps, 0x1d),
  };
}

/** Tag → offset of its entry. */
type Directory = Map<number, number>;

/** Directories hold only entries inside the block; each value's bounds are checked before reading. */
function openReader(tiff: DataView, little: boolean) {
  const short = (at: number) => tiff.getUint16(at, little);
  const long = (at: number) => tiff.getUint32(at, little);
  const find = (found: Directory, tag: number, ...types: number[]) => {
    const entry = found.get(tag);
    if (entry === undefined || !types.includes(short(entry + 2))) return undefined;
    return { type: short(entry + 2), count: long(entry + 4), at: entry + 8 };
  };
  return {
    directory(at: number | undefined): Directory {
      const found: Directory = new Map();
      if (at === undefined || at + 2 > tiff.byteLength) return found;
      const entries = short(at);
      for (let index = 0; index < entries; index++) {
        const entry = at + 2 + index * ENTRY_BYTES;
        if (entry + ENTRY_BYTES > tiff.byteLength) break;
        found.set(short(entry), entry);
      }
      return found;
    },
    pointer(found: Directory, tag: number): number | undefined {
      const entry = find(found, tag, TYPE.long, TYPE.ifd);
      return entry && long(entry.at);
    },
    text(found: Directory, tag: number): string | undefined {
      const entry = find(found, tag, TYPE.ascii);
      if (!entry || entry.count > MAX_TEXT_BYTES) return undefined;
      const at = entry.count <= 4 ? entry.at : long(entry.at);
      if (at + entry.count > tiff.byteLength) return undefined;
      return ascii(new Uint8Array(tiff.buffer, tiff.byteOffset + at, entry.count), 0, entry.count)
        .split('\0')[0]!
        .trim();
    },
    rationals(found: Directory, tag: number): number[] | undefined {
      const entry = find(found, tag, TYPE.rational, TYPE.signedRational);
      if (!entry || entry.count < 1 || entry.count > 3) return undefined;
      const at = long(entry.at);
      if (at + entry.count * RATIONAL_BYTES > tiff.byteLength) return undefined;
      const integer = (where: number) =>
        entry.type === TYPE.signedRational ? tiff.getInt32(where, little) : long(where);
      return Array.from({ length: entry.count }, (_, index) => {
        const each = at + index * RATIONAL_BYTES;
        return integer(each) / integer(each + 4);
      });
    },
  };
}

const ascii = (bytes: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...bytes.subarray(from, Math.min(to, bytes.length)));

/** Offset of the EXIF block in a JPEG, WebP or PNG; undefined when absent or damaged. */
export function findExif(file: Uint8Array): Uint8Array | undefined {
  if (file[0] === 0xff && file[1] === 0xd8) return inJpeg(file);
  if (ascii(file, 0, 4) === 'RIFF' && ascii(file, 8, 12) === 'WEBP') {
    return inChunks(file, { start: 12, name: 'EXIF', little: true });
  }
  if (ascii(file, 1, 4) === 'PNG') return inChunks(file, { start: 8, name: 'eXIf', little: false });
  return undefined;
}

function inJpeg(file: Uint8Array): Uint8Array | undefined {
  for (let at = 2; at + 10 <= file.length;) {
    const marker = file[at + 1]!;
    if (file[at] !== 0xff || marker === 0xda) return undefined;
    const bytes = file[at + 2]! * 256 + file[at + 3]!;
    if (marker === 0xe1 && ascii(file, at + 4, at + 8) === 'Exif')
      return file.subarray(at + 4, at + 2 + bytes);
    at += 2 + bytes;
  }
  return undefined;
}

/** RIFF: name, length, data padded to two bytes. PNG: length, name, data, four bytes of CRC. */
function inChunks(
  file: Uint8Array,
  { start, name, little }: { start: number; name: string; little: boolean },
): Uint8Array | undefined {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  for (let at = start; at + 8 <= file.length;) {
    const bytes = view.getUint32(little ? at + 4 : at, little);
    const found = ascii(file, little ? at : at + 4, little ? at + 4 : at + 8);
    if (found === name) return file.subarray(at + 8, at + 8 + bytes);
    at += 8 + bytes + (little ? bytes % 2 : 4);
  }
  return undefined;
}
