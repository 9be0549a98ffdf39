import type { Replica } from '@arboleda/chassis/http/replicas.ts';
import type { Logger } from '@arboleda/chassis/log.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { sendProblem } from '../answer.ts';
import { upstreamHeaders } from '../caller/headers.ts';
import type { GatewayConfig } from '../config.ts';
import { type Exchange, hasBody } from '../exchange.ts';
import { isShort } from './body.ts';
import { type Lease, openLeases } from './cache/leases.ts';
import { type Memory, Revalidation } from './cache/revalidation.ts';
import { openSharing } from './cache/sharing.ts';
import { openVersions } from './cache/versions.ts';
import { ConnectFirstAgent } from './connect-first.ts';
import { openMiddleware } from './middleware.ts';
import type { Course, Passage } from './passage.ts';
import { openPool, sendHeld } from './pool.ts';
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

const UPSTREAM_SOCKETS = 256;
/** Services keep idle connections for 65 s: they are let go before, so that none is closed as a call takes it. */
const IDLE_SOCKET_MS = 30_000;
const RETRY_AFTER_SECONDS = 2;
/** Many times what a look at a photo takes; so long others wait for one that hangs. */
const HANGS_AFTER_MS = 20;
/** Some two hundred large photos, or two thousand small ones. */
const CACHED_BYTES = 33_554_432;
/** Some two kilobytes each; as many photos as are looked at in a second. */
const MAX_LEASES = 2_000;

export interface ProxyOptions {
  /** When those who ask for the same photo do not wait any longer for another's answer: see 0032. */
  hangsAfterMs?: number;
  /** Milliseconds that only ever rise: what leases end by. */
  now?: () => number;
}

export function openProxy(
  config: Config,
  upstreams: Upstreams,
  logger: Logger,
  { hangsAfterMs = HANGS_AFTER_MS, now = () => performance.now() }: ProxyOptions = {},
): ServiceProxy {
  const streams = new Map<ServerResponse, IncomingMessage>();
  const course: Course = { connected, answered, failed, refuse };
  const limits = { connections: UPSTREAM_SOCKETS, idleMs: IDLE_SOCKET_MS };
  const stalledAfterMs = config.limits.uploadTimeoutMs;
  const pool = openPool({ ...limits, stalledAfterMs }, course);
  // Of their own: many who read photos slowly must not take the connections of calls.
  const cachePool = openPool({ ...limits, stalledAfterMs }, course);
  const memory: Memory = { versions: openVersions(CACHED_BYTES), leases: openLeases(MAX_LEASES, now), now };
  const sharing = openSharing<Passage, Lease>({
    hangsAfterMs,
    ask: (passage) => send(passage, passage.replica),
    answer: share,
    hasLeft: ({ exchange: { response } }) => response.headersSent || response.destroyed,
  });
  const agent = new ConnectFirstAgent({
    keepAlive: true,
    maxSockets: limits.connections,
    // As many as calls may wait for one service: a new connection would wait for a turn of its own.
    maxFreeSockets: 128,
    timeout: limits.idleMs,
  });
  const middleware = openMiddleware({ agent, stalledAfterMs }, course);
  // Streams are open for minutes: they must not take the sockets of calls.
  const streamAgent = new ConnectFirstAgent({ keepAlive: false });
  const streaming = openMiddleware({ agent: streamAgent, stalledAfterMs }, course, noteStream);

  const carrierOf = ({ route, exchange, revalidation }: Passage) => {
    if (route.isStream) return streaming;
    if (revalidation) return cachePool;
    return route.isPlain && isShort(exchange.request) ? pool : middleware;
  };

  const count = ({ route, replica }: Passage, outcome: Outcome) =>
    upstreams.count(route.service, replica, outcome);

  function refuse(passage: Passage, problem: Problem): void {
    clearTimeout(passage.deadline);
    sendProblem(passage.exchange, problem);
    passage.upstream?.cut();
  }

  function connected(passage: Passage, connection: Passage['upstream']): boolean {
    const { response } = passage.exchange;
    // Its time was over before there was a connection: what was refused must not be done after all.
    if (response.headersSent || response.destroyed) return false;
    passage.upstream = connection;
    return true;
  }

  function answered(passage: Passage, status: number, headers: IncomingHttpHeaders): boolean {
    clearTimeout(passage.deadline);
    passage.wasAnswered = true;
    passage.onAnswer?.();
    count(passage, 'answered');
    tell(passage, passage.revalidation?.grant(status, headers));
    if (passage.exchange.response.headersSent) return false;
    if (!isForeignFailure(status, headers)) return true;
    logger.error({ route: passage.route.key, status }, 'a service failed without a problem');
    refuse(passage, new Problem('internal'));
    return false;
  }

  /** Those who wait for what it is told. */
  function tell(passage: Passage, lease: Lease | undefined): void {
    const key = passage.revalidation?.sharedKey;
    if (key !== undefined) sharing.told(key, passage, lease);
  }

  /** Answers a call what another was told of what both have asked for. */
  function share(passage: Passage, lease: Lease): boolean {
    const { response } = passage.exchange;
    if (response.headersSent || response.destroyed) return true;
    const held = passage.revalidation?.answer(lease);
    if (!held) return false;
    clearTimeout(passage.deadline);
    passage.onAnswer?.();
    sendHeld(passage.exchange, held, stalledAfterMs);
    return true;
  }

  function noteStream({ exchange: { response } }: Passage, answer: IncomingMessage): void {
    if (answer.statusCode !== 200) return;
    streams.set(response, answer);
    response.once('close', () => streams.delete(response));
  }

  function failed(passage: Passage, error: NodeJS.ErrnoException): void {
    if (passage.exchange.response.headersSent || passage.exchange.response.destroyed) return;
    const { exchange, route, replica, tried, upstream, wasAnswered } = passage;
    const replicas = upstreams.of(route.service);
    if (!upstream) replicas.unreached(replica);
    count(passage, upstream ? 'cut' : 'unreached');
    const next = replicas.pick(tried);
    const again = mayRetry({
      method: exchange.request.method ?? '',
      hasBody: hasBody(exchange.request),
      wasConnected: upstream !== undefined,
      wasReused: upstream?.wasReused === true,
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
    passage.revalidation?.ask(passage.headers);
    carrierOf(passage).carry(passage);
  }

  function onLate(passage: Passage): void {
    // Who waited for another's answer says nothing of a replica.
    if (passage.tried.length > 0) count(passage, 'late');
    refuse(passage, new Problem('timeout', { retryAfterSeconds: RETRY_AFTER_SECONDS }));
  }

  return {
    forward(exchange, route, onAnswer) {
      const { request } = exchange;
      const isCached = route.isCached && isShort(request);
      const revalidation = isCached ? new Revalidation(memory, request.url!, request.headers) : undefined;
      const leased = revalidation?.leased();
      if (leased) {
        onAnswer?.();
        return sendHeld(exchange, leased, stalledAfterMs);
      }
      const headers = upstreamHeaders(request.headers, {
        correlationId: exchange.correlationId,
        traceparent: exchange.span?.traceparent,
        address: exchange.address,
        countryHeader: exchange.peerIsTrusted ? config.countryHeader : undefined,
      });
      const replica = upstreams.of(route.service).pick();
      const timeoutMs = route.isUpload ? config.limits.uploadTimeoutMs : config.limits.upstreamTimeoutMs;
      const deadline = setTimeout(() => onLate(passage), timeoutMs);
      const passage: Passage = {
        exchange,
        route,
        headers,
        revalidation,
        deadline,
        onAnswer,
        replica,
        tried: [],
        wasAnswered: false,
      };
      exchange.endings.push(() => {
        clearTimeout(passage.deadline);
        passage.upstream?.cut();
        passage.revalidation?.close();
        tell(passage, undefined);
      });
      const key = revalidation?.sharedKey;
      if (key === undefined) send(passage, replica);
      else sharing.join(key, passage);
    },
    endStreams() {
      for (const [response, answer] of streams) {
        answer.unpipe(response).destroy();
        response.end();
      }
    },
    close() {
      for (const carrier of [pool, cachePool, middleware, streaming]) carrier.close();
    },
  };
}

/** Every failure our services state is a problem; anything else may tell of their inside. */
const isForeignFailure = (status: number, headers: IncomingHttpHeaders) =>
  status >= 500 && !headers['content-type']?.startsWith('application/problem+json');
