import { type DestinationStream, pino } from 'pino';
import { type Context, currentContext, hasContext } from './context.ts';
import type { LogFields } from './telemetry/names.ts';

/** https://getpino.io/#/docs/api?id=metadata */
const METADATA = Symbol.for('pino.metadata');
/** pino's level number of a warning; errors are higher. */
const WARN = 40;
/** How long a line below warning may be buffered. */
const GATHER_MS = 10;

/**
 * Buffers lines to standard output and writes them from a worker thread. Warnings and errors flush the buffer; the
 * rest is flushed at exit: docs/decisions/10.
 */
function openLineWriter(): DestinationStream {
  const destination = pino.destination({ sync: false });
  // pino's own buffering measures the whole buffer again for each line.
  let gathered = '';
  const flushTo = (stream: Pick<DestinationStream, 'write'>) => {
    const lines = gathered;
    gathered = '';
    if (lines !== '') stream.write(lines);
  };
  const flush = () => flushTo(destination);
  // After pino's exit listener, which writes what the thread has not.
  process.on('exit', () => flushTo(pino.destination({ sync: true })));
  return {
    [METADATA]: true,
    lastLevel: 0,
    write(line: string) {
      if (gathered === '') setTimeout(flush, GATHER_MS).unref();
      gathered += line;
      if (this.lastLevel >= WARN) flush();
    },
  } as DestinationStream & { lastLevel: number };
}

interface WriteLine {
  (fields: LogFields, message: string): void;
  (message: string): void;
}

/** pino's logger, with the fields of telemetry/names.ts only. */
export interface Logger {
  fatal: WriteLine;
  error: WriteLine;
  warn: WriteLine;
  info: WriteLine;
  debug: WriteLine;
  trace: WriteLine;
  child(fields: LogFields, options?: { redact: string[] }): Logger;
  isLevelEnabled(level: string): boolean;
}

const PERSONAL = [
  'token',
  'email',
  'password',
  '*.token',
  '*.email',
  '*.password',
  'req.headers.authorization',
];

/** An error without the fields that drivers add: PostgreSQL's `detail` quotes the row, which may hold an address. */
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

/** Ids that connect log lines across processes. A traceparent is version-trace-span-flags. */
const followed = ({ correlationId, traceparent, orderId }: Context): LogFields => ({
  correlationId,
  ...(traceparent !== undefined && { traceId: traceparent.split('-')[1] }),
  ...(orderId !== undefined && { orderId }),
});

/**
 * Logs JSON lines with the service's name and the correlation id. Only ids, never names, addresses or tokens.
 * @param service absent for a process with several services, which name themselves in child loggers
 * @param stream standard output when absent
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

/** Shared by all loggers of the process, so that lines stay in order. */
let opened: DestinationStream | undefined;
const standardOutput = () => (opened ??= openLineWriter());

/** Formatting a timestamp costs as much as the rest of a line, so it is cached for its millisecond. */
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
