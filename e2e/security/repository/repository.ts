import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Report, Topic } from '../frame/topic.ts';
import { images } from './images.ts';
import { licencesOf } from './licences.ts';
import { isOfTests, secretsIn } from './secrets.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);
const BINARY = new Set(['.jpg', '.webp', '.png', '.avif', '.woff2', '.ico', '.gif', '.pdf']);
const git = async (...args: string[]): Promise<string> =>
  (await run('git', args, { cwd: ROOT, maxBuffer: 1024 * 1024 * 1024 })).stdout;

/** No secret in any file or in history, and no licence that was not approved. */
export const repository: Topic = {
  name: 'repository',
  async run({ short }, report) {
    await tracked(report);
    await history(report);
    licences(report);
    if (short) report.note('images: only in the long form');
    else await images(report);
  },
};

const isGit = () =>
  git('rev-parse', '--git-dir').then(
    () => true,
    () => false,
  );

async function tracked({ check, note }: Report): Promise<void> {
  if (!(await isGit())) return note('files and history: skipped, this is no git repository');
  const files = (await git('ls-files', '-z'))
    .split('\0')
    .filter((file) => file && !BINARY.has(extname(file)));
  for (const file of files) {
    const found = secretsIn(await readFile(join(ROOT, file), 'utf8').catch(() => ''), !isOfTests(file));
    check(`${file} holds no secret`, found.length === 0, found);
    const isOne = /(?:^|\/)(?:\.env|secrets\.json|id_(?:rsa|ed25519)|\.npmrc)$|\.(?:pem|key|p12)$/.test(file);
    check(`${file} is no file of secrets`, !isOne);
  }
  note(`${files.length} files`);
}

/** Every line that was ever added. */
async function history({ check, note }: Report): Promise<void> {
  if (!(await isGit())) return;
  const commits = (await git('rev-list', 'HEAD')).trim().split('\n');
  const log = await git('log', '-p', '--no-color', '--no-textconv', '--unified=0', '--format=%x00%h', 'HEAD');
  let lines = 0;
  for (const commit of log.split('\0').slice(1)) {
    const found = commit
      .split('\n+++ ')
      .slice(1)
      .flatMap((file) => {
        const added = file.split('\n').filter((line) => line.startsWith('+'));
        lines += added.length;
        return secretsIn(added.map((line) => line.slice(1)).join('\n'), !isOfTests(file.split('\n')[0]!));
      });
    check(`commit ${commit.slice(0, 7)} adds no secret`, found.length === 0, found);
  }
  note(`${commits.length} commits, ${lines} lines that were added`);
}

function licences({ check, note }: Report): void {
  const { packages, counts, others } = licencesOf(ROOT);
  const sorted = [...counts].sort(([, a], [, b]) => b - a).map(([licence, count]) => `${licence} ${count}`);
  note(`${packages} packages: ${sorted.join(', ')}`);
  check('every package has a licence that was said yes to', others.length === 0, others);
}
