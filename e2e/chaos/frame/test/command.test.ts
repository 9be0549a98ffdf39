import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const chaos = (...args: string[]) =>
  spawnSync(process.execPath, ['infra/local/bootstrap.js', 'chaos', ...args], {
    cwd: ROOT,
    encoding: 'utf8',
  });

test('npm run chaos ends with an error and says what there is when it is not told what to run', () => {
  const nothing = chaos();
  expect(nothing).toMatchObject({ status: 1, stdout: '' });
  expect(nothing.stderr).toContain('Say what to run: npm run chaos -- <');
  expect(chaos('earthquake').stderr).toContain('There is no part "earthquake".');
});
