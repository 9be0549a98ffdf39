import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/**
 * Below the ephemeral port range (Linux from 32768, others from 49152), so that no outgoing connection takes a port
 * before its server listens.
 */
const FIRST = 10_000;
const LAST = 31_999;
/** Ports that a process needs at its start. */
const OF_A_PROCESS = 32;

/** Processes that start together search different ranges, and none returns a port twice. */
let next = FIRST + ((process.pid * OF_A_PROCESS) % (LAST - FIRST));

/**
 * Distinct ports that are free and were not returned before. They are not reserved.
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

/** Listens on all addresses. @returns undefined when the port is taken on any of them */
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
