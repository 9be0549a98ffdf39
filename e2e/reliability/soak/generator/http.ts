import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Listened } from '../setup.ts';
import { anAddress, type Crowd } from './crowd.ts';

/** One request as it is sent. */
export interface Ask {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  token?: string | undefined;
  body?: { type: string; bytes: string | Uint8Array } | undefined;
  accept?: string;
}

export interface Reply {
  /** 0: the connection broke, or nothing came in time. */
  status: number;
  hasRetryAfter: boolean;
  bytes: Buffer;
  failure?: string;
}

/** Longer than any deadline of the product. */
const PATIENCE_MS = 30_000;

export const json = (value: unknown): NonNullable<Ask['body']> => ({
  type: 'application/json',
  bytes: JSON.stringify(value),
});

/** A multipart body of one file and one field. */
export function photoForm(jpeg: Uint8Array, details: string): NonNullable<Ask['body']> {
  const boundary = 'one-part-behind-the-other';
  const part = (headers: string) => `--${boundary}\r\nContent-Disposition: form-data; ${headers}\r\n\r\n`;
  const file = 'name="photos"; filename="siembra.jpg"\r\nContent-Type: image/jpeg';
  const bytes = Buffer.concat([
    Buffer.from(`${part('name="details"')}${details}\r\n${part(file)}`),
    jpeg,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return { type: `multipart/form-data; boundary=${boundary}`, bytes };
}

/** Sends over kept-alive connections, as many as it takes; never throws. */
export function openSender(url: string) {
  const agent = new Agent({ keepAlive: true });
  return (ask: Ask, address: string): Promise<Reply> => {
    const { promise, resolve } = Promise.withResolvers<Reply>();
    const fail = (error: NodeJS.ErrnoException) =>
      resolve({
        status: 0,
        hasRetryAfter: false,
        bytes: Buffer.alloc(0),
        failure: error.code ?? error.message,
      });
    const call = request(
      new URL(ask.path, url),
      {
        method: ask.method,
        agent,
        signal: AbortSignal.timeout(PATIENCE_MS),
        headers: {
          'x-forwarded-for': address,
          ...(ask.token && { authorization: `Bearer ${ask.token}` }),
          ...(ask.accept && { accept: ask.accept }),
          ...(ask.body && {
            'content-type': ask.body.type,
            'content-length': Buffer.byteLength(ask.body.bytes),
          }),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', fail);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            hasRetryAfter: response.headers['retry-after'] !== undefined,
            bytes: Buffer.concat(chunks),
          }),
        );
      },
    );
    call.on('error', fail);
    call.end(ask.body?.bytes);
    return promise;
  };
}
export type Send = ReturnType<typeof openSender>;

const OF_EACH = 8;
/** The reconnect delay that streams announce. */
const AGAIN_MS = 2_000;

export interface Listening {
  stop(): Promise<Listened>;
}

/** Pages that stay open: each listens again whenever its stream ends, as long as it goes on. */
export function listen(crowd: Crowd): Listening {
  const over = new AbortController();
  const heard: Listened = { messages: 0, refusals: [] };
  const pages = [
    ...crowd.links.slice(0, OF_EACH).map((link) => ({ path: `/api/track/${link}/events` })),
    ...crowd.customers
      .slice(0, OF_EACH)
      .map(({ token }) => ({ path: '/api/customers/orders/events', token })),
    ...crowd.workers.slice(0, OF_EACH).map((token) => ({ path: '/api/workers/assignments/events', token })),
    { path: '/api/admin/orders/events', token: crowd.admin },
  ];
  const stayed = pages.map(async (page) => {
    while (!over.signal.aborted) {
      await open(crowd, page, over.signal, heard);
      await sleep(AGAIN_MS, undefined, { signal: over.signal }).catch(() => undefined);
    }
  });
  return {
    async stop() {
      over.abort();
      await Promise.all(stayed);
      return heard;
    },
  };
}

/** Resolves when the stream is over. */
function open(
  crowd: Crowd,
  { path, token }: { path: string; token?: string },
  signal: AbortSignal,
  heard: Listened,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const broken = (error: Error) => {
    if (!signal.aborted) heard.refusals.push(`${path.replace(/[\w-]{20,}/, '…')}: ${error.message}`);
    resolve();
  };
  const call = request(
    new URL(path, crowd.url),
    {
      signal,
      headers: { 'x-forwarded-for': anAddress(crowd), ...(token && { authorization: `Bearer ${token}` }) },
    },
    (response) => {
      if (response.statusCode !== 200) broken(new Error(String(response.statusCode)));
      response.on('data', (chunk: Buffer) => {
        if (chunk.includes('data: ')) heard.messages++;
      });
      response.on('error', broken);
      response.on('end', resolve);
    },
  );
  call.on('error', broken);
  call.end();
  return promise;
}
