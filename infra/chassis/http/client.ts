import type { Api } from '@arboleda/contracts/api.ts';
import { type Endpoint, methodOf, pathOf } from '@arboleda/contracts/endpoint.ts';
import { ENDPOINTS } from '@arboleda/contracts/endpoints/index.ts';
import { Problem, type ProblemBody } from '@arboleda/contracts/problems.ts';
import type { ServiceName } from '@arboleda/contracts/services.ts';
import type { ServiceUrls } from '../config.ts';
import { currentContext } from '../context.ts';
import type { Logger } from '../log.ts';
import { traced, traceHeaders } from '../telemetry/trace.ts';
import { openReplicas, type Replica, type Replicas } from './replicas.ts';
import type { FollowOptions } from './replicas.ts';
import { type ServiceKeys, signServiceToken } from './service-token.ts';

type Parts<Key extends keyof Api> = Partial<Pick<Api[Key], 'params' | 'query' | 'body'>>;

/** Calls another service by its contract. */
export type ServiceClient = <Key extends keyof Api>(
  key: Key,
  parts?: Parts<Key>,
) => Promise<Api[Key]['response']>;

export interface ServiceClients {
  call: ServiceClient;
  /** Stops following replicas. */
  close(): void;
}

const TIMEOUT_MS = 3_000;
const RETRY_AFTER_SECONDS = 2;

/**
 * Signs requests with service tokens, times out after 3 s, and balances over replicas. Must not be called inside a
 * transaction.
 * @throws the other service's Problem when the contract declares it; `unavailable` for any other failure
 */
export function openServiceClient(options: {
  from: ServiceName;
  keys: ServiceKeys;
  urls: ServiceUrls;
  logger: Logger;
  timeoutMs?: number;
  follow?: Partial<FollowOptions>;
}): ServiceClients {
  const opened = new Map<ServiceName, Replicas>();
  const replicasOf = (service: ServiceName) => {
    const url = options.urls[service];
    if (!url) throw new Error(`no address of ${service} is configured`);
    const replicas = opened.get(service) ?? openReplicas(url, options.logger, options.follow);
    opened.set(service, replicas);
    return replicas;
  };
  return {
    async call(key, parts = {}) {
      const endpoint: Endpoint = ENDPOINTS[key];
      const replicas = replicasOf(endpoint.service);
      const token = await signServiceToken(options.keys.own, options.from, endpoint.service);
      const init = () => ({
        method: methodOf(key),
        headers: {
          ...traceHeaders(),
          Authorization: `Bearer ${token}`,
          'X-Correlation-Id': currentContext().correlationId,
          ...(parts.body !== undefined && { 'Content-Type': 'application/json' }),
        },
        body: parts.body === undefined ? null : JSON.stringify(parts.body),
        signal: AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS),
      });
      const answer = await traced({ name: key, kind: 'client', service: options.from }, () =>
        exchange(replicas, (base) => urlOf(base, key, parts), init()),
      );
      if (!answer.ok) throw problemOf(endpoint, answer);
      // The other service validated its answer against the same contract.
      return answer.body as Api[typeof key]['response'];
    },
    close: () => opened.forEach((replicas) => replicas.close()),
  };
}

interface Answer {
  ok: boolean;
  status: number;
  /** Parsed JSON, or a Blob; undefined when empty. */
  body: unknown;
}

/** Asks one replica, and a second one when that is safe. @throws Problem `unavailable` */
async function exchange(replicas: Replicas, at: (base: string) => URL, init: RequestInit): Promise<Answer> {
  const first = replicas.pick();
  try {
    return await ask(at(first.url), init).catch((failure: unknown) => {
      const second = secondTry(replicas, first, init, failure);
      if (!second) throw failure;
      return ask(at(second.url), init);
    });
  } catch (cause) {
    throw new Problem('unavailable', { cause, retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
}

async function ask(url: URL, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, init);
  const { ok, status, headers } = response;
  if (ok && !/json|^$/.test(headers.get('content-type') ?? ''))
    return { ok, status, body: await response.blob() };
  const text = await response.text();
  return { ok, status, body: text === '' ? undefined : JSON.parse(text) };
}

/** Repeats a read whose connection failed once, because a replica of auth may just be stopping. */
export const fetchTwice = (url: string | URL, init: RequestInit): Promise<Response> =>
  fetch(url, init).catch((failure: unknown) => {
    if (init.signal?.aborted) throw failure;
    return fetch(url, init);
  });

/** No connection was made, so the request cannot have arrived. */
const UNREACHED = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);
/** The connection broke before the answer; only reads may be repeated. */
const CUT = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** The replica for a second attempt. Undefined when the request may have changed something. */
function secondTry(
  replicas: Replicas,
  first: Replica,
  init: RequestInit,
  failure: unknown,
): Replica | undefined {
  const code = ((failure as Error).cause as NodeJS.ErrnoException | undefined)?.code ?? '';
  if (UNREACHED.has(code)) {
    replicas.unreached(first);
    const other = replicas.pick([first]);
    return other === first ? undefined : other;
  }
  return CUT.has(code) && init.method === 'GET' ? replicas.pick([first]) : undefined;
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

/** A problem that the contract does not declare is a fault between services, not the user's. */
function problemOf(endpoint: Endpoint, answer: Answer): Problem {
  const problem = answer.body as Partial<ProblemBody> | undefined;
  const known = endpoint.problems?.find((type) => type === problem?.type);
  if (known) return new Problem(known, { fields: problem?.errors ?? [] });
  const cause = new Error(`${endpoint.service} answered ${answer.status} ${problem?.type ?? ''}`);
  return new Problem('unavailable', { cause, retryAfterSeconds: RETRY_AFTER_SECONDS });
}
