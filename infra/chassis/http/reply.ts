import type { Endpoint } from '@arboleda/contracts/endpoint.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import type { Request, Response } from 'express';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CallerLeft } from './deadline.ts';
import type { BinaryReply } from './handlers.ts';

/** Sends a handler's result. JSON is parsed by the contract, which strips fields that it does not declare. */
export async function reply(
  endpoint: Endpoint,
  request: Request,
  response: Response,
  result: unknown,
): Promise<void> {
  if (endpoint.redirect) {
    return void response
      .status(303)
      .set({ Location: result as string, 'Cache-Control': 'no-store' })
      .end();
  }
  if (endpoint.binary) return sendBinary(request, response, result as BinaryReply);
  response.status(endpoint.status ?? 200).set('Cache-Control', cacheControl(endpoint));
  if (endpoint.cache?.vary) response.vary(endpoint.cache.vary.join(', '));
  if (!endpoint.response) return void response.end();
  const answer = endpoint.response.parse(result);
  if (endpoint.etag) response.set('ETag', `"${endpoint.etag(answer)}"`);
  if (endpoint.mediaType) response.set('Content-Type', endpoint.mediaType);
  response.json(answer);
}

function cacheControl({ cache }: Endpoint): string {
  if (!cache) return 'no-store';
  return `${cache.by === 'anybody' ? 'public' : 'private'}, max-age=${cache.seconds}`;
}

const binaryCacheControl = ({ publicSeconds }: BinaryReply): string =>
  publicSeconds === undefined ? 'private, no-store' : `public, max-age=${publicSeconds}`;

type Part = { start: number; end: number };

async function sendBinary(request: Request, response: Response, binary: BinaryReply): Promise<void> {
  const { bytes, sizeBytes, etag, vary, saveAs } = binary;
  response.set({
    'Content-Type': binary.contentType,
    'Cache-Control': binaryCacheControl(binary),
    ...(etag && { ETag: `"${etag}"` }),
  });
  if (vary) response.vary(vary);
  if (saveAs) response.attachment(saveAs).type(binary.contentType);
  if (typeof bytes === 'function' && sizeBytes !== undefined) response.set('Accept-Ranges', 'bytes');
  if (request.fresh) {
    discard(bytes);
    return void response.status(304).end();
  }
  const part = partOf(request, response, binary);
  if (sizeBytes !== undefined) {
    response.set('Content-Length', String(part ? part.end - part.start + 1 : sizeBytes));
  }
  if (request.method === 'HEAD') {
    discard(bytes);
    return void response.end();
  }
  const stream = typeof bytes === 'function' ? await bytes(part) : bytes;
  await pipeline(stream, response).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ERR_STREAM_PREMATURE_CLOSE' ? new CallerLeft() : error;
  });
}

/**
 * The requested range. Several ranges, and ranges of another version (If-Range), get the whole content, as RFC 9110
 * section 14.2 allows. @throws Problem `range-not-satisfiable`
 */
function partOf(
  request: Request,
  response: Response,
  { bytes, sizeBytes, etag }: BinaryReply,
): Part | undefined {
  if (typeof bytes !== 'function' || sizeBytes === undefined || request.method !== 'GET') return undefined;
  const ifRange = request.headers['if-range'];
  if (ifRange !== undefined && ifRange !== `"${etag}"`) return undefined;
  const ranges = request.range(sizeBytes);
  if (ranges === -1) {
    response.set('Content-Range', `bytes */${sizeBytes}`);
    throw new Problem('range-not-satisfiable');
  }
  const first =
    Array.isArray(ranges) && ranges.type === 'bytes' && ranges.length === 1 ? ranges[0] : undefined;
  if (!first) return undefined;
  response.status(206).set('Content-Range', `bytes ${first.start}-${first.end}/${sizeBytes}`);
  return { start: first.start, end: first.end };
}

const discard = (bytes: BinaryReply['bytes']): void => {
  if (typeof bytes !== 'function') (bytes as Readable).destroy?.();
};
