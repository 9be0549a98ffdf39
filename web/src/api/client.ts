import type { Api } from '@arboleda/contracts/api.ts';
import { answerOf, type CallParts, requestOf } from '@arboleda/contracts/client.ts';
import { ApiProblem, problemOf } from './problem.ts';

/** The answer to a call, e.g. `Answer<'GET /api/stats'>`. */
export type Answer<Key extends keyof Api> = Api[Key]['response'];
export type RequestBody<Key extends keyof Api> = Api[Key]['body'];
export type RequestQuery<Key extends keyof Api> = Partial<Api[Key]['query']>;

export interface CallOptions<Key extends keyof Api> {
  params?: Api[Key]['params'];
  query?: Api[Key]['query'];
  body?: Api[Key]['body'];
  headers?: Record<string, string>;
  /** The same key with the same body happens once, however often it is sent. */
  idempotencyKey?: string;
  /** The version decided on: refused as "precondition-failed" when there is a newer one. */
  ifMatch?: string;
  /** Ends the request when the caller lost interest. */
  signal?: AbortSignal;
  /** How long an answer may take; 20 s when not set. Infinity for what ends by `signal` alone, as a stream does. */
  timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 20_000;

/**
 * Calls an endpoint by its key in contracts, `call('GET /api/track/{token}', { params: { token } })`.
 * @throws ApiProblem for every refusal, and with type "network" when no answer came.
 */
export async function call<Key extends keyof Api>(
  key: Key,
  options: CallOptions<Key> = {},
): Promise<Answer<Key>> {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, signal, headers, ...parts } = options;
  const { url, init } = requestOf(key, {
    ...parts,
    headers: { accept: 'application/json', 'accept-language': acceptLanguage(), ...headers },
  } as CallParts<Key>);
  const response = await send(url, { ...init, signal: patience(timeoutMs, signal) });
  if (!response.ok) throw await problemOf(response);
  return (response.status === 204 ? undefined : await answerOf(response)) as Answer<Key>;
}

/** The language chosen here with the region of the browser: refusals come in the first, prices follow the second. */
function acceptLanguage(): string {
  const region = navigator.languages.map((tag) => /-([A-Z]{2})\b/.exec(tag)?.[1]).find(Boolean);
  const language = document.documentElement.lang || 'en';
  return region ? `${language}-${region}` : language;
}

async function send(url: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, request);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiProblem({ type: 'network', status: 0, title: 'No answer' });
  }
}

function patience(timeoutMs: number, signal: AbortSignal | undefined): AbortSignal {
  // A timer of infinity would end at once.
  if (timeoutMs === Infinity) return signal ?? new AbortController().signal;
  const deadline = AbortSignal.timeout(timeoutMs);
  return signal ? AbortSignal.any([signal, deadline]) : deadline;
}
