import type { Logger } from '@arboleda/chassis/log.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import type { ServiceName } from '@arboleda/contracts/services.ts';
import { createProxyMiddleware, proxyEventsPlugin } from 'http-proxy-middleware';
import { Agent, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { sendProblem } from '../answer.ts';
import { INNER_HEADERS, upstreamHeaders } from '../caller/headers.ts';
import type { GatewayConfig } from '../config.ts';
import type { Exchange } from '../exchange.ts';
import { SECURITY_HEADER_NAMES } from '../headers.ts';
import { countBody } from './body.ts';
import type { Route } from './routes.ts';

export interface ServiceProxy {
  /** Hands a checked call to its service and its answer to the caller. */
  forward(exchange: Exchange, route: Route): void;
  close(): void;
}

type Config = Pick<GatewayConfig, 'serviceUrls' | 'countryHeader' | 'limits'>;

/** A call on its way to a service. */
interface Passage {
  exchange: Exchange;
  route: Route;
  upstream?: ClientRequest;
  deadline: NodeJS.Timeout;
  /** A stale kept-alive connection was replaced once. */
  retried: boolean;
}

const UPSTREAM_SOCKETS = 256;
const RETRY_AFTER_SECONDS = 2;

export function openProxy(config: Config, logger: Logger): ServiceProxy {
  const agent = new Agent({ keepAlive: true, maxSockets: UPSTREAM_SOCKETS, maxFreeSockets: 64 });
  const passages = new WeakMap<ServerResponse, Passage>();
  const names = Object.keys(config.serviceUrls) as ServiceName[];

  const proxyTo = (name: ServiceName) =>
    createProxyMiddleware({
      target: config.serviceUrls[name],
      changeOrigin: true,
      agent,
      // Its own plugins answer with host and path, and build a log line for each request.
      ejectPlugins: true,
      plugins: [proxyEventsPlugin],
      on: {
        proxyReq: (upstream, request, response) => onUpstream(passages.get(response), upstream, request),
        proxyRes: (answer, _request, response) => onAnswer(passages.get(response), answer),
        error: (error, _request, response) => onError(passages.get(response as ServerResponse), error),
      },
    });
  const proxies = Object.fromEntries(names.map((name) => [name, proxyTo(name)])) as Record<
    ServiceName,
    ReturnType<typeof proxyTo>
  >;

  function refuse(passage: Passage, problem: Problem): void {
    clearTimeout(passage.deadline);
    sendProblem(passage.exchange, problem);
    passage.upstream?.destroy();
  }

  function onUpstream(passage: Passage | undefined, upstream: ClientRequest, request: IncomingMessage): void {
    if (!passage) return;
    passage.upstream = upstream;
    countBody(request, passage.route.maxBodyBytes, () => refuse(passage, new Problem('body-too-large')));
  }

  function onAnswer(passage: Passage | undefined, answer: IncomingMessage): void {
    if (!passage) return;
    clearTimeout(passage.deadline);
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
    // A service that stops in the middle of an answer holds no connection for ever.
    passage.upstream?.setTimeout(config.limits.uploadTimeoutMs, () => passage.upstream?.destroy());
  }

  function onError(passage: Passage | undefined, error: NodeJS.ErrnoException): void {
    if (!passage || passage.exchange.response.headersSent || passage.exchange.response.destroyed) return;
    if (mayRetry(passage, error)) {
      passage.retried = true;
      return start(passage);
    }
    logger.warn({ route: passage.route.key, code: error.code }, 'a service does not answer');
    refuse(passage, new Problem('unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS }));
  }

  const start = (passage: Passage) =>
    void proxies[passage.route.service](passage.exchange.request, passage.exchange.response);

  return {
    forward(exchange, route) {
      const timeoutMs = route.isUpload ? config.limits.uploadTimeoutMs : config.limits.upstreamTimeoutMs;
      const deadline = setTimeout(() => refuse(passage, new Problem('timeout')), timeoutMs);
      const passage: Passage = { exchange, route, deadline, retried: false };
      passages.set(exchange.response, passage);
      exchange.response.once('close', () => clearTimeout(deadline));
      const { request } = exchange;
      request.headers = upstreamHeaders(request.headers, {
        correlationId: exchange.correlationId,
        address: exchange.address,
        countryHeader: exchange.peerIsTrusted ? config.countryHeader : undefined,
      });
      start(passage);
    },
    close: () => agent.destroy(),
  };
}

/** A service may close an idle connection just as a call takes it; a call that only reads is simply made again. */
const mayRetry = ({ exchange, upstream, retried }: Passage, error: NodeJS.ErrnoException) =>
  !retried &&
  upstream?.reusedSocket === true &&
  (error.code === 'ECONNRESET' || error.code === 'EPIPE') &&
  (exchange.request.method === 'GET' || exchange.request.method === 'HEAD');

/** Every failure our services state is a problem; anything else may tell of their inside. */
const isForeignFailure = (answer: IncomingMessage) =>
  (answer.statusCode ?? 500) >= 500 &&
  !answer.headers['content-type']?.startsWith('application/problem+json');
