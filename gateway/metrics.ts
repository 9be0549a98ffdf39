import type { Metrics } from '@arboleda/chassis/http/metrics.ts';
import { type HttpServer, listen } from '@arboleda/chassis/http/server.ts';

/** Figures for operators, on a port of their own: whoever can reach the site cannot reach them. */
export const serveMetrics = (
  address: { host: string; port: number },
  { registry, text }: Metrics,
): Promise<HttpServer> =>
  listen((request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end();
    void text().then((figures) => {
      response.writeHead(200, { 'Content-Type': registry.contentType }).end(figures);
    });
  }, address);
