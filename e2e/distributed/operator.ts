import { execFile } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import type { Composed } from '../harness/compose.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/**
 * Runs a command as an operator of these containers would.
 * @param of the version of the product whose command it is: its folder, and its files for compose
 * @returns its exit code and all that it wrote
 */
export function runCommand(
  { project, envFile }: Pick<Composed, 'project' | 'envFile'>,
  command: readonly string[],
  of: { root: string; files: readonly string[] } = { root: ROOT, files: [] },
): Promise<{ code: number | null; said: string }> {
  const { PATH, HOME, DOCKER_HOST } = process.env;
  const env = {
    PATH,
    HOME,
    ...(DOCKER_HOST && { DOCKER_HOST }),
    COMPOSE_PROJECT_NAME: project,
    COMPOSE_ENV_FILES: envFile,
    ...(of.files.length > 0 && { COMPOSE_FILE: of.files.join(delimiter) }),
    DATA_DIR: join(dirname(envFile), 'no-data'),
  };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, command, { cwd: of.root, env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, said: `${stdout}${stderr}` }),
    );
  });
}

/** What "npm run doctor" finds wrong with these containers. */
export async function askDoctor(product: Composed): Promise<string[]> {
  const { said } = await runCommand(product, ['infra/cli/doctor/main.ts']);
  if (!/Checked docker compose/.test(said)) throw new Error(`the doctor looked elsewhere:\n${said}`);
  return said
    .split('\n')
    .filter((line) => line.startsWith('✗ '))
    .map((line) => line.slice(2));
}
