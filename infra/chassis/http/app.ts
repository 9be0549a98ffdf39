import { Problem } from '@arboleda/contracts/problems.ts';
import { languageOf } from '@arboleda/contracts/roles.ts';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { type Context, currentContext, withContext } from '../context.ts';
import type { Logger } from '../log.ts';
import type { Readiness } from '../readiness.ts';
import { orderAttributes, openSpan } from '../telemetry/trace.ts';
import { CallerLeft } from './deadline.ts';
import type { Metrics } from './metrics.ts';
import { problemBody, statusOf, toProblem } from './problem.ts';

/** nginx's status for a client that closed the connection before the answer. */
const CALLER_LEFT_STATUS = 499;

/** Reads that change during the life of a service. */
export interface AppParts {
  service: string;
  metrics: Metrics;
  logger: Logger;
  ready: () => Promise<Readiness>;
  /** The service's routes; undefined while the service starts. */
  routes: () => RequestHandler | undefined;
  /** Whether the service is shutting down: every answer then closes its connection. */
  draining: () => boolean;
}

const RETRY_AFTER_SECONDS = 2;

/** A service's Express application: health, metrics, routes, and problems as answers. */
export function serviceApp(parts: AppParts): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.use((_request, response, next) => {
    if (parts.draining()) response.set('Connection', 'close');
    next();
  });
  app.get('/livez', (_request, response) => void response.json({ status: 'ok' }));
  app.get('/readyz', async (_request, response) => {
    const { ready, waitingFor, reason } = await parts.ready();
    if (ready) return void response.json({ status: 'ok' });
    response
      .set('Retry-After', String(RETRY_AFTER_SECONDS))
      .status(503)
      .json({ status: 'waiting', waitingFor, reason });
  });
  app.get('/metrics', async (_request, response) => {
    response.type(parts.metrics.registry.contentType).send(await parts.metrics.text());
  });
  app.use(observe(parts));
  app.use((request, response, next) => {
    const routes = parts.routes();
    if (!routes) throw new Problem('unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    routes(request, response, next);
  });
  app.use(() => {
    throw new Problem('not-found');
  });
  app.use(refuse(parts.logger));
  return app;
}

/** Gives each request a correlation id, a span, a log line and a metric. */
const observe =
  ({ service, metrics, logger }: AppParts): RequestHandler =>
  (request, response, next) => {
    const correlationId = readCorrelationId(request.headers['x-correlation-id']);
    const startedAt = performance.now();
    response.locals.correlationId = correlationId;
    response.set('X-Correlation-Id', correlationId);
    const parent = request.headers.traceparent?.toString();
    const span = openSpan({ name: request.method, kind: 'server', service, parent });
    const context: Context = { correlationId, ...(span && { traceparent: span.traceparent }) };
    withContext(context, () => {
      response.once('close', () => {
        const durationMs = performance.now() - startedAt;
        const route = String(response.locals.route ?? 'unknown');
        const status = response.writableFinished ? response.statusCode : CALLER_LEFT_STATUS;
        metrics.requestSeconds.observe({ route, status: String(status) }, durationMs / 1000);
        span?.end({
          name: route,
          attributes: {
            'http.route': route,
            'http.response.status_code': status,
            correlationId,
            ...orderAttributes(context.orderId),
          },
          fault: status >= 500 ? String(status) : undefined,
        });
        withContext({ correlationId, orderId: context.orderId }, () =>
          logger.info({ route, status, durationMs: Math.round(durationMs) }, 'request'),
        );
      });
      next();
    });
  };

const readCorrelationId = (header: string | string[] | undefined): string =>
  typeof header === 'string' && /^[\w-]{8,64}$/.test(header) ? header : randomUUID();

/** Headers that a failed handler may have set, and that do not hold for the problem. */
const OF_THE_ANSWER = ['ETag', 'Accept-Ranges', 'Content-Disposition', 'Content-Length'];

/** Answers with problem+json that is not cached; logs server errors once. */
const refuse =
  (logger: Logger): ErrorRequestHandler =>
  (thrown, request, response, _next) => {
    if (thrown instanceof CallerLeft) return void response.destroy();
    const problem = toProblem(thrown);
    const correlationId = String(response.locals.correlationId ?? '');
    // Rejected requests are only counted: a log line each would add work under overload.
    if (statusOf(problem) >= 500 && problem.type !== 'overloaded') {
      const { orderId } = currentContext();
      withContext({ correlationId, orderId }, () =>
        logger.error({ err: problem.cause ?? problem }, problem.type),
      );
    }
    if (response.headersSent) return void response.destroy();
    for (const name of OF_THE_ANSWER) response.removeHeader(name);
    // On a 416, Content-Range gives the size of the resource.
    if (problem.type !== 'range-not-satisfiable') response.removeHeader('Content-Range');
    response.set('Cache-Control', 'no-store');
    if (problem.retryAfterSeconds) response.set('Retry-After', String(problem.retryAfterSeconds));
    const language = languageOf(request.headers['accept-language']);
    response
      .status(statusOf(problem))
      .type('application/problem+json')
      .send(JSON.stringify(problemBody(problem, language, correlationId)));
  };
