import { type Coordinates, coordinates } from '@arboleda/contracts/fields.ts';
import { type ExifTags, readExif } from './exif.ts';

/** Where and when a photo says that it was taken. */
export interface Evidence {
  coordinates?: Coordinates;
  /** ISO instant. */
  takenAt?: string;
}

/** JPEG cannot hold a longer one; in other formats it would be an attack on our memory. */
const MAX_EXIF_BYTES = 65_536;
/** Trees grow in Colombia: UTC−5 all year. */
const COLOMBIA_OFFSET = '-05:00';
/** Before this a camera's clock was never set. */
const EARLIEST = Date.UTC(2000, 0, 1);
const CLOCK_TOLERANCE_MS = 86_400_000;

/**
 * Reads the EXIF block of a photo (as sharp gives it, of any format). Never throws: what is not well formed,
 * or cannot be true, is not there.
 */
export function readEvidence(exif: Buffer | undefined, now: Date): Evidence {
  if (!exif || exif.length > MAX_EXIF_BYTES) return {};
  const tags = readExif(exif);
  const place = readPlace(tags);
  const takenAt = readTime(tags, now);
  return { ...(place && { coordinates: place }), ...(takenAt && { takenAt }) };
}

const readPlace = (tags: ExifTags): Coordinates | undefined =>
  believablePlace({
    latitude: readDegrees(tags.gpsLatitude, tags.gpsLatitudeRef === 'S'),
    longitude: readDegrees(tags.gpsLongitude, tags.gpsLongitudeRef === 'W'),
  });

/** A place on earth, if it is one. */
export function believablePlace(told: {
  latitude: number | undefined;
  longitude: number | undefined;
}): Coordinates | undefined {
  const place = coordinates.safeParse(told);
  // 0,0 is what cameras write before they have a fix.
  if (!place.success || (place.data.latitude === 0 && place.data.longitude === 0)) return undefined;
  return place.data;
}

/** Six decimals are a tenth of a metre. */
function readDegrees(parts: number[] | undefined, negative: boolean): number | undefined {
  if (!parts) return undefined;
  const [degrees = NaN, minutes = NaN, seconds = NaN] = parts;
  const value = Math.round((degrees + minutes / 60 + seconds / 3600) * 1e6) / 1e6;
  return negative ? -value : value;
}

function readTime(tags: ExifTags, now: Date): string | undefined {
  const local = readDateTime(tags.dateTimeOriginal);
  const offset = readOffset(tags.offsetTimeOriginal);
  const candidates = [
    local && offset && local + offset,
    readGpsTime(tags.gpsDateStamp, tags.gpsTimeStamp),
    local && local + COLOMBIA_OFFSET,
  ];
  for (const candidate of candidates) {
    const time = believableTime(candidate || '', now);
    if (time) return time;
  }
  return undefined;
}

/** A time with its offset as an ISO instant, if a camera whose clock was set can have written it. */
export function believableTime(told: string, now: Date): string | undefined {
  const time = Date.parse(told);
  const believable = time >= EARLIEST && time <= now.getTime() + CLOCK_TOLERANCE_MS;
  return believable ? new Date(time).toISOString() : undefined;
}

/** "2026:03:01 10:11:12", EXIF's way to write a local time. */
function readDateTime(value = ''): string | undefined {
  const parts = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)/.exec(value);
  return parts ? `${parts[1]}-${parts[2]}-${parts[3]}T${parts[4]}` : undefined;
}

const readOffset = (value = ''): string | undefined => /^([+-]\d\d:\d\d|Z)/.exec(value)?.[1];

/** GPS writes its time in UTC: "2026:03:01" and [15, 11, 12]. */
function readGpsTime(date: string | undefined, time: number[] | undefined): string | undefined {
  if (!date || !time) return undefined;
  const clock = time.map((part) => String(Math.floor(part)).padStart(2, '0')).join(':');
  const local = readDateTime(`${date} ${clock}`);
  return local && `${local}Z`;
}
