import { openMetrics } from '@arboleda/chassis/http/metrics.ts';
import type { FollowOptions } from '@arboleda/chassis/http/replicas.ts';
import { listen as listenInside } from '@arboleda/chassis/http/server.ts';
import { type Logger, openLogger } from '@arboleda/chassis/log.ts';
import type { RecentTraces } from '@arboleda/chassis/telemetry/recent.ts';
import { startTelemetry } from '@arboleda/chassis/telemetry/start.ts';
import { ENDPOINTS } from '@arboleda/contracts/endpoints/index.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { VERSION } from '@arboleda/contracts/version.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { apiHandler, isApiPath } from './api/handler.ts';
import { isDoubtful, isPlainPath } from './api/message.ts';
import { openProxy } from './api/proxy.ts';
import { routeTable } from './api/routes.ts';
import { openUpstreams } from './api/upstreams.ts';
import type { GatewayConfig } from './config.ts';
import { tracesHandler } from './dev/traces.ts';
import { docsHandler } from './docs/handler.ts';
import { type Exchange, observe, openExchange, replaceHeader, sendBytes, sendProblem } from './exchange.ts';
import { apiHeaders, flat, isMailPicture, securityHeaders } from './headers.ts';
import { openMemoryCounter, openPostgresCounter } from './limits/counters.ts';
import { openRateLimits } from './limits/rate-limits.ts';
import { openShedder } from './limits/shedder.ts';
import type { Room } from './room.ts';
import { listen } from './server.ts';
import { devWebHandler } from './web/dev-handler.ts';
import { webHandler } from './web/handler.ts';

export interface RunningGateway {
  url: string;
  metricsUrl: string | undefined;
  close(): Promise<void>;
}

interface GatewayOverrides {
  logger?: Logger;
  follow?: Partial<FollowOptions>;
  /** Free disk space, when services share the gateway's disk. */
  room?: Pick<Room, 'uploads' | 'writes'>;
  /** Traces of this process, shown at /dev/traces: for development only. */
  recentTraces?: RecentTraces | undefined;
  /** Monotonic clock in milliseconds, for the photo cache. */
  now?: () => number;
}

/** The public entry point: calls to services, the web app's files, the API's description. */
export async function startGateway(
  config: GatewayConfig,
  overrides: GatewayOverrides = {},
): Promise<RunningGateway> {
  const logger = overrides.logger?.child({ service: 'gateway' }) ?? openLogger('gateway', config.logLevel);
  const telemetry = await startTelemetry({ service: 'gateway', endpoint: config.otlpEndpoint });
  const metrics = openMetrics('gateway');
  const upstreams = openUpstreams(config.serviceUrls, metrics, logger, overrides.follow);
  const shedder = openShedder(config.limits.maxCallsInFlight, metrics);
  const proxy = openProxy(config, upstreams, shedder, logger, overrides.now);
  const counter = config.rateLimitDatabaseUrl
    ? openPostgresCounter(config.rateLimitDatabaseUrl, logger, config.limits)
    : openMemoryCounter();
  const limits = openRateLimits(config.limits, counter);
  const api = apiHandler(routeTable(ENDPOINTS), limits, shedder, proxy, overrides.room);
  const docs = docsHandler(config);
  const traces = overrides.recentTraces && tracesHandler(overrides.recentTraces);
  const dev = 'devUrl' in config.web ? devWebHandler(config.web.devUrl) : undefined;
  const web = 'distDir' in config.web ? await webHandler(config.web.distDir, config) : dev!.handle;
  // Request lines contain nothing to redact, and redaction costs as much as writing them.
  const requestLog = logger.child({}, { redact: [] });
  const pageHeaders = flat(securityHeaders(config));
  const callHeaders = flat(apiHeaders(securityHeaders(config)));

  async function answer(exchange: Exchange): Promise<void> {
    const { path, request } = exchange;
    if (!isPlainPath(path) || isDoubtful(request))
      return sendProblem(exchange, new Problem('malformed-request'));
    if (path === '/livez') return sendHealth(exchange, true);
    if (path === '/readyz') {
      return sendHealth(exchange, !listening.isDraining() && (await upstreams.areReady()));
    }
    if (docs.owns(path)) return docs.handle(exchange);
    if (traces?.owns(path)) return traces.handle(exchange);
    if (isApiPath(path)) return api(exchange);
    return web(exchange);
  }

  const onRequest = (expectsContinue: boolean) => (request: IncomingMessage, response: ServerResponse) => {
    const exchange = openExchange(request, response, config, expectsContinue);
    const isCall = isApiPath(exchange.path) && !docs.owns(exchange.path);
    exchange.headers = [...(isCall ? callHeaders : pageHeaders), 'X-Correlation-Id', exchange.correlationId];
    if (isMailPicture(exchange.path)) replaceHeader(exchange, 'Cross-Origin-Resource-Policy', 'cross-origin');
    observe(exchange, metrics, requestLog);
    answer(exchange).catch((cause: unknown) => {
      logger.error({ err: cause, correlationId: exchange.correlationId }, 'unexpected');
      sendProblem(exchange, new Problem('internal', { cause }));
    });
  };

  const listening = await listen(config, onRequest(false), onRequest(true));
  dev?.acceptUpgrades(listening.server);
  // On a separate port, so that metrics are not public.
  const metricsServer =
    config.metrics &&
    (await listenInside((request, response) => {
      if (request.url !== '/metrics') return void response.writeHead(404).end();
      void metrics.text().then((figures) => {
        response.writeHead(200, { 'Content-Type': metrics.registry.contentType }).end(figures);
      });
    }, config.metrics));
  logger.info({ version: VERSION, url: listening.url, metricsUrl: metricsServer?.url }, 'listening');
  return {
    url: listening.url,
    metricsUrl: metricsServer && `${metricsServer.url}/metrics`,
    async close() {
      proxy.endStreams();
      await listening.close();
      await metricsServer?.close();
      proxy.close();
      upstreams.close();
      await counter.close();
      await telemetry?.stop();
    },
  };
}

function sendHealth(exchange: Exchange, isWell: boolean): void {
  exchange.routeKey = exchange.path;
  if (!isWell) return sendProblem(exchange, new Problem('unavailable', { retryAfterSeconds: 2 }));
  sendBytes(exchange, 200, Buffer.from('{"status":"ok"}'), {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
  });
}
