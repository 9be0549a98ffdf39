import type { IncomingHttpHeaders } from 'node:http';
import { answerHeaders } from '../../caller/headers.ts';
import { names, partOf } from './conditions.ts';
import type { Version, Versions } from './versions.ts';

/** What is larger is seldom asked for, and would push out too much. */
const MAX_VERSION_BYTES = 1_048_576;

/** So that nothing is added to a head that is nearly too long already. */
const MAX_CONDITION_LENGTH = 1_024;

/** An answer from memory. */
export interface HeldAnswer {
  status: 200 | 206 | 304;
  /** Names and values in turn. */
  head: string[];
  bytes: Buffer;
}

const NOTHING = Buffer.alloc(0);

/**
 * One call for what may be held: its service is asked each time whether the caller may see it, and which version. What
 * it says is not sent again when it is here. https://www.rfc-editor.org/rfc/rfc9111#section-4.3
 */
export class Revalidation {
  readonly #versions: Versions;
  readonly #url: string;
  readonly #ifNoneMatch: string | undefined;
  readonly #range: string | undefined;
  readonly #ifRange: string | undefined;
  readonly #accept: string | undefined;
  /** It says who asks. */
  readonly #isPersonal: boolean;
  #offered: readonly Version[] = [];
  #coming: { etag: string; chunks: Buffer[]; sizeBytes: number; missing: number } | undefined;

  /** @param headers what the service is told; the versions that are held are added to its conditions */
  constructor(versions: Versions, url: string, headers: IncomingHttpHeaders) {
    this.#versions = versions;
    this.#url = url;
    this.#ifNoneMatch = headers['if-none-match'];
    this.#range = headers.range;
    this.#ifRange = headers['if-range'] as string | undefined;
    this.#accept = headers.accept;
    this.#isPersonal = headers.authorization !== undefined;
    this.#offer(headers);
  }

  #offer(headers: IncomingHttpHeaders): void {
    const held = this.#versions.of(this.#url);
    const range = this.#range;
    const canAnswer = range === undefined || held.every(({ bytes }) => partOf(range, bytes.length));
    const own = this.#ifNoneMatch ?? '';
    // "Any version" already names ours.
    if (held.length === 0 || !canAnswer || own.trim() === '*' || own.length > MAX_CONDITION_LENGTH) return;
    this.#offered = held;
    const tags = held.map(({ etag }) => etag);
    headers['if-none-match'] = (own ? [own, ...tags] : tags).join(', ');
  }

  /** Who is asked for the same can be answered with what another was told; undefined when nobody can. */
  get sharedKey(): string | undefined {
    return this.#offered.length > 0 && !this.#isPersonal ? `${this.#accept} ${this.#url}` : undefined;
  }

  /** What this caller is to be sent when another one was told "not modified"; undefined when that says nothing to it. */
  shared(headers: IncomingHttpHeaders): HeldAnswer | undefined {
    if (headers.etag === undefined || !this.#offered.some(({ etag }) => etag === headers.etag))
      return undefined;
    if (!names(this.#ifNoneMatch, headers.etag)) return this.begin(304, headers);
    return { status: 304, head: answerHeaders(304, headers), bytes: NOTHING };
  }

  /** An answer begins. @returns what is to be sent in its place; undefined when it is to be handed on. */
  begin(status: number, headers: IncomingHttpHeaders): HeldAnswer | undefined {
    this.close();
    if (status === 200) this.#expect(headers);
    if (status !== 304 || headers.etag === undefined || names(this.#ifNoneMatch, headers.etag))
      return undefined;
    const version = this.#offered.find(({ etag }) => etag === headers.etag);
    return version && this.#answer(version, headers);
  }

  #answer({ etag, bytes }: Version, headers: IncomingHttpHeaders): HeldAnswer {
    const mayBePart = this.#ifRange === undefined || this.#ifRange === etag;
    const part = mayBePart && this.#range !== undefined ? partOf(this.#range, bytes.length) : undefined;
    const head = answerHeaders(304, headers);
    if (!part) {
      head.push('Content-Length', String(bytes.length));
      return { status: 200, head, bytes };
    }
    const { start, end } = part;
    head.push(
      'Content-Length',
      String(end - start + 1),
      'Content-Range',
      `bytes ${start}-${end}/${bytes.length}`,
    );
    return { status: 206, head, bytes: bytes.subarray(start, end + 1) };
  }

  /** Only what anybody may keep, and what can be told by its tag to the byte. */
  #expect({ etag, 'content-length': length, 'cache-control': control }: IncomingHttpHeaders): void {
    const sizeBytes = Number(length);
    if (!etag?.startsWith('"') || !control?.startsWith('public')) return;
    if (!(sizeBytes > 0 && sizeBytes <= MAX_VERSION_BYTES) || !this.#versions.reserve(sizeBytes)) return;
    this.#coming = { etag, chunks: [], sizeBytes, missing: sizeBytes };
  }

  /** More of the answer that is handed on. */
  add(chunk: Buffer): void {
    const coming = this.#coming;
    if (!coming) return;
    coming.chunks.push(chunk);
    coming.missing -= chunk.length;
    if (coming.missing > 0) return;
    this.close();
    if (coming.missing === 0)
      this.#versions.keep(this.#url, { etag: coming.etag, bytes: Buffer.concat(coming.chunks) });
  }

  /** Nothing more comes. */
  close(): void {
    if (this.#coming) this.#versions.giveBack(this.#coming.sizeBytes);
    this.#coming = undefined;
  }
}
