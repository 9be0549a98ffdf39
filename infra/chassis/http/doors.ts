import { once } from 'node:events';
import { type AddressInfo, createServer, type ListenOptions, type Server, type Socket } from 'node:net';

/**
 * libuv takes one connection from a listening socket in each turn of the event loop (since 1.46). While turns are long, new
 * callers would wait for half a minute before anybody could as much as turn them away; with so many sockets on the port
 * some are taken at once from each.
 */
const DOORS = 16;
/** Browsers and clients connect ahead of time. Node takes a connection for busy on which nothing was said yet. */
const SILENT_FOR_MS = 500;

export interface Doors {
  port: number;
  /** Takes no further connections, and leaves those on which nothing is said; resolves when all are over. */
  close(): Promise<void>;
}

/** Has a server listen by several sockets, where the system can share a port among them. @throws when it is taken */
export async function openDoors(
  server: Server,
  at: { port: number; host: string },
  maxConnections?: number,
): Promise<Doors> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  // Who shares a port is not told that somebody else has it.
  if (at.port !== 0) await checkFree(at);
  const isShared = await listenShared(server, at);
  const { port } = server.address() as AddressInfo;
  const others = isShared ? Array.from({ length: DOORS - 1 }, () => doorTo(server)) : [];
  const all = [server, ...others];
  // The system spreads connections evenly.
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

/** Hands what it takes to the server, which knows of it as of its own. */
const doorTo = (server: Server): Server =>
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

/** @returns whether others may listen on its port too */
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
