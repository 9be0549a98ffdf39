import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/**
 * Below what systems give to connections that go out (Linux from 32768, others from 49152): a port that somebody is to listen on in
 * a moment is not taken by one of those meanwhile.
 */
const FIRST = 10_000;
const LAST = 31_999;
/** So many are asked for at once by a process that starts everything. */
const OF_A_PROCESS = 32;

/** Processes that begin at the same moment look in different places, and none gives a port twice. */
let next = FIRST + ((process.pid * OF_A_PROCESS) % (LAST - FIRST));

/**
 * Different ports on which nobody listens, nor was given them by this process before; nobody is kept from taking them either.
 * @throws when there are none
 */
export async function freePorts(count: number): Promise<number[]> {
  const held: Server[] = [];
  const ports: number[] = [];
  try {
    for (let tries = 0; ports.length < count; tries++) {
      if (tries > LAST - FIRST) throw new Error(`there are no ports free between ${FIRST} and ${LAST}`);
      const port = next;
      next = port < LAST ? port + 1 : FIRST;
      const server = await listening(port);
      if (!server) continue;
      held.push(server);
      ports.push(port);
    }
    return ports;
  } finally {
    await Promise.all(held.map((server) => new Promise((resolve) => server.close(resolve))));
  }
}

/** On all addresses, as whoever gets the port may want to. @returns undefined when somebody else does, or may alone */
async function listening(port: number): Promise<Server | undefined> {
  const server = createServer().listen(port);
  try {
    await once(server, 'listening');
    return server;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE' || code === 'EACCES') return undefined;
    throw error;
  }
}
