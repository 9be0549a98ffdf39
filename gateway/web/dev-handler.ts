import { Problem } from '@arboleda/contracts/problems.ts';
import { createProxyMiddleware, proxyEventsPlugin } from 'http-proxy-middleware';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isApiPath } from '../api/handler.ts';
import { applyHeaders, type Exchange, sendProblem } from '../exchange.ts';

/** Forwards pages, files and the WebSocket for hot reload to Vite's development server. */
export function devWebHandler(devUrl: string) {
  const exchanges = new WeakMap<ServerResponse, Exchange>();
  const proxy = createProxyMiddleware({
    target: devUrl,
    changeOrigin: true,
    ejectPlugins: true,
    plugins: [proxyEventsPlugin],
    on: {
      error: (_error, _request, response) => {
        const exchange = exchanges.get(response as ServerResponse);
        if (exchange) sendProblem(exchange, new Problem('unavailable', { retryAfterSeconds: 1 }));
        else response.destroy();
      },
    },
  });
  return {
    async handle(exchange: Exchange): Promise<void> {
      exchange.routeKey = 'web development';
      applyHeaders(exchange);
      exchanges.set(exchange.response, exchange);
      await proxy(exchange.request, exchange.response);
    },
    acceptUpgrades(server: Server): void {
      server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
        if (isApiPath(request.url ?? '')) socket.destroy();
        else proxy.upgrade(request, socket, head);
      });
    },
  };
}
