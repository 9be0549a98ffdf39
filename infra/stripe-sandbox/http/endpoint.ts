import express, {
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express';
import { createHash } from 'node:crypto';
import { API_VERSION, type Cause, newId } from '../events.ts';
import type { Store } from '../storage/store.ts';
import {
  invalidRequest,
  keyKind,
  type KeyKind,
  type Keys,
  secretKeyRequired,
  StripeProblem,
} from './errors.ts';
import { expand } from './expand.ts';
import { decodeForm, type FormHash, texts } from './params.ts';

/** Input of an endpoint: state, parameters and caller. */
export interface Call extends Cause {
  params: FormHash;
  path: Record<string, string>;
  key: KeyKind;
  apiUrl: string;
}

export interface Endpoint {
  method: 'get' | 'post';
  path: string;
  /** `client`: a publishable key is enough (the endpoint checks the client secret, if any). */
  access: 'secret' | 'client';
  answer: (call: Call) => object;
}

interface ApiOptions {
  store: Store;
  keys: Keys;
  nowMs: () => number;
  apiUrl: () => string;
}

interface Answered {
  status: number;
  body: object;
  replayed?: boolean;
}

/** Serves endpoints under /v1 with Stripe's keys, forms, idempotency, expansion, headers and errors. */
export function apiRouter(endpoints: Endpoint[], options: ApiOptions): Router {
  const router = express.Router();
  const inProgress = new Set<string>();
  router.use(anyOrigin, express.text({ type: () => true, limit: '1mb' }));
  for (const endpoint of endpoints) {
    router[endpoint.method](endpoint.path, (req, res) => serve(endpoint, req, res, options, inProgress));
  }
  router.use((req, res) => {
    const problem = invalidRequest(
      `Unrecognized request URL (${req.method}: ${req.originalUrl.split('?')[0]}).`,
      { status: 404 },
    );
    send(res, { status: 404, body: { error: problem.body } });
  });
  router.use(unreadable);
  return router;
}

/** Stripe's API can be called from any shop's pages. */
const anyOrigin: RequestHandler = (req, res, next) => {
  res.set('Access-Control-Allow-Origin', '*');
  if (req.method !== 'OPTIONS') return next();
  res.set({
    'Access-Control-Allow-Methods': 'GET, POST',
    'Access-Control-Allow-Headers': 'Authorization, Content-Type, Idempotency-Key, Stripe-Version',
    'Access-Control-Max-Age': '300',
  });
  res.status(204).end();
};

/** A body that is too large or incomplete never reaches an endpoint. */
export const unreadable: ErrorRequestHandler = (error, _req, res, next) => {
  if (res.headersSent) return next(error);
  const status = Number((error as { status?: unknown }).status);
  const isTheirs = status >= 400 && status < 500;
  send(res, errorAnswer(isTheirs ? invalidRequest((error as Error).message, { status }) : error));
};

async function serve(
  endpoint: Endpoint,
  req: Request,
  res: Response,
  options: ApiOptions,
  inProgress: Set<string>,
): Promise<void> {
  const requestId = newId('req_', 14);
  const apiVersion = req.get('stripe-version') ?? API_VERSION;
  const idempotencyKey = (req.method === 'POST' && req.get('idempotency-key')) || null;
  res.set({ 'Request-Id': requestId, 'Stripe-Version': apiVersion });
  let reserved = false;
  try {
    const params = parameters(req);
    const key = keyKind(req.get('authorization'), params.key, options.keys);
    if (key === 'publishable' && endpoint.access === 'secret') throw secretKeyRequired();
    if (idempotencyKey) {
      checkKey(idempotencyKey, inProgress);
      inProgress.add(idempotencyKey);
      reserved = true;
    }
    const context = {
      params,
      path: req.params as Record<string, string>,
      key,
      nowS: Math.floor(options.nowMs() / 1000),
      apiUrl: options.apiUrl(),
      apiVersion,
      requestId,
      idempotencyKey,
    };
    const print = fingerprint(req.method, req.path, params);
    send(res, await options.store.transact((tx) => once(endpoint, { tx, ...context }, print)));
  } catch (error) {
    send(res, errorAnswer(error));
  } finally {
    if (reserved && idempotencyKey) inProgress.delete(idempotencyKey);
  }
}

/** Equal for requests with the same method, path and parameters. */
function fingerprint(method: string, path: string, params: FormHash): string {
  const sorted = Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(`${method} ${path} ${JSON.stringify(sorted)}`)
    .digest('base64');
}

function checkKey(key: string, inProgress: Set<string>): void {
  if (key.length > 255) {
    throw invalidRequest(`Idempotency key is too long: ${key.length} characters, at most 255.`, {
      code: 'idempotency_key_too_long',
    });
  }
  if (!inProgress.has(key)) return;
  throw invalidRequest(
    `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
    { code: 'idempotency_key_in_use', status: 409 },
  );
}

/** Stripe stores answers of executed requests, not of those with invalid parameters. */
const worthSaving = (status: number): boolean => status < 400 || status === 402;

/** Answers, or repeats the answer for the same idempotency key. */
function once(endpoint: Endpoint, call: Call, print: string): Answered {
  const { tx, idempotencyKey: id, nowS: created } = call;
  const saved = id ? tx.get('idempotency', id) : undefined;
  if (saved?.fingerprint === print) return { status: saved.status, body: saved.body, replayed: true };
  if (saved) {
    throw new StripeProblem(400, {
      type: 'idempotency_error',
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${saved.id}' if you meant to execute a different request.`,
    });
  }
  const answered = answerOf(endpoint, call);
  if (id && worthSaving(answered.status))
    tx.put('idempotency', { id, fingerprint: print, ...answered, created });
  return answered;
}

function answerOf(endpoint: Endpoint, call: Call): Answered {
  try {
    const paths = texts(call.params.expand, 'expand') ?? [];
    return { status: 200, body: expand(endpoint.answer(call), paths, call.tx) as object };
  } catch (error) {
    if (error instanceof StripeProblem && error.keepsChanges) return errorAnswer(error);
    throw error;
  }
}

function parameters(req: Request): FormHash {
  try {
    const query = req.originalUrl.split('?')[1] ?? '';
    const body = typeof req.body === 'string' ? req.body : '';
    return decodeForm([query, body].filter(Boolean).join('&'));
  } catch (error) {
    throw invalidRequest((error as Error).message);
  }
}

function errorAnswer(error: unknown): Answered {
  if (error instanceof StripeProblem) return { status: error.status, body: { error: error.body } };
  console.error('stripe-sandbox:', error);
  return { status: 500, body: { error: { type: 'api_error', message: 'An unknown error occurred.' } } };
}

function send(res: Response, { status, body, replayed }: Answered): void {
  if (replayed) res.set('Idempotent-Replayed', 'true');
  res
    .status(status)
    .type('application/json')
    .send(JSON.stringify(body, null, 2));
}
