import { type DestinationStream, pino, type Logger } from 'pino';
import { type Context, currentContext, hasContext } from './context.ts';
import { openLineWriter } from './log-lines.ts';

export type { Logger };

const PERSONAL = [
  'token',
  'email',
  'password',
  '*.token',
  '*.email',
  '*.password',
  'req.headers.authorization',
];

/** An error without what drivers add to it: PostgreSQL's `detail` quotes the row, an address in it too. */
function faultOf(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const { code } = error as NodeJS.ErrnoException;
  return {
    type: name,
    message,
    stack,
    ...(code && { code }),
    ...(cause !== undefined && { cause: faultOf(cause) }),
  };
}

/** The ids by which lines of several processes are put together. A traceparent is version-trace-span-flags. */
const followed = ({ correlationId, traceparent, orderId }: Context) => ({
  correlationId,
  ...(traceparent !== undefined && { traceId: traceparent.split('-')[1] }),
  ...(orderId !== undefined && { orderId }),
});

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
      timestamp: openClock(),
      formatters: { level: (label) => ({ level: label }) },
      mixin: () => (hasContext() ? followed(currentContext()) : {}),
      redact: PERSONAL,
      serializers: { err: faultOf },
    },
    stream ?? standardOutput(),
  );

/** One for all loggers of a process: their lines stay in order. */
let opened: DestinationStream | undefined;
const standardOutput = () => (opened ??= openLineWriter());

/** The time of a line. Many are of the same millisecond, and to write a time in words costs as much as the rest of them. */
function openClock(): () => string {
  let at = 0;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== at) text = `,"time":"${new Date(now).toISOString()}"`;
    at = now;
    return text;
  };
}
