import { parseArgs } from 'node:util';
import { orUsage } from '../terminal/command.ts';
import type { Installation } from '../compose.ts';
import type { Manifest } from './files.ts';

const USAGE = `npm run backup -- <folder>      copies everything that cannot be replaced into a new folder, while it runs or not
npm run backup -- rehearse      fills an installation, backs it up, restores it and compares; "--short": in less than a minute;
                                "--compose": in containers of its own
npm run restore -- <folder>     restores a backup into an empty DATA_DIR
  --moved                       the installation was stopped before the backup: receipt numbers go on without a gap
  --compose                     the same for docker compose; --project and --env-file name another installation
`;

const OPTIONS = {
  compose: { type: 'boolean' },
  moved: { type: 'boolean' },
  project: { type: 'string' },
  'env-file': { type: 'string' },
} as const;

/** @throws Fault with the usage */
export function readFolder(
  args: readonly string[],
  command: 'backup' | 'restore',
): { folder: string; isMoved: boolean; installation?: Installation } {
  return orUsage(() => {
    const { positionals, values } = parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });
    const [folder, ...more] = positionals;
    const { compose = false, moved: isMoved = false, project, 'env-file': envFile } = values;
    if (
      !folder ||
      more.length > 0 ||
      (isMoved && command === 'backup') ||
      (!compose && (project ?? envFile) !== undefined)
    )
      throw new Error();
    return { folder, isMoved, ...(compose && { installation: { project, envFile } }) };
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

/** @property nextReceipt where the counter of receipt numbers was moved on */
export interface Restored {
  manifest: Manifest;
  nextReceipt?: string | undefined;
}

/** @param start the command that starts what was restored into */
export const restored = ({ manifest, nextReceipt }: Restored, start: string): string =>
  `${tableOf(manifest)}
Everything is as it was at ${manifest.madeAt}, written by version ${manifest.version}.
${receiptsSentence(nextReceipt)}
Start it: ${start}. Then:
  npm run reconcile -- --since 7d     brings in what was paid since
  npm run admin -- erase --email …    for each person who asked to be erased since`;

const receiptsSentence = (next: string | undefined): string =>
  next === undefined
    ? 'Receipt numbers go on where they were.'
    : `The next receipt number is ${next}: those before it may have been given since the backup, and none is given twice.`;
