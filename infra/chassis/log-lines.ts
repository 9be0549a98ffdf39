import { type DestinationStream, pino } from 'pino';

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
export function openLineWriter(): DestinationStream {
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
