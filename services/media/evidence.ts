import { type Coordinates, coordinates } from '@arboleda/contracts/fields.ts';
import exifr from 'exifr';

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
export async function readEvidence(exif: Buffer | undefined, now: Date): Promise<Evidence> {
  if (!exif || exif.length > MAX_EXIF_BYTES) return {};
  const tags = await readTags(exif);
  const place = readPlace(tags);
  const takenAt = readTime(tags, now);
  return { ...(place && { coordinates: place }), ...(takenAt && { takenAt }) };
}

type Tags = Record<string, unknown>;

async function readTags(exif: Buffer): Promise<Tags> {
  const tiff = exif.subarray(0, 4).toString('latin1') === 'Exif' ? exif.subarray(6) : exif;
  const read = exifr.parse(tiff, { exif: true, gps: true, reviveValues: false, translateValues: false });
  return ((await read.catch(() => undefined)) as Tags | undefined) ?? {};
}

function readPlace({ latitude, longitude }: Tags): Coordinates | undefined {
  const place = coordinates.safeParse({ latitude, longitude });
  if (!place.success) return undefined;
  // 0,0 is what cameras write before they have a fix.
  if (place.data.latitude === 0 && place.data.longitude === 0) return undefined;
  return { latitude: degrees(place.data.latitude), longitude: degrees(place.data.longitude) };
}

/** Six decimals are a tenth of a metre. */
const degrees = (value: number): number => Math.round(value * 1e6) / 1e6;

function readTime(tags: Tags, now: Date): string | undefined {
  const local = readDateTime(tags.DateTimeOriginal);
  const offset = readOffset(tags.OffsetTimeOriginal);
  const candidates = [
    local && offset && local + offset,
    readGpsTime(tags.GPSDateStamp, tags.GPSTimeStamp),
    local && local + COLOMBIA_OFFSET,
  ];
  for (const candidate of candidates) {
    const time = Date.parse(candidate || '');
    if (time >= EARLIEST && time <= now.getTime() + CLOCK_TOLERANCE_MS) return new Date(time).toISOString();
  }
  return undefined;
}

/** "2026:03:01 10:11:12", EXIF's way to write a local time. */
function readDateTime(value: unknown): string | undefined {
  const parts = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)/.exec(String(value));
  return parts ? `${parts[1]}-${parts[2]}-${parts[3]}T${parts[4]}` : undefined;
}

const readOffset = (value: unknown): string | undefined => /^([+-]\d\d:\d\d|Z)/.exec(String(value))?.[1];

/** GPS writes its time in UTC: "2026:03:01" and [15, 11, 12]. */
function readGpsTime(date: unknown, time: unknown): string | undefined {
  if (!Array.isArray(time)) return undefined;
  const clock = time.map((part) => String(Math.floor(Number(part))).padStart(2, '0')).join(':');
  const local = readDateTime(`${String(date).slice(0, 10)} ${clock}`);
  return local && `${local}Z`;
}
