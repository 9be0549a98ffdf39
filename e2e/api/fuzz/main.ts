/** "npm run test:api-fuzz [-- --examples 300] [--seed 42]": the fuzzer alone, with many examples for each operation. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const { values } = parseArgs({
  options: { examples: { type: 'string', default: '300' }, seed: { type: 'string' } },
});

const jest = spawn(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    join('node_modules', 'jest', 'bin', 'jest.js'),
    '--selectProjects',
    'api',
    '--',
    'e2e/api/test/fuzz',
  ],
  {
    cwd: ROOT,
    stdio: 'inherit',
    env: {
      ...process.env,
      API_FUZZ_EXAMPLES: values.examples,
      ...(values.seed !== undefined && { API_FUZZ_SEED: values.seed }),
    },
  },
);
const [code] = (await once(jest, 'exit')) as [number | null];
process.exitCode = code ?? 1;
