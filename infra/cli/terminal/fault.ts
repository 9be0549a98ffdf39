import { ConfigError } from '@arboleda/chassis/config.ts';
import { PostgresFault } from '@arboleda/postgres/fault.ts';

/** An error that the operator can fix; its message is a whole sentence. */
export class Fault extends Error {
  constructor(sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.name = 'Fault';
  }
}

/** A sentence for a known error; undefined when only its stack helps. */
export function sentenceOf(error: unknown): string | undefined {
  if (error instanceof Fault || error instanceof PostgresFault || error instanceof ConfigError) {
    return error.message;
  }
  const { code, path, port } = (error ?? {}) as NodeJS.ErrnoException & { port?: number };
  switch (code) {
    case 'EADDRINUSE':
      return portInUse(port ?? 0);
    case 'ENOSPC':
      return `The disk is full${path ? `: ${path} could not be written` : ''}.`;
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return path && `${path} may not be written by this user. Choose another folder: DATA_DIR=… npm start`;
    default:
      return undefined;
  }
}

export const portInUse = (port: number): string =>
  `Port ${port} is in use. Stop what uses it, or choose another one: PORT=${port + 1} npm start`;
