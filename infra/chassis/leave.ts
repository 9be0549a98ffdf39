/** Exits after flushing stdout and stderr; process.exit() alone would lose output to a slow pipe. */
export async function leave(exitCode: number): Promise<never> {
  await Promise.all([process.stdout, process.stderr].map(written));
  process.exit(exitCode);
}

/** An error means that the reader is gone. */
const written = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    stream.once('error', () => resolve());
    stream.write('', () => resolve());
  });
