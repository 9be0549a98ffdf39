import express, { type ErrorRequestHandler, type Request, type Response, type Router } from 'express';
import type { Transaction, Store } from '../storage/store.ts';
import { newId } from '../ids.ts';
import { invalidRequest, StripeProblem } from './errors.ts';
import { expand } from './expand.ts';
import { decodeForm, type FormHash } from './form.ts';
import { checkKey, fingerprint, keyInUse, sameRequest, worthSaving } from './idempotency.ts';
import { keyKind, secretKeyRequired, type KeyKind, type Keys } from './keys.ts';
import { texts } from './params.ts';

/** Input of an endpoint: state, parameters and caller. */
export interface Call {
  tx: Transaction;
  params: FormHash;
  path: Record<string, string>;
  key: KeyKind;
  nowS: number;
  apiUrl: string;
  apiVersion: string;
  requestId: string | null;
  idempotencyKey: string | null;
}

export interface Endpoint {
  method: 'get' | 'post';
  path: string;
  /** `client`: a publishable key is enough (the endpoint checks the client secret, if any). */
  access: 'secret' | 'client';
  answer: (call: Call) => object;
}

export interface ApiOptions {
  store: Store;
  keys: Keys;
  nowMs: () => number;
  apiUrl: () => string;
}

/** Default API version of the official client (stripe 23). */
export const API_VERSION = '2026-10-28.endive';

interface Answered {
  status: number;
  body: object;
  replayed?: boolean;
}

/** Serves endpoints under /v1 with Stripe's keys, forms, idempotency, expansion, headers and errors. */
export function apiRouter(endpoints: Endpoint[], options: ApiOptions): Router {
  const router = express.Router();
  const inProgress = new Set<string>();
  router.use(express.text({ type: () => true, limit: '1mb' }));
  for (const endpoint of endpoints) {
    router[endpoint.method](endpoint.path, (req, res) => serve(endpoint, req, res, options, inProgress));
  }
  router.use((req, res) => {
    const problem = invalidRequest(
      `Unrecognized request URL (${req.method}: ${req.originalUrl.split('?')[0]}).`,
      {
        status: 404,
      },
    );
    send(res, { status: 404, body: { error: problem.body } });
  });
  router.use(unreadable);
  return router;
}

/** A body that is too large or incomplete never reaches an endpoint. */
export const unreadable: ErrorRequestHandler = (error, _req, res, next) => {
  if (res.headersSent) return next(error);
  const status = Number((error as { status?: unknown }).status);
  const isTheirs = status >= 400 && status < 500;
  send(res, errorAnswer(isTheirs ? invalidRequest((error as Error).message, { status }) : error, ''));
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
  if (idempotencyKey) res.set('Idempotency-Key', idempotencyKey);
  let reserved = false;
  try {
    const params = parameters(req);
    const key = keyKind(req.get('authorization'), params.key, options.keys);
    if (key === 'publishable' && endpoint.access === 'secret') throw secretKeyRequired();
    if (idempotencyKey) {
      checkKey(idempotencyKey);
      if (inProgress.has(idempotencyKey)) throw keyInUse(idempotencyKey);
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
    send(res, errorAnswer(error, requestId));
  } finally {
    if (reserved && idempotencyKey) inProgress.delete(idempotencyKey);
  }
}

/** Answers, or repeats the answer for the same idempotency key. */
function once(endpoint: Endpoint, call: Call, print: string): Answered {
  const { tx, idempotencyKey: id, nowS: created } = call;
  const saved = id ? tx.get('idempotency', id) : undefined;
  if (saved) {
    sameRequest(saved, print);
    return { status: saved.status, body: saved.body, replayed: true };
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
    if (error instanceof StripeProblem && error.keepsChanges) return errorAnswer(error, call.requestId ?? '');
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

function errorAnswer(error: unknown, requestId: string): Answered {
  if (error instanceof StripeProblem) {
    const request_log_url = `https://dashboard.stripe.com/test/logs/${requestId}`;
    return { status: error.status, body: { error: { ...error.body, request_log_url } } };
  }
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
