import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Those that ask for no more than to be named, and fonts and data under their own like them. */
const ALLOWED = new Set(
  'MIT MIT-0 ISC BSD BSD-2-Clause BSD-3-Clause 0BSD Apache-2.0 Unlicense CC0-1.0 CC-BY-4.0 CC-BY-3.0 BlueOak-1.0.0 Python-2.0 PSF-2.0 Zlib WTFPL OFL-1.1 PostgreSQL W3C-20150513 Unicode-3.0 Unicode-DFS-2016'.split(
    ' ',
  ),
);
/** Whole, unchanged, as libraries or tools of their own: this asks nothing of what stands beside them. */
const AS_THEY_ARE = new Set(['MPL-2.0', 'LGPL-3.0-or-later', 'LGPL-3.0', 'LGPL-2.1-or-later']);

/** Whose package.json says nothing, or points to the LICENSE file beside it, by that file. */
const BY_THEIR_FILE: Record<string, string> = {
  'png-js': 'MIT',
  '@digitalbazaar/credentials-context': 'BSD-3-Clause AND W3C-20150513',
};

interface Licences {
  packages: number;
  /** Which nobody has said yes to: name and licence. */
  others: string[];
}

interface Locked {
  packages: Record<string, { version?: string; license?: string; link?: boolean; optional?: boolean }>;
}

/** Licences of all packages in package-lock.json: as installed, or as locked for other platforms. */
export function licencesOf(root: string): Licences {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Locked;
  const packages = Object.entries(lock.packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && !link,
  );
  let looked = 0;
  const others: string[] = [];
  for (const [path, locked] of packages) {
    const name = path.split('node_modules/').at(-1)!;
    const file = join(root, path, 'package.json');
    const said = BY_THEIR_FILE[name] ?? installed(file) ?? locked.license;
    // A native package that could not be built here, which nobody needs.
    if (said === undefined && locked.optional && !existsSync(file)) continue;
    const licence = said ?? 'unknown';
    looked++;
    if (!isAllowed(licence)) others.push(`${name}: ${licence}`);
  }
  return { packages: looked, others };
}

/** "(MIT OR GPL-3.0)": one of them is enough. "A AND B": both. */
const isAllowed = (licence: string): boolean =>
  licence
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((one) => ALLOWED.has(one) || AS_THEY_ARE.has(one)));

function installed(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const { license, licenses } = JSON.parse(readFileSync(file, 'utf8')) as {
    license?: string | { type: string };
    licenses?: { type: string }[];
  };
  return typeof license === 'string' ? license : (license?.type ?? licenses?.[0]?.type);
}
