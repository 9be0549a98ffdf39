import { problemBody, statusOf } from '@arboleda/chassis/http/problem.ts';
import type { Metrics } from '@arboleda/chassis/http/metrics.ts';
import type { Logger } from '@arboleda/chassis/log.ts';
import { type OpenSpan, openSpan } from '@arboleda/chassis/telemetry/trace.ts';
import type { Problem } from '@arboleda/contracts/problems.ts';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { hasBody, pathPart } from './api/message.ts';
import { clientAddress, plainAddress } from './caller/address.ts';
import { acceptedLanguage } from './caller/language.ts';
import type { GatewayConfig } from './config.ts';

/** A request and its response, with the gateway's facts about them. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  path: string;
  correlationId: string;
  address: string;
  peerIsTrusted: boolean;
  /** For logs and metrics; the path itself may contain the token of a private link. */
  routeKey: string;
  startedAt: number;
  /** Alternating names and values: headers for any response. */
  headers: string[];
  /** The client waits for "100 Continue" before it sends its body. */
  expectsContinue: boolean;
  /** The gateway's span, while tracing is on. */
  span?: OpenSpan | undefined;
  /**
   * Called when the response closes, answered or not. A single listener calls all, because listeners are
   * expensive.
   */
  endings: (() => void)[];
}

export function openExchange(
  request: IncomingMessage,
  response: ServerResponse,
  config: Pick<GatewayConfig, 'trustedProxies'>,
  expectsContinue: boolean,
): Exchange {
  const { headers, socket } = request;
  const peer = plainAddress(socket.remoteAddress ?? '');
  const peerIsTrusted = config.trustedProxies.includes(peer);
  const forwardedFor = headers['x-forwarded-for'];
  const endings: Exchange['endings'] = [];
  response.once('close', () => endings.forEach((end) => end()));
  return {
    request,
    response,
    path: pathPart(request.url ?? ''),
    correlationId: randomUUID(),
    address: peerIsTrusted ? clientAddress(peer, forwardedFor?.toString(), config.trustedProxies) : peer,
    peerIsTrusted,
    routeKey: 'unknown',
    startedAt: performance.now(),
    headers: [],
    endings,
    expectsContinue,
  };
}

/** nginx's status for a client that closed the request. */
const CLIENT_LEFT = 499;

/** Writes a log line, metrics and, while tracing is on, a span when the response closes. */
export function observe(exchange: Exchange, metrics: Metrics, logger: Logger): void {
  const { response, request } = exchange;
  // Untrusted callers must neither join nor start a trace.
  const parent = exchange.peerIsTrusted ? request.headers.traceparent?.toString() : undefined;
  exchange.span = openSpan({ name: request.method ?? '', kind: 'server', service: 'gateway', parent });
  exchange.endings.push(() => {
    const { routeKey: route, correlationId } = exchange;
    const durationMs = performance.now() - exchange.startedAt;
    const status = response.headersSent ? response.statusCode : CLIENT_LEFT;
    metrics.requestSeconds.observe({ route, status: String(status) }, durationMs / 1000);
    exchange.span?.end({
      name: route,
      attributes: { 'http.route': route, 'http.response.status_code': status, correlationId },
      fault: status >= 500 ? String(status) : undefined,
    });
    logger.info(
      { correlationId, method: request.method, route, status, durationMs: Math.round(durationMs) },
      'request',
    );
  });
}

/** Sets the common headers; the caller writes the response next. */
export function applyHeaders(exchange: Exchange): void {
  const { headers, response } = exchange;
  exchange.headers = [];
  if (response.headersSent) return;
  for (let at = 0; at < headers.length; at += 2) response.setHeader(headers[at]!, headers[at + 1]!);
}

export function replaceHeader({ headers }: Exchange, name: string, value: string): void {
  headers[headers.indexOf(name) + 1] = value;
}

/** Answers with problem+json in the caller's language; cuts off a response that has begun. */
export function sendProblem(exchange: Exchange, problem: Problem, headers: OutgoingHttpHeaders = {}): void {
  const language = acceptedLanguage(exchange.request.headers['accept-language']);
  const body = JSON.stringify(problemBody(problem, language, exchange.correlationId));
  sendBytes(exchange, statusOf(problem), Buffer.from(body), {
    'Content-Type': 'application/problem+json; charset=utf-8',
    'Cache-Control': 'no-store',
    ...(problem.retryAfterSeconds && { 'Retry-After': problem.retryAfterSeconds }),
    // After an invalid message, the start of the next one is uncertain.
    ...(problem.type === 'malformed-request' && { Connection: 'close' }),
    ...headers,
  });
}

export function sendBytes(
  exchange: Exchange,
  status: number,
  bytes: Uint8Array,
  headers: OutgoingHttpHeaders,
): void {
  const { request, response } = exchange;
  if (response.headersSent) return void response.destroy();
  applyHeaders(exchange);
  const unread = hasBody(request) && !request.complete;
  response.writeHead(status, {
    ...headers,
    'Content-Length': bytes.length,
    ...(unread && { Connection: 'close' }),
  });
  if (request.method !== 'HEAD') response.write(bytes);
  if (unread) linger(exchange);
  else response.end();
}

/** Up to this size, head and body are written together. */
const ONE_PIECE_BYTES = 16_384;

/** Ends a response with immutable bytes. */
export function endWith(response: ServerResponse, bytes: Buffer): void {
  if (bytes.length > ONE_PIECE_BYTES) response.end(bytes);
  // Node writes a string together with the head.
  else response.end(bytes.toString('latin1'), 'latin1');
}

/** How long the rest of a refused body is read. */
const LINGER_MS = 1_000;

/** Closing while the client still sends would reset the connection before it reads the response. */
function linger({ request, response }: Exchange): void {
  const end = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, LINGER_MS);
  request.once('end', end).once('close', end).resume();
}
