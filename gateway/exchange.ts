import type { OpenSpan } from '@arboleda/chassis/telemetry/trace.ts';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pathPart } from './api/path.ts';
import { clientAddress, plainAddress } from './caller/address.ts';
import type { GatewayConfig } from './config.ts';

/** One request and its answer, with what the gateway knows of them. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  path: string;
  correlationId: string;
  address: string;
  /** Whether the peer's forwarding headers may be believed. */
  peerIsTrusted: boolean;
  /** For logs and figures, never the path: that may hold a private link. */
  routeKey: string;
  startedAt: number;
  /** Names and values in turn: what its answer is to carry whatever it is. */
  headers: string[];
  /** The client waits for "100 Continue" before it sends its body. */
  expectsContinue: boolean;
  /** The gateway's span, while somebody traces. */
  span?: OpenSpan | undefined;
  /** What is to be done when its body is whole, which is never where there is none or its caller leaves before. */
  arrivals: (() => void)[];
  /** What is to be done when the connection is done with it, answered or not. */
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
  const arrivals: Exchange['arrivals'] = [];
  const endings: Exchange['endings'] = [];
  // One listener for all: each costs more than what it does, and a list of two may keep its call in memory: see docs/decisions/0021.
  if (hasBody(request)) request.once('end', () => arrivals.forEach((arrive) => arrive()));
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
    arrivals,
    endings,
    expectsContinue,
  };
}

export const hasBody = (request: IncomingMessage): boolean =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
