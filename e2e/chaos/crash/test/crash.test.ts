import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const TIMEOUT_MS = 600_000;

test(
  'what is killed at the worst moment loses nothing, does nothing twice and catches up',
  () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['e2e/chaos/main.ts', 'crash', '--short'],
      {
        ...{ cwd: ROOT, encoding: 'utf8', timeout: TIMEOUT_MS, env: { ...process.env, NODE_OPTIONS: '' } },
      },
    );
    // What it printed says what is wrong.
    expect(status === 0 ? '' : `${stdout}\n${stderr}`).toBe('');
    expect(stdout).toContain('No violation');
  },
  TIMEOUT_MS,
);
