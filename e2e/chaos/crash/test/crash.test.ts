import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const TIMEOUT_MS = 600_000;

test.each([
  ['services as processes of their own', []],
  ['all of them as one process', ['--tier=together']],
])(
  '%s, killed at the worst moment, lose nothing, do nothing twice and catch up',
  (_, tier) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['e2e/chaos/main.ts', 'crash', '--short', ...tier],
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
