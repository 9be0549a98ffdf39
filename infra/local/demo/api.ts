import type { Api } from '@arboleda/contracts/api.ts';
import { methodOf, pathOf } from '@arboleda/contracts/endpoint.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import { setTimeout as sleep } from 'node:timers/promises';

type Parts<Key extends keyof Api> = Partial<Pick<Api[Key], 'params' | 'query' | 'body'>> & {
  token?: string;
  idempotencyKey?: string;
  language?: Language;
};

/** Calls the product as a person's browser does. */
export type CallApi = <Key extends keyof Api>(key: Key, parts?: Parts<Key>) => Promise<Api[Key]['response']>;

export class Refused extends Error {
  readonly status: number;
  constructor(key: string, status: number, problem: string) {
    super(`${key} answered ${status}: ${problem}`);
    this.name = 'Refused';
    this.status = status;
  }
}

/** @throws Refused when the answer is no success. */
export function openApi(baseUrl: string, signal: AbortSignal): CallApi {
  return async (key, parts = {}) => {
    const { body, params, query, token, idempotencyKey, language } = parts;
    const url = new URL(fillPath(pathOf(key), params), baseUrl);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, String(value));
    const isForm = body instanceof FormData;
    const response = await fetch(url, {
      method: methodOf(key),
      signal,
      headers: {
        ...(language && { 'Accept-Language': language }),
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
        ...(body && !isForm && { 'Content-Type': 'application/json' }),
      },
      body: isForm ? body : body === undefined ? null : JSON.stringify(body),
    });
    if (!response.ok) throw new Refused(key, response.status, await response.text());
    return (await response.json()) as Api[typeof key]['response'];
  };
}

const fillPath = (path: string, params: unknown): string =>
  path.replace(/\{(\w+)\}/g, (_all, name: string) => String((params as Record<string, string>)[name]));

const ASK_EVERY_MS = 100;

/** Asks until there is an answer. @throws naming `what` when none came within `timeoutMs`. */
export async function until<T>(
  what: string,
  signal: AbortSignal,
  ask: () => Promise<T | undefined>,
  timeoutMs = 60_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > deadline) throw new Error(`${what} did not come within ${timeoutMs / 1000} s`);
    await sleep(ASK_EVERY_MS, undefined, { signal });
  }
}
