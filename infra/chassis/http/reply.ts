import type { Endpoint } from '@arboleda/contracts/endpoint.ts';
import type { Request, Response } from 'express';
import { pipeline } from 'node:stream/promises';
import { CallerLeft } from './deadline.ts';
import type { BinaryReply } from './handlers.ts';

/** Sends what a handler decided. JSON is held to the contract: what it does not name is left out. */
export async function reply(
  endpoint: Endpoint,
  request: Request,
  response: Response,
  result: unknown,
): Promise<void> {
  if (endpoint.binary) return sendBinary(request, response, result as BinaryReply);
  response.status(endpoint.status ?? 200);
  if (endpoint.response) response.json(endpoint.response.parse(result));
  else response.end();
}

async function sendBinary(request: Request, response: Response, binary: BinaryReply): Promise<void> {
  response.set({
    'Content-Type': binary.contentType,
    ETag: `"${binary.etag}"`,
    'Cache-Control': `public, max-age=${binary.immutableSeconds}, immutable`,
  });
  if (request.fresh) {
    (binary.bytes as NodeJS.ReadableStream & { destroy?: () => void }).destroy?.();
    response.status(304).end();
    return;
  }
  response.set('Content-Length', String(binary.sizeBytes));
  await pipeline(binary.bytes, response).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ERR_STREAM_PREMATURE_CLOSE' ? new CallerLeft() : error;
  });
}
