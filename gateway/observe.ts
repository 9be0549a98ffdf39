import type { Logger } from '@arboleda/chassis/log.ts';
import type { Metrics } from '@arboleda/chassis/http/metrics.ts';
import { openSpan } from '@arboleda/chassis/telemetry/trace.ts';
import type { Exchange } from './exchange.ts';

/** A caller that left before its answer; nginx's number for it. */
const CLIENT_LEFT = 499;

/** One log line, one figure and, where traced, one span for each request, when its connection is done with it. */
export function observe(exchange: Exchange, metrics: Metrics, logger: Logger): void {
  const { response, request } = exchange;
  // Strangers are not let into a trace, nor to decide whether there is one.
  const parent = exchange.peerIsTrusted ? request.headers.traceparent?.toString() : undefined;
  exchange.span = openSpan({ name: request.method ?? '', kind: 'server', service: 'gateway', parent });
  exchange.endings.push(() => {
    const durationMs = performance.now() - exchange.startedAt;
    const status = response.headersSent ? response.statusCode : CLIENT_LEFT;
    metrics.requestSeconds.observe({ route: exchange.routeKey, status: String(status) }, durationMs / 1000);
    exchange.span?.end({
      name: exchange.routeKey,
      attributes: {
        'http.route': exchange.routeKey,
        'http.response.status_code': status,
        correlationId: exchange.correlationId,
      },
      fault: status >= 500 ? String(status) : undefined,
    });
    logger.info(
      {
        correlationId: exchange.correlationId,
        method: request.method,
        route: exchange.routeKey,
        status,
        durationMs: Math.round(durationMs),
      },
      'request',
    );
  });
}
