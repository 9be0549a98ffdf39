import { Problem } from '@arboleda/contracts/problems.ts';
import { languageOf } from '@arboleda/contracts/roles.ts';
import express, { type ErrorRequestHandler, type RequestHandler, type Router } from 'express';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { withContext } from '../context.ts';
import type { Logger } from '../log.ts';
import { type Metrics } from './metrics.ts';
import { problemBody, toProblem } from './problem.ts';

export interface HttpServer {
  url: string;
  close(): Promise<void>;
}

const STOP_WITHIN_MS = 10_000;

/** The Express application of a service: its routes between health, metrics and problems. */
export function serviceApp(parts: {
  router: Router;
  metrics: Metrics;
  logger: Logger;
  ready: () => Promise<void>;
}): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.get('/livez', (_request, response) => void response.json({ status: 'ok' }));
  app.get('/readyz', async (_request, response) => {
    await parts.ready().catch((cause: unknown) => {
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

/** Follows a request: its correlation id, one log line, one figure. */
const observe =
  (metrics: Metrics, logger: Logger): RequestHandler =>
  (request, response, next) => {
    const correlationId = readCorrelationId(request.headers['x-correlation-id']);
    const startedAt = performance.now();
    response.locals.correlationId = correlationId;
    response.set('X-Correlation-Id', correlationId);
    withContext({ correlationId }, () => {
      response.on('finish', () => {
        const durationMs = performance.now() - startedAt;
        const route = String(response.locals.route ?? 'unknown');
        metrics.requestSeconds.observe({ route, status: String(response.statusCode) }, durationMs / 1000);
        logger.info({ route, status: response.statusCode, durationMs: Math.round(durationMs) }, 'request');
      });
      next();
    });
  };

const readCorrelationId = (header: string | string[] | undefined): string =>
  typeof header === 'string' && /^[\w-]{8,64}$/.test(header) ? header : randomUUID();

const refuse =
  (logger: Logger): ErrorRequestHandler =>
  (thrown, request, response, _next) => {
    const problem = toProblem(thrown);
    if (problem.status >= 500) logger.error({ err: problem.cause ?? problem }, problem.type);
    if (response.headersSent) return void response.destroy();
    if (problem.retryAfterSeconds) response.set('Retry-After', String(problem.retryAfterSeconds));
    const language = languageOf(request.headers['accept-language']);
    response
      .status(problem.status)
      .type('application/problem+json')
      .send(JSON.stringify(problemBody(problem, language, String(response.locals.correlationId ?? ''))));
  };

/** Serves on a port (0: a free one). close() stops accepting, lets requests finish, then cuts what is left. */
export async function listen(
  handler: RequestListener,
  options: { host: string; port: number },
): Promise<HttpServer> {
  const server = createServer(
    { requestTimeout: 60_000, headersTimeout: 10_000, keepAliveTimeout: 65_000 },
    handler,
  );
  server.listen(options.port, options.host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const host = options.host === '0.0.0.0' || options.host === '::' ? '127.0.0.1' : options.host;
  return {
    url: `http://${host}:${port}`,
    async close() {
      const stopped = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      const cut = setTimeout(() => server.closeAllConnections(), STOP_WITHIN_MS);
      await stopped;
      clearTimeout(cut);
    },
  };
}
