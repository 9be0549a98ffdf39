import { Problem } from '@arboleda/contracts/problems.ts';
import type { IncomingMessage } from 'node:http';
import type { Route } from './routes.ts';

/** @throws Problem for a body that is announced as too large, or whose length could be read in two ways. */
export function checkAnnouncedBody(request: IncomingMessage, route: Route): void {
  const { headers } = request;
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
