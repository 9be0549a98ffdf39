import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Fault, portInUse } from '../terminal/fault.ts';

const HOST = '127.0.0.1';

/** Different free ports, held together for a moment so that none is given twice. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, HOST));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

/** @throws Fault when somebody listens there already. */
export async function checkPort(port: number, host: string): Promise<void> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new Fault(portInUse(port), { cause: error });
    if (code === 'EACCES') {
      throw new Fault(
        `Port ${port} needs more rights than this user has. Choose one above 1023: PORT=8080 npm start`,
        {
          cause: error,
        },
      );
    }
    throw error;
  }
  await new Promise((resolve) => server.close(resolve));
}
