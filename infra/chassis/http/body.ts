import { type Endpoint, maxBodyBytesOf } from '@arboleda/contracts/endpoint.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import express, { type RequestHandler } from 'express';

/** Middleware that parses the body. A multipart body is read later, by readMultipart. */
export function bodyReader(endpoint: Endpoint): RequestHandler[] {
  const limit = maxBodyBytesOf(endpoint);
  if (endpoint.rawBody) return [express.raw({ type: () => true, limit })];
  if (!endpoint.body || endpoint.upload) return [];
  return [requireJson, express.json({ limit })];
}

/** An empty body passes: validation names the missing fields. */
const requireJson: RequestHandler = (request, _response, next) => {
  const isEmpty = request.headers['content-length'] === '0';
  if (!isEmpty && request.is('application/json') === false) throw new Problem('unsupported-media-type');
  next();
};
