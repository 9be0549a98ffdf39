import { commitOf } from '@arboleda/cli/release/commit.ts';
import { compareVersions, isVersion } from '@arboleda/cli/release/version.ts';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '..', '..');
const RELEASES = join(ROOT, 'e2e', 'safety', 'releases');
const run = promisify(execFile);

/** One version of the product for docker compose, with images that no other run has. */
export interface Edition {
  /** What its images have for a label: a commit, or "today". */
  revision: string;
  /** The folder in which its operator runs commands. */
  root: string;
  /** For `docker compose -f`, in this order. */
  files: readonly string[];
}

export interface Versions {
  /** The number of the last release. */
  released: string;
  last: Edition;
  today: Edition;
  /** Deletes the images that were built, and the release's files. */
  remove(): Promise<void>;
}

/** Puts the last release beside this folder's code. @throws a sentence when this clone lacks its commit */
export async function openVersions(): Promise<Versions> {
  const released = readdirSync(RELEASES).filter(isVersion).sort(compareVersions).at(-1)!;
  const commit = await commitOf(ROOT, released);
  const folder = await mkdtemp(join(tmpdir(), 'arboleda-versions-'));
  const checkout = join(folder, released);
  const archive = join(folder, 'release.tar');
  await run('git', ['archive', '--output', archive, commit], { cwd: ROOT });
  await mkdir(checkout);
  await run('tar', ['--extract', '--file', archive, '--directory', checkout]);
  // Links of workspaces are relative, so its commands import its own code.
  const workspaces = join('node_modules', '@arboleda');
  await cp(join(ROOT, workspaces), join(checkout, workspaces), { recursive: true, verbatimSymlinks: true });

  const tag = `versions-${randomUUID().slice(0, 8)}`;
  const edition = async (root: string, revision: string): Promise<Edition> => {
    const file = join(root, 'docker-compose.yml');
    const names = join(folder, `${revision}.yml`);
    await writeFile(names, renamed(await readFile(file, 'utf8'), `${tag}-${revision}`));
    return { revision, root, files: [file, names] };
  };
  return {
    released,
    last: await edition(checkout, commit),
    today: await edition(ROOT, 'today'),
    async remove() {
      const { stdout } = await run('docker', ['image', 'ls', '--format', '{{.Repository}}:{{.Tag}}']);
      const built = stdout.split('\n').filter((image) => image.includes(`:${tag}-`));
      if (built.length > 0) await run('docker', ['image', 'rm', ...built]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A second file for compose: each image that the first one builds gets this tag. */
function renamed(compose: string, tag: string): string {
  const { services } = parse(compose, { merge: true, maxAliasCount: -1 }) as {
    services: Record<string, { image: string; build?: unknown }>;
  };
  const built = Object.entries(services).filter(([, { build }]) => build);
  return JSON.stringify({
    services: Object.fromEntries(built.map(([name, { image }]) => [name, { image: `${image}:${tag}` }])),
  });
}
