import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { releasedChangelog, sectionsOf, unreleasedEntries } from './changelog.ts';
import { brokenPromises, freezePromises } from './promises.ts';
import { compareVersions, isVersion, versionsIn, writeVersion } from './version.ts';

export interface Repository {
  /** Its folder. */
  root: string;
  /** Versions that have a fixture: it is made last. */
  released: readonly string[];
  /** Whether files have changed since the last commit. */
  isDirty: boolean;
}

const CHANGELOG = 'CHANGELOG.md';
const read = (root: string, file: string): string => readFileSync(join(root, file), 'utf8');

/**
 * Says why a version cannot be released, in sentences. The version that the code says already may be released until it has
 * its fixture, any number of times.
 */
export async function obstacles({ root, released, isDirty }: Repository, version: string): Promise<string[]> {
  if (!isVersion(version)) return [`"${version}" is no version: write it like 1.1.0.`];
  const current = currentVersion(root);
  if (released.includes(version)) return [`${version} is released: choose a higher version.`];
  if (compareVersions(version, current) < 0) return [`${version} is lower than ${current}.`];
  const changelog = read(root, CHANGELOG);
  const hasEntries = unreleasedEntries(changelog).length > 0;
  const sections = sectionsOf(changelog);
  const unfinished = sections.filter((one) => one !== version && !released.includes(one));
  const others = versionsIn(root).filter(({ versions }) => versions.some((one) => one !== current));
  return [
    ...(isDirty ? ['There are changes that are not committed: commit them first (git status).'] : []),
    ...unfinished.map((one) => `${one} has no fixture: node e2e/safety/releases/make.ts ${one} makes it.`),
    ...(hasEntries && sections.includes(version)
      ? [`${CHANGELOG} has a section of ${version}: move the lines under Unreleased there.`]
      : []),
    ...(hasEntries || sections.includes(version)
      ? []
      : [`${CHANGELOG} has nothing under Unreleased: say what changes for people who run it.`]),
    ...others.map(({ file, versions }) => `${file} says ${versions.join(', ')}, not ${current}.`),
    // Before the first release nothing was promised.
    ...(released.length > 0 ? await brokenPromises(root) : []),
  ];
}

/**
 * Writes all that belongs to a release.
 * @param day "2026-11-30"
 * @returns the paths of the files
 */
export async function writeRelease(root: string, version: string, day: string): Promise<string[]> {
  writeFileSync(join(root, CHANGELOG), releasedChangelog(read(root, CHANGELOG), version, day));
  return [...writeVersion(root, version), CHANGELOG, ...(await freezePromises(root, version))];
}

const currentVersion = (root: string): string =>
  (JSON.parse(read(root, 'package.json')) as { version: string }).version;
