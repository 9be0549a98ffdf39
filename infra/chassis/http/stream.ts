import type { Endpoint } from '@arboleda/contracts/endpoint.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import type { Request, Response } from 'express';
import { once } from 'node:events';
import type { StreamMessage } from './handlers.ts';
import { statusOf } from './problem.ts';

/** Proxies close connections that are silent for a minute. */
const HEARTBEAT_MS = 15_000;
/** Listeners reconnect after this time. */
const MAX_OPEN_MS = 600_000;
/** Interval for checking that the listener is still authorised; ended sessions are polled as often. */
const RECHECK_MS = 5_000;
/** How soon a client may reconnect; browsers wait 3 s by default. */
const RETRY_MS = 2_000;

/**
 * Aborts when the listener leaves, the service stops, the maximum time has passed, or authorisation ends.
 * @param mayListen rejects with a Problem once the session has ended or expired
 */
export function listeningSignal(
  response: Response,
  stopping: AbortSignal,
  mayListen: () => Promise<unknown>,
  askAgainMs = RECHECK_MS,
): AbortSignal {
  const over = new AbortController();
  response.once('close', () => over.abort());
  const refuse = (refusal: unknown) => {
    // A 5xx only means that the check failed.
    if (refusal instanceof Problem && statusOf(refusal) < 500) over.abort();
  };
  const asking = setInterval(() => void mayListen().catch(refuse), askAgainMs);
  const signal = AbortSignal.any([over.signal, stopping, AbortSignal.timeout(MAX_OPEN_MS)]);
  const stopAsking = () => clearInterval(asking);
  signal.addEventListener('abort', stopAsking, { once: true });
  if (signal.aborted) stopAsking();
  return signal;
}

/**
 * Sends messages as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html) until they
 * end or `signal` aborts. A slow listener delays only its own messages.
 */
export async function sendStream(
  endpoint: Endpoint,
  request: Request,
  response: Response,
  messages: AsyncIterable<StreamMessage<unknown>>,
  signal: AbortSignal,
): Promise<void> {
  response.set({
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    // Otherwise nginx buffers the messages.
    'X-Accel-Buffering': 'no',
  });
  if (request.method === 'HEAD') return void response.end();
  response.flushHeaders();
  response.write(`retry: ${RETRY_MS}\n\n`);
  const heartbeat = setInterval(() => response.write(':\n\n'), HEARTBEAT_MS);
  const iterator = messages[Symbol.asyncIterator]();
  const end = once(signal, 'abort').then(() => ({ done: true as const, value: undefined }));
  try {
    while (!signal.aborted) {
      const next = await Promise.race([iterator.next(), end]);
      if (next.done) break;
      const { event, data } = next.value;
      const json = JSON.stringify(endpoint.stream!.parse(data));
      const flowing = response.write(`${event ? `event: ${event}\n` : ''}data: ${json}\n\n`);
      if (!flowing) await Promise.race([once(response, 'drain'), end]);
    }
  } finally {
    clearInterval(heartbeat);
    // Not awaited: a generator that waits for its next message ends with it.
    void iterator.return?.()?.catch(() => undefined);
    response.end();
  }
}
