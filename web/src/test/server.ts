import type { Api } from '@arboleda/contracts/api.ts';

interface Request {
  key: string;
  url: string;
  body: unknown;
  headers: Record<string, string>;
}

type Reply = { status?: number; body?: unknown; headers?: Record<string, string> } | 'lost' | 'never';
type Handler = (request: Request) => Reply;

/** Answers the app's requests: one handler per endpoint key, parameters in braces. Returns the requests in order. */
export function fakeApi(handlers: Partial<Record<keyof Api, Handler>>): Request[] {
  const requests: Request[] = [];
  globalThis.fetch = ((url: string, init: RequestInit = {}) => {
    const path = url.split('?')[0]!;
    const key = Object.keys(handlers).find((one) => matches(one, init.method ?? 'GET', path));
    const request: Request = {
      key: key ?? `${init.method} ${path}`,
      url,
      body: typeof init.body === 'string' ? JSON.parse(init.body) : init.body,
      headers: init.headers as Record<string, string>,
    };
    requests.push(request);
    const reply = key ? handlers[key as keyof Api]!(request) : { status: 404 };
    if (reply === 'lost') return Promise.reject(new TypeError('Failed to fetch'));
    if (reply === 'never') return untilAborted(init.signal);
    const status = reply.status ?? 200;
    return Promise.resolve({
      ok: status < 400,
      status,
      statusText: String(status),
      headers: new Headers({
        'content-type': reply.body instanceof Blob ? reply.body.type : 'application/json',
        ...reply.headers,
      }),
      json: () => Promise.resolve(reply.body),
      blob: () => Promise.resolve(reply.body),
    } as Response);
  }) as typeof fetch;
  return requests;
}

/** The last request of an endpoint. A live stream may connect again after it. */
export const lastOf = (requests: readonly Request[], key: keyof Api): Request | undefined =>
  requests.findLast((request) => request.key === key);

/** A server that accepts the request and never answers. */
const untilAborted = (signal: AbortSignal | null | undefined): Promise<never> =>
  new Promise((_resolve, reject) => {
    const end = () => reject(signal!.reason as Error);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, { once: true });
  });

function matches(key: string, method: string, path: string): boolean {
  const [wanted, pattern] = key.split(' ') as [string, string];
  return wanted === method && new RegExp(`^${pattern.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
}
