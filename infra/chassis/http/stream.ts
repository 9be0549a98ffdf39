import type { Endpoint } from '@arboleda/contracts/endpoint.ts';
import type { Response } from 'express';
import { once } from 'node:events';
import type { StreamMessage } from './handlers.ts';

/** Proxies close what is silent for a minute. */
const HEARTBEAT_MS = 15_000;
/** Long enough to be cheap, short enough that nobody listens on after their session ended. */
const MAX_OPEN_MS = 600_000;
/** How soon a listener may ask anew; a browser's own is 3 s. */
const RETRY_MS = 2_000;

/** A signal for as long as somebody listens: to their leaving, the service's stop, or the longest time. */
export function listeningSignal(response: Response, stopping: AbortSignal): AbortSignal {
  const left = new AbortController();
  response.once('close', () => left.abort());
  return AbortSignal.any([left.signal, stopping, AbortSignal.timeout(MAX_OPEN_MS)]);
}

/**
 * Sends messages as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html) until there are
 * no more or `signal` says so. A listener that does not read holds up its own messages only.
 */
export async function sendStream(
  endpoint: Endpoint,
  response: Response,
  messages: AsyncIterable<StreamMessage<unknown>>,
  signal: AbortSignal,
): Promise<void> {
  response.set({
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    // nginx would keep the messages back.
    'X-Accel-Buffering': 'no',
  });
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
