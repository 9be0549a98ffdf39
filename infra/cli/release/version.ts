import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files that say the version, each with what precedes it there, all of its occurrences. */
const PLACES: readonly { file: string; before: RegExp; times: number }[] = [
  { file: 'package.json', before: /^ {2}"version": "/gm, times: 1 },
  { file: 'package-lock.json', before: /"name": "arboleda",\s+"version": "/g, times: 2 },
  { file: 'contracts/version.ts', before: /VERSION = '/g, times: 1 },
  { file: 'infra/docker/Dockerfile', before: /image\.version="/g, times: 1 },
  { file: 'infra/k8s/images/kustomization.yaml', before: /newTag: /g, times: 8 },
];

const NUMBER = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;
export const isVersion = (text: string): boolean => NUMBER.test(text);

/** Negative when `one` is lower: https://semver.org, without pre-releases. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [one, other].map((version) => version.split('.').map(Number));
  return a![0]! - b![0]! || a![1]! - b![1]! || a![2]! - b![2]!;
}

/** Every version that the files of a folder say, by file. */
export function versionsIn(root: string): { file: string; versions: string[] }[] {
  return PLACES.map(({ file, before }) => {
    const text = readFileSync(join(root, file), 'utf8');
    const found = text.matchAll(new RegExp(`(?:${before.source})(\\d+\\.\\d+\\.\\d+)`, before.flags));
    return { file, versions: [...found].map(([, version]) => version!) };
  });
}

/**
 * Writes a version wherever it is said.
 * @returns the paths of the files
 */
export function writeVersion(root: string, version: string): string[] {
  return PLACES.map(({ file, before, times }) => {
    const path = join(root, file);
    let count = 0;
    const text = readFileSync(path, 'utf8').replace(
      new RegExp(`(${before.source})\\d+\\.\\d+\\.\\d+`, before.flags),
      (_found, start: string) => {
        count += 1;
        return `${start}${version}`;
      },
    );
    if (count !== times) throw new Error(`${file} says the version ${count} times, not ${times}`);
    writeFileSync(path, text);
    return file;
  });
}
