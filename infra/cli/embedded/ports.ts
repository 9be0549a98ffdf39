import { once } from 'node:events';
import { createServer } from 'node:net';
import { Fault, portInUse } from '../terminal/fault.ts';

export { freePorts } from '@arboleda/postgres/free-ports.ts';

/** @throws Fault when the port is taken */
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
