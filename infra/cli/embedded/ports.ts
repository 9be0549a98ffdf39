import type { Environment } from '@arboleda/chassis/environment.ts';
import { freePorts } from '@arboleda/postgres/free-ports.ts';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { Fault, portInUse } from '../terminal/command.ts';

const DEFAULT_PORT = 8080;

export interface Address {
  host: string;
  port: number;
}

/** The gateway's address: HOST and PORT, if they are free. @throws Fault */
export async function chooseAddress(env: Environment): Promise<Address> {
  const host = env.HOST || '127.0.0.1';
  if (env.PORT === '0') return { host, port: (await freePorts(1))[0]! };
  const port = Number(env.PORT || DEFAULT_PORT);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Fault(`PORT must be a number from 0 to 65535, and it is "${env.PORT}".`);
  }
  await checkPort(port, host);
  return { host, port };
}

/** @throws Fault when the port is taken */
export async function checkPort(port: number, host: string): Promise<void> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new Fault(portInUse(port), { cause });
    if (code !== 'EACCES') throw cause;
    const sentence = `Port ${port} needs more rights than this user has. Choose one above 1023: PORT=8080 npm start`;
    throw new Fault(sentence, { cause });
  }
  await new Promise((resolve) => server.close(resolve));
}
