import type { Api } from './api.ts';
import type { ProblemBody } from './problems.ts';

/** Optional when the call has no such part, required when it has. */
type Part<Name extends string, T> = [T] extends [undefined]
  ? { [K in Name]?: undefined }
  : object extends T
    ? { [K in Name]?: T }
    : { [K in Name]: T };

/** Arguments of a call: the parts its contract declares, and options that every call accepts. */
export type CallParts<Key extends keyof Api> = Part<'params', Api[Key]['params']> &
  Part<'query', Api[Key]['query']> &
  Part<'body', Api[Key]['body']> & {
    /** Session token. */
    token?: string | undefined;
    /** BCP 47 tag such as "es" or "es-CO". */
    language?: string;
    /** Repeating a key with the same body has no further effect. */
    idempotencyKey?: string;
    /** Version the change is based on; refused with `precondition-failed` when a newer one exists. */
    ifMatch?: string;
    headers?: Record<string, string>;
    signal?: AbortSignal;
  };

type Arguments<Key extends keyof Api> =
  object extends CallParts<Key> ? [parts?: CallParts<Key>] : [parts: CallParts<Key>];

/** `await call('GET /api/track/{token}', { params: { token } })` @throws Refused, or what fetch throws */
export type CallApi = <Key extends keyof Api>(
  key: Key,
  ...parts: Arguments<Key>
) => Promise<Api[Key]['response']>;

export class Refused extends Error {
  readonly status: number;
  /** Absent when a proxy or another server answered. */
  readonly problem: ProblemBody | undefined;

  constructor(key: string, status: number, text: string) {
    super(`${key} answered ${status}: ${text}`);
    this.name = 'Refused';
    this.status = status;
    this.problem = readProblem(text);
  }
}

/**
 * Typed client of the whole API. Files and pictures arrive as a Blob, streams as an async iterable.
 * @param baseUrl origin of the product: "https://arboleda.example.org"
 */
export function openClient(baseUrl: string, options: { signal?: AbortSignal } = {}): CallApi {
  return async (key, ...[parts]) => {
    const { url, init } = requestOf(key, parts as CallParts<typeof key>);
    const signals = [options.signal, parts?.signal].filter((signal) => signal !== undefined);
    const response = await fetch(new URL(url, baseUrl), { ...init, signal: AbortSignal.any(signals) });
    if (!response.ok) throw new Refused(key, response.status, await response.text());
    return (await answerOf(response)) as Api[typeof key]['response'];
  };
}

/** Builds a call's request with a path instead of a full URL, for clients that send it themselves. */
export function requestOf<Key extends keyof Api>(
  key: Key,
  parts: CallParts<Key> = {} as CallParts<Key>,
): { url: string; init: RequestInit & { headers: Record<string, string> } } {
  const [method, path] = key.split(' ') as [string, string];
  const { params, query, body } = parts as { params?: object; query?: object; body?: unknown };
  const isForm = body instanceof FormData;
  return {
    url: fill(path, params) + search(query),
    init: {
      method,
      headers: {
        ...(parts.language && { 'Accept-Language': parts.language }),
        ...(parts.token && { Authorization: `Bearer ${parts.token}` }),
        ...(parts.idempotencyKey && { 'Idempotency-Key': parts.idempotencyKey }),
        ...(parts.ifMatch !== undefined && { 'If-Match': `"${parts.ifMatch}"` }),
        ...(body !== undefined && !isForm && { 'Content-Type': 'application/json' }),
        ...parts.headers,
      },
      body: isForm ? body : body === undefined ? null : JSON.stringify(body),
    },
  };
}

const fill = (path: string, params: object = {}): string =>
  path.replace(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(String((params as Record<string, unknown>)[name])),
  );

function search(query: object = {}): string {
  const sent = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) sent.set(name, String(value));
  return sent.size > 0 ? `?${sent}` : '';
}

/** Reads a response: a JSON document, a file as a Blob, or a stream as an async iterable. */
export async function answerOf(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('text/event-stream')) return messages(response.body!);
  if (/\b(json|vc)\b/.test(type)) return response.json();
  return type === '' ? undefined : response.blob();
}

/**
 * Parses server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html), only the fields the
 * product uses.
 */
async function* messages(
  bytes: ReadableStream<Uint8Array>,
): AsyncGenerator<{ event: string; data: unknown }> {
  // Some browsers lack async iteration of ReadableStream.
  const reader = bytes.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
      rest = blocks.pop()!;
      for (const block of blocks) {
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (data !== undefined)
          yield { event: /^event: (.*)$/m.exec(block)?.[1] ?? 'message', data: JSON.parse(data) };
      }
    }
  } finally {
    await reader.cancel();
  }
}

function readProblem(text: string): ProblemBody | undefined {
  try {
    const read = JSON.parse(text) as ProblemBody;
    return typeof read.type === 'string' ? read : undefined;
  } catch {
    return undefined;
  }
}
