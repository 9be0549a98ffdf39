import type { Api } from '@arboleda/contracts/api.ts';
import { methodOf, pathOf } from '@arboleda/contracts/endpoint.ts';
import { ENDPOINTS } from '@arboleda/contracts/endpoints/index.ts';
import { Problem, type ProblemBody, PROBLEMS } from '@arboleda/contracts/problems.ts';
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

/**
 * A client with service tokens and a deadline of 3 s. @throws the other's Problem; `unavailable` when it does not
 * answer. Never to be called inside a transaction.
 */
export function openServiceClient(options: {
  from: string;
  secret: string;
  urls: ServiceUrls;
}): ServiceClient {
  return async (key, parts = {}) => {
    const endpoint = ENDPOINTS[key];
    const base = options.urls[endpoint.service];
    if (!base) throw new Error(`no address of ${endpoint.service} is configured`);
    const token = await signServiceToken(options.secret, options.from, endpoint.service);
    const response = await fetch(new URL(fillPath(pathOf(key), parts.params), base), {
      method: methodOf(key),
      headers: {
        Authorization: `Bearer ${token}`,
        'X-Correlation-Id': currentContext().correlationId,
        ...(parts.body !== undefined && { 'Content-Type': 'application/json' }),
      },
      body: parts.body === undefined ? null : JSON.stringify(parts.body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((cause: unknown) => {
      throw new Problem('unavailable', { cause, retryAfterSeconds: 2 });
    });
    if (!response.ok) throw await readProblem(response);
    return (await response.json()) as Api[typeof key]['response'];
  };
}

const fillPath = (path: string, params: unknown): string =>
  path.replace(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(String((params as Record<string, unknown> | undefined)?.[name] ?? '')),
  );

async function readProblem(response: Response): Promise<Problem> {
  const body = (await response.json().catch(() => undefined)) as ProblemBody | undefined;
  if (!body || !(body.type in PROBLEMS))
    return new Problem('unavailable', { detail: `status ${response.status}` });
  return new Problem(body.type, { fields: body.errors ?? [] });
}
