import type { Logger } from '@arboleda/chassis/log.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { upstreamHeaders } from '../caller/headers.ts';
import type { GatewayConfig } from '../config.ts';
import { endWith, type Exchange } from '../exchange.ts';
import type { Shedder } from '../limits/shedder.ts';
import { hasBody, isShort, readBody } from './message.ts';
import { Call, type CallContext } from './call.ts';
import { ConnectFirstAgent, openMiddleware } from './middleware.ts';
import { type CachedAnswer, openPhotoCache } from './photo-cache.ts';
import { openPool, type Transport } from './pool.ts';
import type { Route } from './routes.ts';
import type { Upstreams } from './upstreams.ts';

export interface ServiceProxy {
  /** Forwards a checked call to a replica of its service, and the answer to the caller. */
  forward(exchange: Exchange, route: Route): void;
  /** Ends all streams, so that their listeners connect to another gateway. */
  endStreams(): void;
  close(): void;
}

/** Transport of a call: short JSON by undici's pool, all else by http-proxy-middleware. */
type Way = 'json' | 'bytes' | 'photo' | 'stream';

function wayOf(route: Route, request: IncomingMessage): Way {
  if (route.isStream) return 'stream';
  if (route.isPhoto) return 'photo';
  return route.isJson && isShort(request) ? 'json' : 'bytes';
}

const MAX_SOCKETS = 256;
/**
 * Services keep idle connections for 65 s. Ending them earlier here avoids that one closes as a call takes
 * it.
 */
const IDLE_SOCKET_MS = 30_000;

/** @param now monotonic clock in milliseconds, for the photo cache */
export function openProxy(
  config: Pick<GatewayConfig, 'countryHeader' | 'limits'>,
  upstreams: Upstreams,
  shedder: Shedder,
  logger: Logger,
  now?: () => number,
): ServiceProxy {
  const { upstreamTimeoutMs, uploadTimeoutMs } = config.limits;
  const photos = openPhotoCache(now);
  const streams = new Map<ServerResponse, IncomingMessage>();
  const openAgent = () =>
    new ConnectFirstAgent({
      keepAlive: true,
      maxSockets: MAX_SOCKETS,
      // Equals the limit of calls waiting for one service, as a new connection costs a round trip.
      maxFreeSockets: MAX_SOCKETS / 2,
      timeout: IDLE_SOCKET_MS,
    });
  // Photos and streams have their own sockets, so that slow readers do not block calls.
  const transports: Record<Way, Transport> = {
    json: openPool({ connections: MAX_SOCKETS, idleMs: IDLE_SOCKET_MS, stalledAfterMs: uploadTimeoutMs }),
    bytes: openMiddleware(openAgent(), uploadTimeoutMs),
    photo: openMiddleware(openAgent(), uploadTimeoutMs, (call, answer) => {
      const key = photos.keyOf(call.exchange.request);
      if (key !== undefined) photos.keep(key, answer, call.askedAt);
    }),
    stream: openMiddleware(new ConnectFirstAgent({ keepAlive: false }), uploadTimeoutMs, noteStream),
  };
  const contextOf = (way: Way): CallContext => ({
    upstreams,
    shedder,
    logger,
    send: transports[way].send,
    now: photos.now,
  });
  const contexts = {
    json: contextOf('json'),
    bytes: contextOf('bytes'),
    photo: contextOf('photo'),
    stream: contextOf('stream'),
  };

  function noteStream({ exchange: { response } }: Call, answer: IncomingMessage): void {
    if (answer.statusCode !== 200) return;
    streams.set(response, answer);
    response.once('close', () => streams.delete(response));
  }

  return {
    forward(exchange, route) {
      const { request } = exchange;
      const way = wayOf(route, request);
      const key = way === 'photo' ? photos.keyOf(request) : undefined;
      const cached = key === undefined ? undefined : photos.answer(key, request.headers);
      if (cached) return sendCached(exchange, cached, uploadTimeoutMs);
      const headers = upstreamHeaders(request.headers, {
        correlationId: exchange.correlationId,
        traceparent: exchange.span?.traceparent,
        address: exchange.address,
        countryHeader: exchange.peerIsTrusted ? config.countryHeader : undefined,
      });
      const timeoutMs = route.isUpload ? uploadTimeoutMs : upstreamTimeoutMs;
      const call = new Call(contexts[way], exchange, route, headers, timeoutMs);
      if (way === 'json') {
        return readBody(request, (body) => {
          call.body = body;
          call.count();
          call.start();
        });
      }
      // Counted after its body, so that slow senders do not take slots from others.
      if (hasBody(request)) request.once('end', () => call.count());
      else call.count();
      call.start();
    },
    endStreams() {
      for (const [response, answer] of streams) {
        answer.unpipe(response).destroy();
        response.end();
      }
    },
    close() {
      for (const transport of Object.values(transports)) transport.close();
    },
  };
}

/** @param stalledAfterMs timeout for a reader without progress */
function sendCached(
  { response, headers, endings }: Exchange,
  { status, head, bytes }: CachedAnswer,
  stalledAfterMs: number,
): void {
  endWith(response.writeHead(status, headers.concat(head)), bytes);
  if (bytes.length === 0) return;
  const stalled = setTimeout(() => response.destroy(), stalledAfterMs);
  endings.push(() => clearTimeout(stalled));
}
