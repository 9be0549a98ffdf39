import { LEASE_HEADER, LEASE_MS } from '@arboleda/contracts/lease.ts';
import type { IncomingHttpHeaders } from 'node:http';
import { answerHeaders } from '../../caller/headers.ts';
import { names, partOf } from './conditions.ts';
import type { Lease, Leases } from './leases.ts';
import type { Version, Versions } from './versions.ts';

/** What is larger is seldom asked for, and would push out too much. */
const MAX_VERSION_BYTES = 1_048_576;

/** So that nothing is added to a head that is nearly too long already. */
const MAX_CONDITION_LENGTH = 1_024;

/** An answer from memory. */
export interface HeldAnswer {
  status: 200 | 206 | 304;
  /** Names and values in turn. */
  head: readonly string[];
  bytes: Buffer;
}

/** What a gateway remembers of its services' answers. */
export interface Memory {
  versions: Versions;
  leases: Leases;
  /** Milliseconds that only ever rise. */
  now(): number;
}

const NOTHING = Buffer.alloc(0);
const NONE: readonly Version[] = [];

/**
 * One call for what may be held: unless a lease holds, its service is asked whether the caller may see it, and which
 * version. What it says is not sent again when it is here. https://www.rfc-editor.org/rfc/rfc9111#section-4.3
 */
export class Revalidation {
  readonly #memory: Memory;
  readonly #url: string;
  readonly #ifNoneMatch: string;
  readonly #range: string | undefined;
  readonly #ifRange: string | undefined;
  /** Who asks the same may be told the same; undefined of who says who they are. */
  readonly #key: string | undefined;
  /** "Any version", or a long list of them, is the service's to answer. */
  readonly #isOwn: boolean;
  #found: readonly Version[] | undefined;
  #askedAt = 0;
  #coming: { etag: string; chunks: Buffer[]; sizeBytes: number; missing: number } | undefined;

  /** @param headers the caller's */
  constructor(memory: Memory, url: string, headers: IncomingHttpHeaders) {
    this.#memory = memory;
    this.#url = url;
    this.#ifNoneMatch = headers['if-none-match'] ?? '';
    this.#range = headers.range;
    this.#ifRange = headers['if-range'] as string | undefined;
    this.#isOwn = this.#ifNoneMatch.length > MAX_CONDITION_LENGTH || this.#ifNoneMatch.trim() === '*';
    if (!this.#isOwn && headers.authorization === undefined) this.#key = `${headers.accept} ${url}`;
  }

  /** Versions that this call can be answered from, the same to its end. */
  get #held(): readonly Version[] {
    return (this.#found ??= this.#isOwn ? NONE : this.#find());
  }

  /** None, when one of them has not got the part that is asked for: that is the service's to say. */
  #find(): readonly Version[] {
    const range = this.#range;
    const versions = this.#memory.versions.of(this.#url);
    if (range === undefined || versions.every(({ bytes }) => partOf(range, bytes.length))) return versions;
    return NONE;
  }

  /** What may be answered without asking. */
  leased(): HeldAnswer | undefined {
    const lease = this.#key === undefined ? undefined : this.#memory.leases.of(this.#key);
    return lease && this.answer(lease);
  }

  /** Who is asked for the same can be answered with what another is told; undefined when nobody can. */
  get sharedKey(): string | undefined {
    return this.#held.length > 0 ? this.#key : undefined;
  }

  /** Its service is about to be asked. @param headers what it is told: the versions that are held are added to it */
  ask(headers: IncomingHttpHeaders): void {
    this.#askedAt = this.#memory.now();
    if (this.#held.length === 0) return;
    const tags = this.#held.map(({ etag }) => etag);
    headers['if-none-match'] = (this.#ifNoneMatch ? [this.#ifNoneMatch, ...tags] : tags).join(', ');
  }

  /** Its service has answered. @returns what others may be told as well, from when this one was asked for */
  grant(status: number, headers: IncomingHttpHeaders): Lease | undefined {
    const { etag } = headers;
    const endsAt = this.#askedAt + Math.min(Number(headers[LEASE_HEADER]), LEASE_MS);
    const isOver = !(this.#memory.now() < endsAt);
    if (status !== 304 || etag === undefined || this.#key === undefined || isOver) return undefined;
    const lease = { etag, head: answerHeaders(304, headers), endsAt };
    this.#memory.leases.keep(this.#key, lease);
    return lease;
  }

  /** What this caller is to be sent of a version; undefined when it is neither here nor there. */
  answer({ etag, head }: Pick<Lease, 'etag' | 'head'>): HeldAnswer | undefined {
    if (names(this.#ifNoneMatch, etag)) return { status: 304, head, bytes: NOTHING };
    const version = this.#held.find((one) => one.etag === etag);
    return version && this.#bytesOf(version, head);
  }

  #bytesOf({ etag, bytes }: Version, head: readonly string[]): HeldAnswer {
    const mayBePart = this.#ifRange === undefined || this.#ifRange === etag;
    const part = mayBePart && this.#range !== undefined ? partOf(this.#range, bytes.length) : undefined;
    if (!part) return { status: 200, head: [...head, 'Content-Length', String(bytes.length)], bytes };
    const { start, end } = part;
    return {
      status: 206,
      head: [
        ...head,
        'Content-Length',
        String(end - start + 1),
        'Content-Range',
        `bytes ${start}-${end}/${bytes.length}`,
      ],
      bytes: bytes.subarray(start, end + 1),
    };
  }

  /** An answer begins. @returns what is to be sent in its place; undefined when it is to be handed on. */
  begin(status: number, headers: IncomingHttpHeaders): HeldAnswer | undefined {
    this.close();
    if (status === 200) this.#expect(headers);
    if (status !== 304 || headers.etag === undefined) return undefined;
    return this.answer({ etag: headers.etag, head: answerHeaders(304, headers) });
  }

  /** Only what anybody may keep, and what can be told by its tag to the byte. */
  #expect({ etag, 'content-length': length, 'cache-control': control }: IncomingHttpHeaders): void {
    const sizeBytes = Number(length);
    if (!etag?.startsWith('"') || !control?.startsWith('public')) return;
    if (!(sizeBytes > 0 && sizeBytes <= MAX_VERSION_BYTES)) return;
    if (!this.#memory.versions.reserve(sizeBytes)) return;
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
      this.#memory.versions.keep(this.#url, { etag: coming.etag, bytes: Buffer.concat(coming.chunks) });
  }

  /** Nothing more comes. */
  close(): void {
    if (this.#coming) this.#memory.versions.giveBack(this.#coming.sizeBytes);
    this.#coming = undefined;
  }
}
