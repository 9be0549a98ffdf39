import { type DestinationStream, pino, type Logger } from 'pino';
import { currentContext, hasContext } from './context.ts';

export type { Logger };

/**
 * JSON lines with the service's name and the correlation id; ids only, never names, addresses or tokens.
 * @param service absent for a process of several: each names itself in a child logger.
 * @param stream where they go; standard output when absent.
 */
export const openLogger = (service: string | undefined, level: string, stream?: DestinationStream): Logger =>
  pino(
    {
      level,
      base: service === undefined ? {} : { service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      mixin: () => (hasContext() ? { correlationId: currentContext().correlationId } : {}),
      redact: ['req.headers.authorization', 'token', 'email', 'password'],
    },
    stream,
  );
