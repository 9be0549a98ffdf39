import { Problem } from '@arboleda/contracts/problems.ts';
import type { IncomingMessage } from 'node:http';
import { type Exchange, hasBody } from '../exchange.ts';
import type { Route } from './routes.ts';

/** Bodies up to this are held in memory until they are whole; nearly every JSON is. */
const SHORT_BODY_BYTES = 65_536;
/** Where a body means something: https://www.rfc-editor.org/rfc/rfc9110#section-9.3 */
const METHODS_WITH_BODY = new Set(['POST', 'PUT']);

/**
 * @throws Problem for a body that is announced as too large, whose length could be read in two ways, or that no call of
 * this method has: one that never comes would hold a connection to a service.
 */
export function checkAnnouncedBody(request: IncomingMessage, route: Route): void {
  const { headers } = request;
  if (hasBody(request) && !METHODS_WITH_BODY.has(request.method ?? ''))
    throw new Problem('malformed-request');
  const encoding = headers['transfer-encoding'];
  if (encoding !== undefined) {
    if (encoding.toLowerCase() !== 'chunked' || headers['content-length'] !== undefined) {
      throw new Problem('malformed-request');
    }
    return;
  }
  if (Number(headers['content-length'] ?? 0) > route.maxBodyBytes) throw new Problem('body-too-large');
}

/**
 * Counts a body that did not announce its length while it streams. To be called right before it is piped: a listener
 * for data starts the flow.
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

/** Whether a request has no body, or a short one that announced its length. */
export function isShort(request: IncomingMessage): boolean {
  if (!hasBody(request)) return true;
  return (
    METHODS_WITH_BODY.has(request.method ?? '') &&
    Number(request.headers['content-length']) <= SHORT_BODY_BYTES
  );
}

/** Hands over a short body once it is whole. It never comes of a caller who left before. */
export function whenWhole({ request, arrivals }: Exchange, use: (body: Buffer | null) => void): void {
  if (!hasBody(request)) return use(null);
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  // Most come in one piece.
  arrivals.push(() => use(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
}
