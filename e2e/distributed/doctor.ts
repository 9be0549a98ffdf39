import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import type { Composed } from '../harness/compose.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** What "npm run doctor" finds at these containers: its sentences. */
export async function askDoctor({ project, envFile }: Composed): Promise<string[]> {
  const { PATH, HOME, DOCKER_HOST } = process.env;
  const env = {
    PATH,
    HOME,
    ...(DOCKER_HOST && { DOCKER_HOST }),
    COMPOSE_PROJECT_NAME: project,
    COMPOSE_ENV_FILES: envFile,
    DATA_DIR: join(dirname(envFile), 'no-data'),
  };
  const said = await new Promise<string>((resolve) =>
    // It ends with a status other than 0 when there is something to mend.
    execFile(process.execPath, ['infra/cli/doctor/main.ts'], { cwd: ROOT, env }, (_error, stdout, stderr) =>
      resolve(`${stdout}${stderr}`),
    ),
  );
  if (!/Looked at docker compose/.test(said)) throw new Error(`the doctor looked elsewhere:\n${said}`);
  return said
    .split('\n')
    .filter((line) => line.startsWith('✗ '))
    .map((line) => line.slice(2));
}
