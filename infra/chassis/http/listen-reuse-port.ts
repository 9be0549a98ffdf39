import { once } from 'node:events';
import { type AddressInfo, createServer, type ListenOptions, type Server, type Socket } from 'node:net';

/**
 * libuv accepts one connection for each listening socket in a turn of the event loop (since 1.46). Under load, turns
 * are long and new connections would wait for half a minute.
 */
const LISTENING_SOCKETS = 16;
/** Browsers and clients connect ahead of time. Node counts a connection without any request as active. */
const SILENT_FOR_MS = 500;

interface ReusePortListener {
  port: number;
  /** Stops accepting, closes connections without a request, and resolves when all are closed. */
  close(): Promise<void>;
}

/** Listens on one port with several sockets, where the system supports SO_REUSEPORT. @throws when the port is taken */
export async function listenReusePort(
  server: Server,
  at: { port: number; host: string },
  maxConnections?: number,
): Promise<ReusePortListener> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  // A port that is taken causes no error here because of SO_REUSEPORT.
  if (at.port !== 0) await checkFree(at);
  const isShared = await listenShared(server, at);
  const { port } = server.address() as AddressInfo;
  const others = isShared ? Array.from({ length: LISTENING_SOCKETS - 1 }, () => forwardingTo(server)) : [];
  const all = [server, ...others];
  // The kernel spreads connections evenly.
  if (maxConnections) for (const door of all) door.maxConnections = Math.ceil(maxConnections / all.length);
  try {
    for (const door of others) await listen(door, { ...at, port, reusePort: true });
  } catch (error) {
    for (const door of all) door.close();
    throw error;
  }
  return {
    port,
    async close() {
      const leaving = setTimeout(() => {
        for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
      }, SILENT_FOR_MS);
      await Promise.all(all.map(closed));
      clearTimeout(leaving);
    },
  };
}

/** Passes connections to the server as if it had accepted them. */
const forwardingTo = (server: Server): Server =>
  createServer({ allowHalfOpen: true, noDelay: true }, (socket) => void server.emit('connection', socket));

const closed = (server: Server): Promise<unknown> => new Promise((resolve) => server.close(resolve));

async function listen(server: Server, options: ListenOptions): Promise<void> {
  server.listen(options);
  await once(server, 'listening');
}

async function checkFree(at: { port: number; host: string }): Promise<void> {
  const probe = createServer();
  await listen(probe, at);
  await closed(probe);
}

/** @returns whether other sockets may share the port */
async function listenShared(server: Server, at: { port: number; host: string }): Promise<boolean> {
  try {
    await listen(server, { ...at, reusePort: true });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTSUP') throw error;
    await listen(server, at);
    return false;
  }
}
