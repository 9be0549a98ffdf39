import { Problem } from '@arboleda/contracts/problems.ts';
import { languageOf } from '@arboleda/contracts/roles.ts';
import express, { type ErrorRequestHandler, type RequestHandler, type Router } from 'express';
import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { withContext } from '../context.ts';
import type { Logger } from '../log.ts';
import { CallerLeft } from './deadline.ts';
import type { Metrics } from './metrics.ts';
import { problemBody, toProblem } from './problem.ts';

const READY_WITHIN_MS = 3_000;
/** As nginx counts callers who left before their answer. */
const CALLER_LEFT_STATUS = 499;

/** The Express application of a service: its routes between health, metrics and problems. */
export function serviceApp(parts: {
  router: Router;
  metrics: Metrics;
  logger: Logger;
  /** Throws while something the service needs does not answer. */
  ready: () => Promise<void>;
}): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.get('/livez', (_request, response) => void response.json({ status: 'ok' }));
  app.get('/readyz', async (_request, response) => {
    await within(READY_WITHIN_MS, parts.ready()).catch((cause: unknown) => {
      throw new Problem('unavailable', { cause, retryAfterSeconds: 2 });
    });
    response.json({ status: 'ok' });
  });
  app.get('/metrics', async (_request, response) => {
    response.type(parts.metrics.registry.contentType).send(await parts.metrics.registry.metrics());
  });
  app.use(observe(parts.metrics, parts.logger));
  app.use(parts.router);
  app.use(() => {
    throw new Problem('not-found');
  });
  app.use(refuse(parts.logger));
  return app;
}

async function within(timeoutMs: number, work: Promise<void>): Promise<void> {
  const over = Promise.withResolvers<void>();
  const timer = setTimeout(() => over.reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  await Promise.race([work, over.promise]).finally(() => clearTimeout(timer));
}

/** Follows a request: its correlation id, one log line, one figure. */
const observe =
  (metrics: Metrics, logger: Logger): RequestHandler =>
  (request, response, next) => {
    const correlationId = readCorrelationId(request.headers['x-correlation-id']);
    const startedAt = performance.now();
    response.locals.correlationId = correlationId;
    response.set('X-Correlation-Id', correlationId);
    withContext({ correlationId }, () => {
      response.once('close', () => {
        const durationMs = performance.now() - startedAt;
        const route = String(response.locals.route ?? 'unknown');
        const status = response.writableFinished ? response.statusCode : CALLER_LEFT_STATUS;
        metrics.requestSeconds.observe({ route, status: String(status) }, durationMs / 1000);
        withContext({ correlationId }, () =>
          logger.info({ route, status, durationMs: Math.round(durationMs) }, 'request'),
        );
      });
      next();
    });
  };

const readCorrelationId = (header: string | string[] | undefined): string =>
  typeof header === 'string' && /^[\w-]{8,64}$/.test(header) ? header : randomUUID();

/** Says a refusal as problem+json; logs what is our own fault, once. */
const refuse =
  (logger: Logger): ErrorRequestHandler =>
  (thrown, request, response, _next) => {
    if (thrown instanceof CallerLeft) return void response.destroy();
    const problem = toProblem(thrown);
    const correlationId = String(response.locals.correlationId ?? '');
    if (problem.status >= 500) {
      withContext({ correlationId }, () => logger.error({ err: problem.cause ?? problem }, problem.type));
    }
    if (response.headersSent) return void response.destroy();
    if (problem.retryAfterSeconds) response.set('Retry-After', String(problem.retryAfterSeconds));
    const language = languageOf(request.headers['accept-language']);
    response
      .status(problem.status)
      .type('application/problem+json')
      .send(JSON.stringify(problemBody(problem, language, correlationId)));
  };
