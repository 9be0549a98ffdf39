import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { anAddress, type Crowd } from './crowd.ts';
import type { Listened } from './protocol.ts';

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
