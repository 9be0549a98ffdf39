/**
 * The usual gateway of Node: Express with the parts that everybody takes. It does the duties that ours does for each call,
 * with the same headers and the same fields in its log, and no more.
 */
import express from 'express';
import rateLimit from 'express-rate-limit';
import helmet from 'helmet';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { pinoHttp } from 'pino-http';
import { collectDefaultMetrics, Histogram } from 'prom-client';

const PERMISSIONS =
  'camera=(self), geolocation=(self), payment=(self), microphone=(), usb=(), browsing-topics=()';

collectDefaultMetrics();
const durations = new Histogram({ name: 'http_seconds', help: 'calls', labelNames: ['route', 'status'] });
const app = express();
app.disable('x-powered-by');
app.use(
  pinoHttp({
    genReqId: () => randomUUID(),
    wrapSerializers: false,
    serializers: {
      req: ({ id, method, url }) => ({ id, method, url }),
      res: ({ statusCode }) => ({ statusCode }),
    },
  }),
);
app.use((request, response, next) => {
  request.headers['x-correlation-id'] = request.id;
  response.setHeader('X-Correlation-Id', request.id);
  response.setHeader('Permissions-Policy', PERMISSIONS);
  const done = durations.startTimer({ route: request.path });
  response.once('finish', () => done({ status: response.statusCode }));
  next();
});
app.use(
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
        sandbox: [],
      },
    },
    frameguard: { action: 'deny' },
    hsts: false,
    dnsPrefetchControl: false,
    ieNoOpen: false,
    originAgentCluster: false,
    permittedCrossDomainPolicies: false,
    xssFilter: false,
  }),
);
// The draft whose four headers ours sends.
app.use(rateLimit({ windowMs: 60_000, limit: 1e9, standardHeaders: 'draft-6', legacyHeaders: false }));
app.use((request, response, next) => {
  request.headers['x-forwarded-for'] = request.socket.remoteAddress;
  next();
});
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
