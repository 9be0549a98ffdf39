import { parseArgs } from 'node:util';
import { orUsage } from '../terminal/command.ts';
import type { Installation } from '../compose.ts';
import type { Manifest } from './files.ts';

const USAGE = `npm run backup -- <folder>      copies everything that cannot be replaced into a new folder, while it runs or not
npm run backup -- rehearse      fills an installation, backs it up, restores it and compares; "--short": in less than a minute;
                                "--compose": in containers of its own
npm run restore -- <folder>     restores a backup into an empty DATA_DIR
  --compose                     the same for docker compose; --project and --env-file name another installation
`;

const OPTIONS = {
  compose: { type: 'boolean' },
  project: { type: 'string' },
  'env-file': { type: 'string' },
} as const;

/** @throws Fault with the usage */
export function readFolder(args: readonly string[]): { folder: string; installation?: Installation } {
  return orUsage(() => {
    const { positionals, values } = parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });
    const [folder, ...more] = positionals;
    const { compose = false, project, 'env-file': envFile } = values;
    if (!folder || more.length > 0 || (!compose && (project ?? envFile) !== undefined)) throw new Error();
    return { folder, ...(compose && { installation: { project, envFile } }) };
  }, USAGE);
}

/** Numbers of rows, jobs, documents and objects. */
export const tableOf = ({ counts }: Pick<Manifest, 'counts'>): string =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `  ${name.padEnd(44)}${String(count).padStart(10)}`)
    .join('\n');

export const backedUp = (folder: string, manifest: Manifest): string =>
  `${tableOf(manifest)}
${folder} holds everything as of ${manifest.madeAt}.
It holds personal data and secrets, and only you can read it: encrypt it before it leaves this machine.`;

/** @param start the command that starts what was restored into */
export const restored = (manifest: Manifest, start: string): string =>
  `${tableOf(manifest)}
Everything is as it was at ${manifest.madeAt}, written by version ${manifest.version}. Start it: ${start}. Then:
  npm run reconcile -- --since 7d     brings in what was paid since
  npm run admin -- erase --email …    for each person who asked to be erased since`;
