/** Ends this process when all it wrote is out: of a pipe that is read slowly, process.exit() throws the rest away. */
export async function leave(exitCode: number): Promise<never> {
  await Promise.all([process.stdout, process.stderr].map(written));
  process.exit(exitCode);
}

/** Nobody may listen any more: then there is nothing to wait for. */
const written = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    stream.once('error', () => resolve());
    stream.write('', () => resolve());
  });
