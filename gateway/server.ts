import { listenReusePort } from '@arboleda/chassis/http/listen-reuse-port.ts';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GatewayLimits } from './config.ts';

export interface Listening {
  server: Server;
  url: string;
  /** Whether it is about to stop: every response then closes its connection, so that callers go elsewhere. */
  isDraining(): boolean;
  /** Serves for drainMs, stops accepting, lets requests finish, then closes the rest. */
  close(): Promise<void>;
}

const STOP_WITHIN_MS = 10_000;
const LET_GO_EVERY_MS = 50;
const KEEP_ALIVE_MS = 65_000;

/** A server that slow and broken clients cannot block: their connections time out. */
export async function listen(
  options: { host: string; port: number; limits: GatewayLimits },
  onRequest: RequestListener,
  onExpectContinue: RequestListener = onRequest,
): Promise<Listening> {
  const { limits } = options;
  let isDraining = false;
  const following =
    (listener: RequestListener): RequestListener =>
    (request, response) => {
      if (isDraining) response.shouldKeepAlive = false;
      listener(request, response);
    };
  const server = createServer(
    {
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      connectionsCheckingInterval: Math.min(5_000, limits.headersTimeoutMs),
      keepAliveTimeout: KEEP_ALIVE_MS,
      insecureHTTPParser: false,
      requireHostHeader: true,
      joinDuplicateHeaders: false,
      // Requests without an announced body have none to wait for.
      optimizeEmptyRequests: true,
    },
    following(onRequest),
  );
  server.maxHeadersCount = 100;
  server.on('checkContinue', following(onExpectContinue));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => answerUnreadable(error, socket));
  const doors = await listenReusePort(
    server,
    { port: options.port, host: options.host },
    limits.maxConnections,
  );
  const host = ['0.0.0.0', '::'].includes(options.host) ? 'localhost' : options.host;
  return {
    server,
    url: `http://${host}:${doors.port}`,
    isDraining: () => isDraining,
    async close() {
      isDraining = true;
      await sleep(limits.drainMs);
      const stopped = doors.close();
      // Idle kept-alive connections would delay the close.
      server.closeIdleConnections();
      const letGo = setInterval(() => server.closeIdleConnections(), LET_GO_EVERY_MS);
      const cut = setTimeout(() => server.closeAllConnections(), STOP_WITHIN_MS);
      await stopped;
      clearTimeout(cut);
      clearInterval(letGo);
    },
  };
}

const UNREADABLE: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** An unparseable request has no language and no route: sends a bare status line and closes. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = UNREADABLE[error.code ?? ''] ?? '400 Bad Request';
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
