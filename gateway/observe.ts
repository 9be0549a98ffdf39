import type { Logger } from '@arboleda/chassis/log.ts';
import type { Metrics } from '@arboleda/chassis/http/metrics.ts';
import type { Exchange } from './exchange.ts';

/** A caller that left before its answer; nginx's number for it. */
const CLIENT_LEFT = 499;

/** One log line and one figure for each request, when its connection is done with it. */
export function observe(exchange: Exchange, metrics: Metrics, logger: Logger): void {
  const { response, request } = exchange;
  response.once('close', () => {
    const durationMs = performance.now() - exchange.startedAt;
    const status = response.headersSent ? response.statusCode : CLIENT_LEFT;
    metrics.requestSeconds.observe({ route: exchange.routeKey, status: String(status) }, durationMs / 1000);
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
