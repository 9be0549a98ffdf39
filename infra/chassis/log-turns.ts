import type { DestinationStream } from 'pino';

/** https://getpino.io/#/docs/api?id=metadata */
const METADATA = Symbol.for('pino.metadata');
/** pino's number of a warning; an error's is higher. */
const WARN = 40;

/**
 * Gathers the lines of a turn of the event loop, so that one call of the system writes all of them before the next turn
 * begins. What warns is written at once, with all that came before it; what is left when the process exits as well.
 * See docs/decisions/0029.
 */
export function openTurnWriter(stream: Pick<DestinationStream, 'write'>): DestinationStream {
  let gathered = '';
  const flush = () => {
    const lines = gathered;
    gathered = '';
    if (lines !== '') stream.write(lines);
  };
  process.on('exit', flush);
  return {
    [METADATA]: true,
    lastLevel: 0,
    write(line: string) {
      if (gathered === '') setImmediate(flush);
      gathered += line;
      if (this.lastLevel >= WARN) flush();
    },
  } as DestinationStream & { lastLevel: number };
}
