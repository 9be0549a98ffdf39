import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * The commit of a release: its tag's, and without one that with the subject of a release.
 * @param root a folder of the clone
 * @throws a sentence when this clone lacks it
 */
export async function commitOf(root: string, version: string): Promise<string> {
  const git = async (...args: string[]) => (await run('git', args, { cwd: root })).stdout.trim();
  const tagged = await git('rev-parse', '--verify', '--quiet', `refs/tags/v${version}^{commit}`).catch(
    () => '',
  );
  if (tagged) return tagged;
  const subject = `^Release ${version.replaceAll('.', '\\.')}$`;
  const released = await git('log', '--format=%H', '-1', '--grep', subject);
  if (released) return released;
  throw new Error(
    `This clone lacks the commit of ${version}: "git fetch --unshallow --tags" brings it, or "git fetch --tags" to a whole clone.`,
  );
}
