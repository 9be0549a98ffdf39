import { freePorts } from '@arboleda/cli/embedded/ports.ts';
import { fileURLToPath } from 'node:url';
import { waitFor } from '../../harness/wait.ts';
import { end, start } from '../peers/processes.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const START_WITHIN_MS = 120_000;

/**
 * `npm start` as it is typed, until the landing page and every service answer; then Ctrl-C. Everything is installed, and the web
 * app was built before.
 * @returns seconds
 */
export async function startOnce(dataDir: string): Promise<number> {
  const [port] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const startedAt = performance.now();
  const child = start({
    args: ['infra/cli/bootstrap.js', 'start'],
    cwd: ROOT,
    env: { ...process.env, NODE_OPTIONS: '', PORT: String(port), DATA_DIR: dataDir },
  });
  try {
    const isUsable = async () => {
      if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}`);
      const answers = await Promise.all(
        ['/readyz', '/'].map((path) => fetch(`${url}${path}`).catch(() => undefined)),
      );
      for (const answer of answers) await answer?.arrayBuffer();
      return answers.every((answer) => answer?.ok);
    };
    await waitFor('a usable page', isUsable, START_WITHIN_MS);
    return (performance.now() - startedAt) / 1000;
  } finally {
    await end(child);
  }
}
