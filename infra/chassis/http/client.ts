import type { Api } from '@arboleda/contracts/api.ts';
import { type Endpoint, methodOf, pathOf } from '@arboleda/contracts/endpoint.ts';
import { ENDPOINTS } from '@arboleda/contracts/endpoints/index.ts';
import { Problem, type ProblemBody } from '@arboleda/contracts/problems.ts';
import type { ServiceUrls } from '../config.ts';
import { currentContext } from '../context.ts';
import { signServiceToken } from './identity.ts';

type Parts<Key extends keyof Api> = Partial<Pick<Api[Key], 'params' | 'query' | 'body'>>;

/** Calls another service by contract. */
export type ServiceClient = <Key extends keyof Api>(
  key: Key,
  parts?: Parts<Key>,
) => Promise<Api[Key]['response']>;

const TIMEOUT_MS = 3_000;
const RETRY_AFTER_SECONDS = 2;

/**
 * A client with service tokens and a deadline of 3 s. Never to be called inside a transaction.
 * @throws the other's Problem when the contract names it; `unavailable` for anything else it says, or its silence.
 */
export function openServiceClient(options: {
  from: string;
  secret: string;
  urls: ServiceUrls;
  timeoutMs?: number;
}): ServiceClient {
  return async (key, parts = {}) => {
    const endpoint: Endpoint = ENDPOINTS[key];
    const base = options.urls[endpoint.service];
    if (!base) throw new Error(`no address of ${endpoint.service} is configured`);
    const token = await signServiceToken(options.secret, options.from, endpoint.service);
    const answer = await exchange(urlOf(base, key, parts), {
      method: methodOf(key),
      headers: {
        Authorization: `Bearer ${token}`,
        'X-Correlation-Id': currentContext().correlationId,
        ...(parts.body !== undefined && { 'Content-Type': 'application/json' }),
      },
      body: parts.body === undefined ? null : JSON.stringify(parts.body),
      signal: AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS),
    });
    if (!answer.ok) throw problemOf(endpoint, answer);
    // The other held it to the same contract before it answered.
    return answer.body as Api[typeof key]['response'];
  };
}

interface Answer {
  ok: boolean;
  status: number;
  /** Parsed JSON; undefined when there was no body. */
  body: unknown;
}

/** @throws Problem `unavailable` when no whole answer came. */
async function exchange(url: URL, init: RequestInit): Promise<Answer> {
  try {
    const response = await fetch(url, init);
    const text = await response.text();
    return { ok: response.ok, status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  } catch (cause) {
    throw new Problem('unavailable', { cause, retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
}

function urlOf(base: string, key: keyof Api, parts: Parts<keyof Api>): URL {
  const params = (parts.params ?? {}) as Record<string, unknown>;
  const path = pathOf(key).replace(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(String(params[name] ?? '')),
  );
  const url = new URL(path, base);
  for (const [name, value] of Object.entries(parts.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

/** A refusal that the contract does not name is a fault between services, not of the person who waits for us. */
function problemOf(endpoint: Endpoint, answer: Answer): Problem {
  const problem = answer.body as Partial<ProblemBody> | undefined;
  const known = endpoint.problems?.find((type) => type === problem?.type);
  if (known) return new Problem(known, { fields: problem?.errors ?? [] });
  const cause = new Error(`${endpoint.service} answered ${answer.status} ${problem?.type ?? ''}`);
  return new Problem('unavailable', { cause, retryAfterSeconds: RETRY_AFTER_SECONDS });
}
