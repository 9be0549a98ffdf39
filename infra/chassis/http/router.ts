import {
  bySpecificity,
  type Endpoint,
  isForServices,
  lacksAudit,
  lacksPermission,
  maxBodyBytesOf,
  methodOf,
  pathOf,
} from '@arboleda/contracts/endpoint.ts';
import { orderId as orderIdField } from '@arboleda/contracts/fields.ts';
import { fieldProblem, Problem } from '@arboleda/contracts/problems.ts';
import { languageOf } from '@arboleda/contracts/roles.ts';
import express, { type Request, type RequestHandler, type Response, Router } from 'express';
import type { ZodObject } from 'zod';
import { randomUUID } from 'node:crypto';
import { type Audited, auditedRead, withAudit } from '../audit/audit.ts';
import { setContextOrder } from '../context.ts';
import { type Admission, overloaded } from './admission.ts';
import { withDeadline } from './deadline.ts';
import type { Call, StreamMessage } from './handlers.ts';
import type { Identity, Person } from './identity.ts';
import { requirePermission } from './permission.ts';
import { reply } from './reply.ts';
import { listeningSignal, sendStream } from './stream.ts';
import { openUploadMemory, readMultipart, type UploadMemory } from './upload.ts';
import { validate } from './validate.ts';

/** Middleware that parses the body. A multipart body is read later, by readMultipart. */
function bodyReader(endpoint: Endpoint): RequestHandler[] {
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

type AnyCall = Call<Endpoint>;
type AnyHandler = (call: AnyCall) => Promise<unknown>;

/** Below the gateway's timeout, so that the service itself reports it. */
const DEADLINE_MS = 8_000;
/** For processing files after they have arrived. */
const UPLOAD_DEADLINE_MS = 50_000;

interface RouterOptions {
  admission?: Admission;
  deadlineMs?: number;
  stopping?: AbortSignal;
  askAgainMs?: number;
  /** Adds a bulk read to the audit log. */
  auditRead?: ((key: string, read: Audited) => Promise<void>) | undefined;
}

/** Express routes of a service: authorise, read, validate, handle, answer. */
export function contractRouter(
  endpoints: Record<string, Endpoint>,
  handlers: Record<string, AnyHandler>,
  identity: Identity,
  options: RouterOptions = {},
): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const memory = openUploadMemory();
  const keys = Object.keys(endpoints).sort((a, b) => bySpecificity(pathOf(a), pathOf(b)));
  for (const key of keys) {
    const endpoint = endpoints[key]!;
    if (lacksPermission(endpoint)) throw new Error(`${key} is for admins, but names no permission`);
    if (lacksAudit(key, endpoint))
      throw new Error(`${key} is for admins, but the audit log has no name for it`);
    const method = methodOf(key).toLowerCase() as 'get' | 'post' | 'put' | 'delete';
    const timeoutMs = options.deadlineMs ?? (endpoint.upload ? UPLOAD_DEADLINE_MS : DEADLINE_MS);
    router[method](
      expressPath(key),
      named(key),
      admit(endpoint, options.admission),
      authorise(endpoint, identity),
      ...bodyReader(endpoint),
      endpoint.stream
        ? stream(endpoint, handlers[key]!, memory, identity, options)
        : answer(
            endpoint,
            audited(key, endpoint, handlers[key]!, options),
            memory,
            timeoutMs,
            options.admission,
          ),
    );
  }
  for (const [path, ofPath] of Map.groupBy(keys, expressPath)) router.all(path, refuseMethod(ofPath));
  return router;
}

const expressPath = (key: string): string => pathOf(key).replace(/\{(\w+)\}/g, ':$1');

/** The route's name for metrics and logs. The path itself may contain a token. */
const named =
  (key: string): RequestHandler =>
  (_request, response, next) => {
    response.locals.route = key;
    next();
  };

const refuseMethod =
  (keys: readonly string[]): RequestHandler =>
  (_request, response) => {
    response.set('Allow', keys.map(methodOf).join(', '));
    throw new Problem('method-not-allowed');
  };

/** Sheds load. Calls between services were admitted with the request that caused them. */
const admit =
  (endpoint: Endpoint, admission: Admission | undefined): RequestHandler =>
  (_request, _response, next) => {
    const isShed = !isForServices(endpoint.access) && !endpoint.neverShed && !endpoint.stream;
    if (isShed && admission?.overload()) throw overloaded(Math.random());
    next();
  };

/** Runs before the body is read, so that unauthorised requests stay cheap. */
const authorise =
  (endpoint: Endpoint, identity: Identity): RequestHandler =>
  async (request, response, next) => {
    response.locals.person = await callerOf(request, endpoint, identity);
    next();
  };

/** @throws Problem when the caller is not allowed */
async function callerOf(
  { headers: { authorization } }: Request,
  endpoint: Endpoint,
  identity: Identity,
): Promise<Person | undefined> {
  const { access } = endpoint;
  if (access === 'public') return undefined;
  if (!isForServices(access)) {
    const person = await identity.person(authorization, access);
    requirePermission(person, endpoint, Date.now() / 1000);
    return person;
  }
  await identity.service(authorization, access.services);
  return undefined;
}

const answer =
  (
    endpoint: Endpoint,
    handler: AnyHandler,
    memory: UploadMemory,
    timeoutMs: number,
    admission: Admission | undefined,
  ): RequestHandler =>
  async (request, response) => {
    const call = await readCall(endpoint, request, response, memory);
    const end = admission?.begin();
    const working = withDeadline(response, timeoutMs, (signal) => handler({ ...call, signal }));
    const result = await working.finally(end);
    noteOrder(result);
    await reply(endpoint, request, response, result);
  };

/** Says to the audit log who does what, and adds bulk reads to it once they succeeded. */
function audited(
  key: string,
  endpoint: Endpoint,
  handler: AnyHandler,
  { auditRead }: RouterOptions,
): AnyHandler {
  const { audit: action, access, binary } = endpoint;
  if (action === undefined || access === 'public' || isForServices(access)) return handler;
  return (call) => {
    const { role, id, name, email, adminRole } = call.person as unknown as Person;
    if (role !== 'admin') return withAudit(undefined, () => handler(call));
    const by = { kind: 'admin', id, name, email, role: adminRole } as const;
    return withAudit({ by, action }, async () => {
      const result = await handler(call);
      if (methodOf(key) === 'GET') {
        if (!auditRead) throw new Error(`${key} has no audit log to write to`);
        const { read, key: readKey } = auditedRead(call.query as Record<string, unknown> | undefined);
        await auditRead(binary === undefined ? readKey : randomUUID(), read);
      }
      return result;
    });
  };
}

const NEVER = new AbortController().signal;

const stream =
  (
    endpoint: Endpoint,
    handler: AnyHandler,
    memory: UploadMemory,
    identity: Identity,
    { stopping = NEVER, askAgainMs }: { stopping?: AbortSignal; askAgainMs?: number },
  ): RequestHandler =>
  async (request, response) => {
    const call = await readCall(endpoint, request, response, memory);
    const mayListen = () => callerOf(request, endpoint, identity);
    const signal = listeningSignal(response, stopping, mayListen, askAgainMs);
    const messages = (await handler({ ...call, signal })) as AsyncIterable<StreamMessage<unknown>>;
    await sendStream(endpoint, request, response, messages, signal);
  };

async function readCall(
  endpoint: Endpoint,
  request: Request,
  response: Response,
  memory: UploadMemory,
): Promise<Omit<AnyCall, 'signal'>> {
  const params = endpoint.params && readParams(endpoint.params, request.params);
  if (namesOrder(endpoint)) setContextOrder((params as { id: string }).id);
  const query = endpoint.query && validate(endpoint.query, request.query);
  const idempotencyKey = endpoint.idempotent
    ? readIdempotencyKey(request.headers['idempotency-key'])
    : undefined;
  const multipart = endpoint.upload
    ? await readMultipart(request, endpoint.upload, memory.hold(response))
    : undefined;
  const body = endpoint.body && validate(endpoint.body, multipart?.fields ?? request.body ?? {});
  for (const part of [query, body]) noteOrder(part);
  return {
    params,
    query,
    body,
    person: response.locals.person,
    files: multipart?.files ?? [],
    rawBody: endpoint.rawBody && Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    language: languageOf(request.headers['accept-language']),
    idempotencyKey,
    ifMatch: takesVersion(endpoint) ? readIfMatch(request.headers['if-match']) : undefined,
    address: String(request.headers['x-forwarded-for'] ?? request.socket.remoteAddress ?? ''),
    headers: request.headers,
  } as Omit<AnyCall, 'signal'>;
}

/** Whether `id` in the path is an order's id. */
const namesOrder = ({ params }: Endpoint): boolean =>
  (params as ZodObject | undefined)?.shape?.id === orderIdField;

/** Adds the order id of a request or answer to the context. */
function noteOrder(part: unknown): void {
  const { orderId } = (part ?? {}) as { orderId?: unknown };
  if (typeof orderId === 'string') setContextOrder(orderId);
}

/** Answers 404 to a path that cannot be one of our ids. */
function readParams(schema: NonNullable<Endpoint['params']>, params: unknown): unknown {
  const result = schema.safeParse(params);
  if (!result.success) throw new Problem('not-found');
  return result.data;
}

function readIdempotencyKey(key: string | string[] | undefined): string | undefined {
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !/^[\w-]{8,128}$/.test(key)) {
    throw fieldProblem('Idempotency-Key', 'invalid');
  }
  return key;
}

const takesVersion = ({ problems }: Endpoint): boolean => problems?.includes('precondition-failed') ?? false;

/**
 * The version that the caller decided on, without quotes; undefined for none and for `*`. A weak one counts, because
 * proxies that compress weaken it. @throws Problem for what names no single version: ignored, it would overwrite others' changes
 */
function readIfMatch(header: string | undefined): string | undefined {
  const text = header?.trim();
  if (text === undefined || text === '*') return undefined;
  const version = /^(?:W\/)?"([^"]*)"$/.exec(text)?.[1];
  if (version === undefined) throw fieldProblem('If-Match', 'invalid');
  return version;
}
