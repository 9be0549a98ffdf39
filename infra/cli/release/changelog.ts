const UNRELEASED = '## [Unreleased]';

/** The lines under Unreleased of CHANGELOG.md, without their subheadings: https://keepachangelog.com */
export function unreleasedEntries(changelog: string): string[] {
  const [, after = ''] = changelog.split(`\n${UNRELEASED}`);
  const [section = ''] = after.split('\n## ');
  return section.split('\n').filter((line) => line.startsWith('- '));
}

/**
 * Makes the unreleased entries those of a version, and starts a new list. An unreleased version that has its section
 * already keeps it.
 * @param day "2026-11-30"
 */
export function releasedChangelog(changelog: string, version: string, day: string): string {
  const heading = new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\].*$`, 'm');
  const dated = `## [${version}] - ${day}`;
  return heading.test(changelog)
    ? changelog.replace(heading, dated)
    : changelog.replace(UNRELEASED, `${UNRELEASED}\n\n${dated}`);
}

/** Versions that have a section. */
export const sectionsOf = (changelog: string): string[] =>
  [...changelog.matchAll(/^## \[(\d+\.\d+\.\d+)\]/gm)].map(([, version]) => version!);
