import { type Endpoint, maxBodyBytesOf } from '@arboleda/contracts/endpoint.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import express, { type RequestHandler } from 'express';

/** What reads an endpoint's body into `request.body`; a multipart body is read later, by readMultipart. */
export function bodyReader(endpoint: Endpoint): RequestHandler[] {
  const limit = maxBodyBytesOf(endpoint);
  if (endpoint.rawBody) return [express.raw({ type: () => true, limit })];
  if (!endpoint.body || endpoint.upload) return [];
  return [requireJson, express.json({ limit })];
}

/** A request without any body passes: validation names what is missing. */
const requireJson: RequestHandler = (request, _response, next) => {
  const isEmpty = request.headers['content-length'] === '0';
  if (!isEmpty && request.is('application/json') === false) throw new Problem('unsupported-media-type');
  next();
};
