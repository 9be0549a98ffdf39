import { Problem } from '@arboleda/contracts/problems.ts';
import type { IncomingMessage } from 'node:http';

/**
 * Whether a path is unambiguous. Encoded dots, slashes, backslashes, percent signs and control characters
 * have no use in our paths, and parsers disagree on them.
 */
export function isPlainPath(path: string): boolean {
  if (!path.startsWith('/') || path.startsWith('//')) return false;
  if (/[\\#\s\p{Cc}]/u.test(path)) return false;
  if (!path.includes('%')) return !hasDotSegment(path);
  if (/%(2e|2f|5c|25|23|3f|[01][0-9a-f]|7f)/i.test(path)) return false;
  try {
    return !hasDotSegment(decodeURIComponent(path));
  } catch {
    return false;
  }
}

const hasDotSegment = (path: string): boolean => path.includes('/.') && /\/\.{1,2}(\/|$)/.test(path);

/** The path of a request target, without its query. */
export function pathPart(target: string): string {
  const end = target.indexOf('?');
  return end === -1 ? target : target.slice(0, end);
}

/**
 * Messages that Node's parser accepts and another parser could read differently: HTTP/0.9, which has no
 * headers and no end, and two Host headers. https://www.rfc-editor.org/rfc/rfc9112#section-3.2
 */
export function isDoubtful({
  httpVersionMajor,
  rawHeaders,
}: Pick<IncomingMessage, 'httpVersionMajor' | 'rawHeaders'>): boolean {
  if (httpVersionMajor !== 1) return true;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]!.length === 4 && rawHeaders[at]!.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}

export const hasBody = (request: IncomingMessage): boolean =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;

/** Bodies up to this are buffered; nearly every JSON is shorter. */
const SHORT_BODY_BYTES = 65_536;
/** https://www.rfc-editor.org/rfc/rfc9110#section-9.3 */
const METHODS_WITH_BODY = new Set(['POST', 'PUT']);

/**
 * @throws Problem for a body that is announced as too large, has an ambiguous length, or does not fit the
 * method: one that never arrives would hold a connection to a service
 */
export function checkAnnouncedBody(request: IncomingMessage, maxBytes: number): void {
  const { headers } = request;
  if (hasBody(request) && !METHODS_WITH_BODY.has(request.method ?? ''))
    throw new Problem('malformed-request');
  const encoding = headers['transfer-encoding'];
  if (encoding === undefined) {
    if (Number(headers['content-length'] ?? 0) > maxBytes) throw new Problem('body-too-large');
  } else if (encoding.toLowerCase() !== 'chunked' || headers['content-length'] !== undefined) {
    throw new Problem('malformed-request');
  }
}

/** Whether a request has no body, or announced a short one. */
export const isShort = (request: IncomingMessage): boolean =>
  !hasBody(request) || Number(request.headers['content-length']) <= SHORT_BODY_BYTES;

/** Reads a short body. `use` is not called when the caller disconnects before the end. */
export function readBody(request: IncomingMessage, use: (body: Buffer | null) => void): void {
  if (!hasBody(request)) return use(null);
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  // The only listener for `end`: V8 may keep a list of two in memory, see docs/decisions/10.
  request.once('end', () => use(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
}

/**
 * Counts a body of unannounced length. Call it right before the body is piped: a data listener starts the
 * flow.
 */
export function countBody(request: IncomingMessage, maxBytes: number, onTooLarge: () => void): void {
  if (request.headers['transfer-encoding'] === undefined) return;
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    const before = bytes;
    bytes += chunk.length;
    if (bytes > maxBytes && before <= maxBytes) onTooLarge();
  });
}
