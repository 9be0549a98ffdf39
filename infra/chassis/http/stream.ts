import type { Endpoint } from '@arboleda/contracts/endpoint.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import type { Request, Response } from 'express';
import { once } from 'node:events';
import type { StreamMessage } from './handlers.ts';

/** Proxies close what is silent for a minute. */
const HEARTBEAT_MS = 15_000;
/** Long enough to be cheap; who listens longer asks anew. */
const MAX_OPEN_MS = 600_000;
/** How often a listener is asked whether they still may: as often as it is heard whose sessions were ended. */
const ASK_AGAIN_MS = 5_000;
/** How soon a listener may ask anew; a browser's own is 3 s. */
const RETRY_MS = 2_000;

/**
 * A signal for as long as somebody listens: to their leaving, the service's stop, the longest time, or the end of what
 * let them in.
 * @param mayListen rejects with a Problem once their session was ended or has expired
 */
export function listeningSignal(
  response: Response,
  stopping: AbortSignal,
  mayListen: () => Promise<unknown>,
  askAgainMs = ASK_AGAIN_MS,
): AbortSignal {
  const over = new AbortController();
  response.once('close', () => over.abort());
  const refuse = (refusal: unknown) => {
    // That it cannot be known just now is no refusal.
    if (refusal instanceof Problem && refusal.status < 500) over.abort();
  };
  const asking = setInterval(() => void mayListen().catch(refuse), askAgainMs);
  const signal = AbortSignal.any([over.signal, stopping, AbortSignal.timeout(MAX_OPEN_MS)]);
  const stopAsking = () => clearInterval(asking);
  signal.addEventListener('abort', stopAsking, { once: true });
  if (signal.aborted) stopAsking();
  return signal;
}

/**
 * Sends messages as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html) until there are
 * no more or `signal` says so. A listener that does not read holds up its own messages only.
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
    // nginx would keep the messages back.
    'X-Accel-Buffering': 'no',
  });
  // Who asks for the head alone does not listen.
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
