import type { Api } from './api.ts';
import type { ProblemBody } from './problems.ts';

/** A part of a call that must be there when the call has it. */
type Part<Name extends string, T> = [T] extends [undefined]
  ? { [K in Name]?: undefined }
  : object extends T
    ? { [K in Name]?: T }
    : { [K in Name]: T };

/** What a call takes: the parts its contract names, and what may come with any. */
export type CallParts<Key extends keyof Api> = Part<'params', Api[Key]['params']> &
  Part<'query', Api[Key]['query']> &
  Part<'body', Api[Key]['body']> & {
    /** Of a log-in. */
    token?: string | undefined;
    /** As a browser says it: "es", "es-CO". */
    language?: string;
    /** The same key with the same body happens once. */
    idempotencyKey?: string;
    /** The version decided on: refused with `precondition-failed` when there is a newer one. */
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

/** The product said no. */
export class Refused extends Error {
  readonly status: number;
  /** Absent when something else than the product answered. */
  readonly problem: ProblemBody | undefined;

  constructor(key: string, status: number, text: string) {
    super(`${key} answered ${status}: ${text}`);
    this.name = 'Refused';
    this.status = status;
    this.problem = readProblem(text);
  }
}

/**
 * A typed client of the whole API. Files and pictures come as a Blob, streams as messages while somebody asks for the
 * next one.
 * @param baseUrl where the product is: "https://arboleda.example.org"
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

/** The request of a call, its address without a host: for clients that send it themselves. */
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

/** What an answer carries: a document, a file as a Blob, or messages while somebody asks for the next one. */
export async function answerOf(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('text/event-stream')) return messages(response.body!);
  if (/\bjson\b/.test(type)) return response.json();
  return type === '' ? undefined : response.blob();
}

/** https://html.spec.whatwg.org/multipage/server-sent-events.html, as far as the product uses it. */
async function* messages(
  bytes: ReadableStream<Uint8Array>,
): AsyncGenerator<{ event: string; data: unknown }> {
  // Not every browser can go through a stream by "for await".
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
