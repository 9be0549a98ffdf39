import { endWith, type Exchange } from '../exchange.ts';
import type { Encoding, WebFile } from './files.ts';

/** A prepared response for a file in one encoding. */
interface FileAnswer {
  /** In header syntax, with quotes. */
  etag: string;
  /** Alternating names and values: of any response, and of one with content. */
  head: readonly string[];
  contentHead: readonly string[];
  content: Buffer;
}

export type FileAnswers = (acceptEncoding: string | undefined) => FileAnswer;

/** @param isPage pages vary by language as well */
export function fileAnswers(
  file: Pick<WebFile, 'contentType' | 'etag' | 'variants'>,
  cacheControl: string,
  isPage = false,
): FileAnswers {
  const encodings = Object.keys(file.variants) as Encoding[];
  const isCompressed = encodings.length > 1;
  const vary = isPage ? 'Accept-Encoding, Accept-Language, Cookie' : isCompressed ? 'Accept-Encoding' : '';
  const prepare = (encoding: Encoding): FileAnswer => {
    const content = file.variants[encoding]!;
    const etag = `"${file.etag}-${encoding}"`;
    const head = ['ETag', etag, 'Cache-Control', cacheControl];
    // The provider's frame of card fields may use our typeface.
    if (file.contentType === 'font/woff2') head.push('Access-Control-Allow-Origin', '*');
    if (vary) head.push('Vary', vary);
    const contentHead = [...head, 'Content-Type', file.contentType, 'Content-Length', String(content.length)];
    if (encoding !== 'identity') contentHead.push('Content-Encoding', encoding);
    return { etag, head, contentHead, content };
  };
  const prepared = new Map(encodings.map((encoding) => [encoding, prepare(encoding)]));
  return (acceptEncoding) =>
    prepared.get(isCompressed ? chooseEncoding(encodings, acceptEncoding) : 'identity')!;
}

export function sendFile(
  { request, response, headers }: Exchange,
  answers: FileAnswers,
  status: 200 | 404 = 200,
): void {
  const { etag, head, contentHead, content } = answers(request.headers['accept-encoding']?.toString());
  // Conditions count for what exists only: RFC 9110, section 13.2.1.
  if (status === 200 && request.headers['if-none-match']?.split(/,\s*/).includes(etag))
    return void response.writeHead(304, headers.concat(head)).end();
  response.writeHead(status, headers.concat(contentHead));
  if (request.method === 'HEAD') response.end();
  else endWith(response, content);
}

/** The best encoding that the caller accepts: Brotli, gzip, or none. */
function chooseEncoding(encodings: readonly Encoding[], acceptEncoding = ''): Encoding {
  const accepted = new Set(
    acceptEncoding
      .toLowerCase()
      .split(',')
      .map((part) => part.trim().split(';'))
      .filter(([, quality]) => !/^\s*q=0(\.0*)?$/.test(quality ?? ''))
      .map(([name]) => name),
  );
  const isReadable = (encoding: Encoding) =>
    encodings.includes(encoding) && (accepted.has(encoding) || accepted.has('*'));
  return isReadable('br') ? 'br' : isReadable('gzip') ? 'gzip' : 'identity';
}
