/** The usual gateway of Node: Express with the parts that everybody takes, doing the duties that ours does. */
import express from 'express';
import rateLimit from 'express-rate-limit';
import helmet from 'helmet';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { pinoHttp } from 'pino-http';
import { collectDefaultMetrics, Histogram } from 'prom-client';

collectDefaultMetrics();
const durations = new Histogram({ name: 'http_seconds', help: 'calls', labelNames: ['method', 'status'] });
const app = express();
app.disable('x-powered-by');
app.use(pinoHttp({ genReqId: (request) => request.headers['x-correlation-id'] ?? randomUUID() }));
app.use((request, response, next) => {
  response.setHeader('X-Correlation-Id', request.id);
  const done = durations.startTimer({ method: request.method });
  response.once('finish', () => done({ status: response.statusCode }));
  next();
});
app.use(helmet());
app.use(rateLimit({ windowMs: 60_000, limit: 1e9, standardHeaders: 'draft-8', legacyHeaders: false }));
app.use(
  createProxyMiddleware({
    pathFilter: '/api',
    target: process.argv[2],
    changeOrigin: true,
    proxyTimeout: 10_000,
    agent: new Agent({ keepAlive: true, maxSockets: 256 }),
  }),
);
app.listen(Number(process.env.PORT), '127.0.0.1');
