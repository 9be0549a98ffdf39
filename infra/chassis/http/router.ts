import {
  bySpecificity,
  DEFAULT_MAX_BODY_BYTES,
  type Endpoint,
  methodOf,
  pathOf,
} from '@arboleda/contracts/endpoint.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { languageOf } from '@arboleda/contracts/roles.ts';
import express, { type Request, type RequestHandler, type Response, Router } from 'express';
import { pipeline } from 'node:stream/promises';
import type { BinaryReply, Call } from './handlers.ts';
import type { Identity } from './identity.ts';
import { readMultipart } from './upload.ts';
import { validate } from './validate.ts';

type AnyCall = Call<Endpoint>;
type AnyHandler = (call: AnyCall) => Promise<unknown>;

const DEADLINE_MS = 10_000;
const UPLOAD_DEADLINE_MS = 60_000;

/** Express routes for a service's endpoints: authorise, read, validate, decide, answer. */
export function contractRouter(
  endpoints: Record<string, Endpoint>,
  handlers: Record<string, AnyHandler>,
  identity: Identity,
): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const keys = Object.keys(endpoints).sort((a, b) => bySpecificity(pathOf(a), pathOf(b)));
  for (const key of keys) {
    const endpoint = endpoints[key]!;
    const method = methodOf(key).toLowerCase() as 'get' | 'post' | 'put' | 'delete';
    const path = pathOf(key).replace(/\{(\w+)\}/g, ':$1');
    router[method](path, named(key), ...bodyReader(endpoint), answer(endpoint, handlers[key]!, identity));
  }
  for (const path of new Set(keys.map((key) => pathOf(key).replace(/\{(\w+)\}/g, ':$1')))) {
    router.all(path, () => {
      throw new Problem('method-not-allowed');
    });
  }
  return router;
}

/** The route's name, for metrics and logs: never the path itself, which may hold a token. */
const named =
  (key: string): RequestHandler =>
  (_request, response, next) => {
    response.locals.route = key;
    next();
  };

function bodyReader(endpoint: Endpoint): RequestHandler[] {
  const limit = endpoint.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES;
  if (endpoint.rawBody) return [express.raw({ type: () => true, limit })];
  if (!endpoint.body || endpoint.upload) return [];
  const requireJson: RequestHandler = (request, _response, next) => {
    if (!request.is('application/json')) throw new Problem('unsupported-media-type');
    next();
  };
  return [requireJson, express.json({ limit })];
}

const answer =
  (endpoint: Endpoint, handler: AnyHandler, identity: Identity): RequestHandler =>
  async (request, response) => {
    const person = await authorise(endpoint, identity, request);
    const timeoutMs = endpoint.upload ? UPLOAD_DEADLINE_MS : DEADLINE_MS;
    const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), closed(response)]);
    const call = await readCall(endpoint, request, person, signal);
    const result = await Promise.race([handler(call), deadline(signal)]);
    if (endpoint.binary) return sendBinary(request, response, result as BinaryReply);
    response
      .status(endpoint.status ?? 200)
      .json(endpoint.response ? endpoint.response.parse(result) : result);
  };

async function authorise(endpoint: Endpoint, identity: Identity, request: Request) {
  if (endpoint.access === 'public') return undefined;
  if (endpoint.access === 'service') {
    await identity.service(request.headers.authorization);
    return undefined;
  }
  return identity.person(request.headers.authorization, endpoint.access);
}

async function readCall(
  endpoint: Endpoint,
  request: Request,
  person: unknown,
  signal: AbortSignal,
): Promise<AnyCall> {
  const params = endpoint.params && readParams(endpoint.params, request.params);
  const query = endpoint.query && validate(endpoint.query, request.query);
  const multipart = endpoint.upload ? await readMultipart(request, endpoint.upload) : undefined;
  const body = endpoint.body && validate(endpoint.body, multipart?.fields ?? request.body);
  const key = request.headers['idempotency-key'];
  return {
    params,
    query,
    body,
    person,
    files: multipart?.files ?? [],
    rawBody: endpoint.rawBody && Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    language: languageOf(request.headers['accept-language']),
    idempotencyKey: readIdempotencyKey(key),
    address: String(request.headers['x-forwarded-for'] ?? request.socket.remoteAddress ?? ''),
    headers: request.headers,
    signal,
  } as AnyCall;
}

/** A path that cannot be an id of ours leads to nothing. */
function readParams(schema: NonNullable<Endpoint['params']>, params: unknown): unknown {
  const result = schema.safeParse(params);
  if (!result.success) throw new Problem('not-found');
  return result.data;
}

function readIdempotencyKey(key: string | string[] | undefined): string | undefined {
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !/^[\w-]{8,128}$/.test(key)) {
    throw new Problem('validation-failed', { fields: [{ path: 'Idempotency-Key', type: 'invalid' }] });
  }
  return key;
}

function closed(response: Response): AbortSignal {
  const controller = new AbortController();
  response.on('close', () => controller.abort());
  return controller.signal;
}

const deadline = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    const expire = () => reject(new Problem('timeout'));
    if (signal.aborted) expire();
    else signal.addEventListener('abort', expire, { once: true });
  });

async function sendBinary(request: Request, response: Response, reply: BinaryReply): Promise<void> {
  response.set({
    'Content-Type': reply.contentType,
    ETag: `"${reply.etag}"`,
    'Cache-Control': `public, max-age=${reply.immutableSeconds}, immutable`,
  });
  if (request.fresh) {
    (reply.bytes as NodeJS.ReadableStream & { destroy?: () => void }).destroy?.();
    response.status(304).end();
    return;
  }
  response.set('Content-Length', String(reply.sizeBytes));
  await pipeline(reply.bytes, response);
}
