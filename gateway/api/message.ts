import type { IncomingMessage } from 'node:http';

/**
 * What Node's parser lets pass and another reader of the same bytes could take differently: a request of HTTP/0.9, which
 * has no headers and no end, and two Host headers, of which one reader takes the first and the next one the last.
 * https://www.rfc-editor.org/rfc/rfc9112#section-3.2
 */
export function isDoubtful({ httpVersionMajor, rawHeaders }: Pick<IncomingMessage, 'httpVersionMajor' | 'rawHeaders'>): boolean {
  if (httpVersionMajor !== 1) return true;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]!.length === 4 && rawHeaders[at]!.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
} // prettier-ignore
