import type { Replica } from '@arboleda/chassis/http/replicas.ts';
import type { Logger } from '@arboleda/chassis/log.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { createProxyMiddleware, proxyEventsPlugin } from 'http-proxy-middleware';
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { sendProblem } from '../answer.ts';
import { INNER_HEADERS, upstreamHeaders } from '../caller/headers.ts';
import type { GatewayConfig } from '../config.ts';
import { type Exchange, hasBody } from '../exchange.ts';
import { SECURITY_HEADER_NAMES } from '../headers.ts';
import { countBody } from './body.ts';
import { ConnectFirstAgent } from './connect-first.ts';
import { mayRetry } from './retry.ts';
import type { Route } from './routes.ts';
import type { Outcome, Upstreams } from './upstreams.ts';

export interface ServiceProxy {
  /** Hands a checked call to a replica of its service and the answer, which `onAnswer` hears of first, to the caller. */
  forward(exchange: Exchange, route: Route, onAnswer?: () => void): void;
  /** Has all who listen to a stream ask another gateway. */
  endStreams(): void;
  close(): void;
}

type Config = Pick<GatewayConfig, 'countryHeader' | 'limits'>;

/** A call on its way to a service. */
interface Passage {
  exchange: Exchange;
  route: Route;
  deadline: NodeJS.Timeout;
  onAnswer: (() => void) | undefined;
  /** Whose turn it is, and who had one before. */
  replica: Replica;
  tried: Replica[];
  /** Set once there is a connection. */
  upstream?: ClientRequest | undefined;
  wasAnswered: boolean;
}

const UPSTREAM_SOCKETS = 256;
/** Services keep idle connections for 65 s: they are let go before, so that none is closed as a call takes it. */
const IDLE_SOCKET_MS = 30_000;
const RETRY_AFTER_SECONDS = 2;

export function openProxy(config: Config, upstreams: Upstreams, logger: Logger): ServiceProxy {
  const agent = new ConnectFirstAgent({
    keepAlive: true,
    maxSockets: UPSTREAM_SOCKETS,
    // As many as calls may wait for one service: a new connection would wait for a turn of its own.
    maxFreeSockets: 128,
    timeout: IDLE_SOCKET_MS,
  });
  // Streams are open for minutes: they must not take the sockets of calls.
  const streamAgent = new ConnectFirstAgent({ keepAlive: false });
  const streams = new Map<ServerResponse, IncomingMessage>();
  const passages = new WeakMap<IncomingMessage, Passage>();

  const proxyBy = (by: ConnectFirstAgent) =>
    createProxyMiddleware({
      router: (request) => passages.get(request)!.replica.url,
      changeOrigin: true,
      agent: by,
      // Its own plugins answer with host and path, and build a log line for each request.
      ejectPlugins: true,
      plugins: [proxyEventsPlugin],
      on: {
        proxyReq: (upstream, request) => onUpstream(passages.get(request), upstream, request),
        proxyRes: (answer, request) => onAnswer(passages.get(request), answer),
        error: (error, request) => onError(passages.get(request), error),
      },
    });
  const proxy = proxyBy(agent);
  const streamProxy = proxyBy(streamAgent);

  const count = ({ route, replica }: Passage, outcome: Outcome) =>
    upstreams.count(route.service, replica, outcome);

  function refuse(passage: Passage, problem: Problem): void {
    clearTimeout(passage.deadline);
    sendProblem(passage.exchange, problem);
    passage.upstream?.destroy();
  }

  function onUpstream(passage: Passage | undefined, upstream: ClientRequest, request: IncomingMessage): void {
    if (!passage) return;
    // Its time was over before there was a connection: what was refused must not be done after all.
    if (passage.exchange.response.headersSent) return void upstream.destroy();
    passage.upstream = upstream;
    countBody(request, passage.route.maxBodyBytes, () => refuse(passage, new Problem('body-too-large')));
  }

  function onAnswer(passage: Passage | undefined, answer: IncomingMessage): void {
    if (!passage) return;
    clearTimeout(passage.deadline);
    passage.wasAnswered = true;
    passage.onAnswer?.();
    count(passage, 'answered');
    const { response } = passage.exchange;
    if (response.headersSent) return void answer.resume();
    if (isForeignFailure(answer)) {
      logger.error(
        { route: passage.route.key, status: answer.statusCode },
        'a service failed without a problem',
      );
      answer.resume();
      return refuse(passage, new Problem('internal'));
    }
    for (const name of INNER_HEADERS) delete answer.headers[name];
    for (const name of SECURITY_HEADER_NAMES) delete answer.headers[name];
    answer.headers.connection = response.shouldKeepAlive ? 'keep-alive' : 'close';
    if (passage.route.isStream && answer.statusCode === 200) {
      streams.set(response, answer);
      response.once('close', () => streams.delete(response));
    }
    // A service that stops in the middle of an answer holds no connection for ever.
    passage.upstream?.setTimeout(config.limits.uploadTimeoutMs, () => passage.upstream?.destroy());
  }

  function onError(passage: Passage | undefined, error: NodeJS.ErrnoException): void {
    if (!passage || passage.exchange.response.headersSent || passage.exchange.response.destroyed) return;
    const { exchange, route, replica, tried, upstream, wasAnswered } = passage;
    const replicas = upstreams.of(route.service);
    if (!upstream) replicas.unreached(replica);
    count(passage, upstream ? 'cut' : 'unreached');
    const next = replicas.pick(tried);
    const again = mayRetry({
      method: exchange.request.method ?? '',
      hasBody: hasBody(exchange.request),
      wasConnected: upstream !== undefined,
      wasReused: upstream?.reusedSocket === true,
      wasAnswered,
      code: error.code,
      attempts: tried.length,
      hasOther: !tried.includes(next),
    });
    if (again) return send(passage, next);
    logger.warn({ route: route.key, replica: replica.name, code: error.code }, 'a service does not answer');
    refuse(passage, new Problem('unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS }));
  }

  function send(passage: Passage, replica: Replica): void {
    passage.replica = replica;
    passage.tried.push(replica);
    passage.upstream = undefined;
    const { request, response } = passage.exchange;
    void (passage.route.isStream ? streamProxy : proxy)(request, response);
  }

  function onLate(passage: Passage): void {
    count(passage, 'late');
    refuse(passage, new Problem('timeout', { retryAfterSeconds: RETRY_AFTER_SECONDS }));
  }

  return {
    forward(exchange, route, onAnswer) {
      const { request, response } = exchange;
      const timeoutMs = route.isUpload ? config.limits.uploadTimeoutMs : config.limits.upstreamTimeoutMs;
      const replica = upstreams.of(route.service).pick();
      const deadline = setTimeout(() => onLate(passage), timeoutMs);
      const passage: Passage = {
        ...{ exchange, route, deadline, onAnswer, replica },
        ...{ tried: [], wasAnswered: false },
      };
      passages.set(request, passage);
      response.once('close', () => clearTimeout(deadline));
      request.headers = upstreamHeaders(request.headers, {
        correlationId: exchange.correlationId,
        traceparent: exchange.span?.traceparent,
        address: exchange.address,
        countryHeader: exchange.peerIsTrusted ? config.countryHeader : undefined,
      });
      send(passage, replica);
    },
    endStreams() {
      for (const [response, answer] of streams) {
        answer.unpipe(response).destroy();
        response.end();
      }
    },
    close() {
      agent.destroy();
      streamAgent.destroy();
    },
  };
}

/** Every failure our services state is a problem; anything else may tell of their inside. */
const isForeignFailure = (answer: IncomingMessage) =>
  (answer.statusCode ?? 500) >= 500 &&
  !answer.headers['content-type']?.startsWith('application/problem+json');
