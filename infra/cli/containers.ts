import { spawnSync } from 'node:child_process';

const ANSWERS_WITHIN_MS = 10_000;

/** Whether `docker compose` works on this machine. */
export const containersRun = (): boolean =>
  [['info'], ['compose', 'version']].every(
    (args) => spawnSync('docker', args, { stdio: 'ignore', timeout: ANSWERS_WITHIN_MS }).status === 0,
  );
