/** Exits after flushing stdout and stderr; process.exit() alone would lose output to a slow pipe. */
export async function exitAfterFlush(exitCode: number): Promise<never> {
  await Promise.all([process.stdout, process.stderr].map(flushed));
  process.exit(exitCode);
}

/** An error means that the reader is gone. */
const flushed = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    stream.once('error', () => resolve());
    stream.write('', () => resolve());
  });
