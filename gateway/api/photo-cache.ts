import { LRUCache } from 'lru-cache';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { answerHeaders } from '../caller/headers.ts';

/** About two hundred large photos, or two thousand small ones. */
const MAX_BYTES = 33_554_432;
const MAX_PHOTO_BYTES = 1_048_576;
/** Approximate strings and lists of one entry. */
const OVERHEAD_BYTES = 1_024;
/** Bounds photos being read, so that slow readers do not fill the memory with incomplete photos. */
const MAX_COMING = 32;
/** Hidden photos disappear within this time: see docs/decisions/12. */
const MAX_AGE_SECONDS = 60;

interface CachedPhoto {
  etag: string;
  /** Alternating names and values, without the length. */
  head: readonly string[];
  bytes: Buffer;
  /** By the cache's clock. */
  askedAt: number;
}

export interface CachedAnswer {
  status: 200 | 206 | 304;
  head: string[];
  bytes: Buffer;
}

/** Caches public photos for as long as media allows, at most a minute. */
interface PhotoCache {
  /** Cache key; undefined for authenticated requests. */
  keyOf(request: IncomingMessage): string | undefined;
  /** Undefined for a photo that is not cached, and for ranges that only media can answer. */
  answer(key: string, headers: IncomingHttpHeaders): CachedAnswer | undefined;
  /** Stores an answer that is about to be forwarded. @param askedAt by `now`, when media was asked */
  keep(key: string, answer: IncomingMessage, askedAt: number): void;
  /** Monotonic clock, milliseconds. */
  now(): number;
}

const NO_BYTES = Buffer.alloc(0);

export function openPhotoCache(now: () => number = () => performance.now()): PhotoCache {
  const photos = new LRUCache<string, CachedPhoto>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ bytes }, key) => bytes.length + key.length + OVERHEAD_BYTES,
    ttl: MAX_AGE_SECONDS * 1_000,
    perf: { now },
    // Otherwise the time that an earlier call read is used again until a timer has fired.
    ttlResolution: 0,
  });
  let coming = 0;
  return {
    keyOf: ({ url, headers }) =>
      headers.authorization === undefined ? `${headers.accept} ${url}` : undefined,
    answer(key, headers) {
      const photo = photos.get(key);
      if (!photo) return undefined;
      const { etag, bytes } = photo;
      const head = [...photo.head, 'Age', String(Math.ceil((now() - photo.askedAt) / 1_000))];
      if (names(headers['if-none-match'] ?? '', etag)) return { status: 304, head, bytes: NO_BYTES };
      const hasRange =
        headers.range !== undefined && [undefined, etag].includes(headers['if-range'] as string);
      if (!hasRange) return { status: 200, head: [...head, 'Content-Length', String(bytes.length)], bytes };
      const range = rangeOf(headers.range!, bytes.length);
      if (!range) return undefined;
      const { start, end } = range;
      head.push(
        'Content-Length',
        String(end - start + 1),
        'Content-Range',
        `bytes ${start}-${end}/${bytes.length}`,
      );
      return { status: 206, head, bytes: bytes.subarray(start, end + 1) };
    },
    keep(key, answer, askedAt) {
      const { 'content-length': length, ...others } = answer.headers;
      const { etag, 'cache-control': control = '' } = others;
      const seconds = Math.min(Number(/^public, max-age=(\d+)/.exec(control)?.[1] ?? 0), MAX_AGE_SECONDS);
      const sizeBytes = Number(length);
      if (answer.statusCode !== 200 || seconds === 0 || !etag?.startsWith('"')) return;
      if (!(sizeBytes > 0 && sizeBytes <= MAX_PHOTO_BYTES) || coming >= MAX_COMING) return;
      const head = answerHeaders(200, others);
      const chunks: Buffer[] = [];
      coming++;
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.once('close', () => {
        coming--;
        const bytes = Buffer.concat(chunks);
        if (bytes.length !== sizeBytes) return;
        photos.set(key, { etag, head, bytes, askedAt }, { ttl: seconds * 1_000, start: askedAt });
      });
    },
    now,
  };
}

/** Whether an If-None-Match contains an ETag; weak comparison: RFC 9110 section 13.1.2. */
export function names(ifNoneMatch: string, etag: string): boolean {
  const strong = (tag: string) => tag.trim().replace(/^W\//, '');
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((tag) => strong(tag) === strong(etag));
}

/** The single requested range, both ends inclusive; undefined for several ones and for those outside. */
export function rangeOf(range: string, sizeBytes: number): { start: number; end: number } | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
  if (first === '' && last === '') return undefined;
  const start = first === '' ? sizeBytes - Number(last) : Number(first);
  const end = first === '' || last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  return start >= 0 && start <= end ? { start, end } : undefined;
}
