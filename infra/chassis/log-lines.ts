import { type DestinationStream, pino } from 'pino';

/** https://getpino.io/#/docs/api?id=metadata */
const METADATA = Symbol.for('pino.metadata');
/** pino's number of a warning; an error's is higher. */
const WARN = 40;
/** How long a line that warns of nothing may wait for others. */
const GATHER_MS = 10;

/**
 * Writes lines to standard output together, by a thread beside the event loop. What warns goes on its way at once, with all
 * that came before it; what is left is written when the process exits. See docs/decisions/10.
 */
export function openLineWriter(): DestinationStream {
  const destination = pino.destination({ sync: false });
  // Its own way to put lines together measures all of them again for each that is added.
  let gathered = '';
  const flushTo = (stream: Pick<DestinationStream, 'write'>) => {
    const lines = gathered;
    gathered = '';
    if (lines !== '') stream.write(lines);
  };
  const flush = () => flushTo(destination);
  // After pino's own listener, which writes what the thread has not.
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
