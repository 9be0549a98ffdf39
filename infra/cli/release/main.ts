/** "npm run release": checks and writes all that belongs to a release. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Fault, runCommand } from '../terminal/command.ts';
import { brokenPromises } from './promises.ts';
import { obstacles, writeRelease } from './release.ts';
import { isVersion } from './version.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const USAGE = `npm run release -- 1.1.0    checks and writes all that belongs to the release 1.1.0
npm run release -- check    what would break those who use the last release`;

await runCommand(async () => {
  const [version, ...rest] = process.argv.slice(2);
  if (version === undefined || rest.length > 0) throw new Fault(USAGE);
  if (version === 'check') {
    const broken = await brokenPromises(ROOT);
    console.log(broken.join('\n') || 'No change breaks those who use the last release.');
    return broken.length === 0 && samplesHold() ? 0 : 1;
  }
  const released = readdirSync(join(ROOT, 'e2e/safety/releases')).filter(isVersion);
  const isDirty = git('status', '--porcelain').length > 0;
  const reasons = await obstacles({ root: ROOT, released, isDirty }, version);
  if (reasons.length > 0) throw new Fault(reasons.join('\n'));
  if (released.length > 0 && !samplesHold()) throw new Fault('A sample of a release fails, see above.');
  const files = await writeRelease(ROOT, version, new Date().toISOString().slice(0, 10));
  const unkept = await brokenPromises(ROOT);
  if (unkept.length > 0)
    throw new Fault(`The release would promise what does not hold:\n${unkept.join('\n')}`);
  console.log(`${files.join('\n')}

${version} is written. Next:
  node e2e/safety/releases/make.ts ${version}
  npm test
  git add --all && git commit --message "Release ${version}" && git tag v${version}`);
  return 0;
});

/** Lines of a git command's output. */
function git(...args: string[]): string[] {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Fault(`git ${args[0]} failed: ${stderr.trim()}`);
  return stdout.split('\n').filter((line) => line !== '');
}

/** Runs the tests of what releases left on phones, in browsers and with verifiers of certificates. */
function samplesHold(): boolean {
  const jest = [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
  ];
  return spawnSync(process.execPath, [...jest, 'released'], { cwd: ROOT, stdio: 'inherit' }).status === 0;
}
