import { createServer, type RequestListener } from 'node:http';
import { listenReusePort } from './listen-reuse-port.ts';

export interface HttpServer {
  url: string;
  close(): Promise<void>;
}

const STOP_WITHIN_MS = 10_000;
/** Workers in the field upload photos over slow connections. */
const RECEIVE_WITHIN_MS = 300_000;

/**
 * Serves on a port (0: a free one). close() stops accepting, waits for requests, then closes what is left.
 * @throws when the port is taken
 */
export async function listen(
  handler: RequestListener,
  options: { host: string; port: number; stopWithinMs?: number },
): Promise<HttpServer> {
  let stopping = false;
  const server = createServer(
    { requestTimeout: RECEIVE_WITHIN_MS, headersTimeout: 10_000, keepAliveTimeout: 65_000 },
    (request, response) => {
      // Keep-alive connections would keep the server open long after the last answer.
      response.once('close', () => {
        if (stopping) server.closeIdleConnections();
      });
      handler(request, response);
    },
  );
  const listener = await listenReusePort(server, { port: options.port, host: options.host });
  const host = options.host === '0.0.0.0' || options.host === '::' ? '127.0.0.1' : options.host;
  return {
    url: `http://${host}:${listener.port}`,
    async close() {
      stopping = true;
      const stopped = listener.close();
      server.closeIdleConnections();
      const cut = setTimeout(() => server.closeAllConnections(), options.stopWithinMs ?? STOP_WITHIN_MS);
      await stopped;
      clearTimeout(cut);
    },
  };
}
