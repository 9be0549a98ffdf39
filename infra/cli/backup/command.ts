import { parseArgs } from 'node:util';
import { Fault } from '../terminal/fault.ts';
import type { Installation } from './containers/compose.ts';
import type { BackupDone } from './embedded.ts';
import type { Manifest } from './manifest.ts';

export const BACKUP_USAGE = `npm run backup -- <folder>      copies everything that cannot be had again into a new folder, while it runs or not
npm run backup -- --compose <folder>      the same of the containers of docker compose; --project and --env-file name others
npm run backup -- rehearse      fills an installation, backs it up, restores it and compares; "--short": in less than a minute;
                                "--compose": in containers of its own
`;
export const RESTORE_USAGE = `npm run restore -- <folder>     puts a back-up into an empty DATA_DIR
npm run restore -- --compose <folder>     into an empty installation of docker compose; --project and --env-file name others
`;

const OPTIONS = {
  compose: { type: 'boolean' },
  project: { type: 'string' },
  'env-file': { type: 'string' },
} as const;

/** @throws Fault with the usage */
export function readFolder(
  args: readonly string[],
  usage: string,
): { folder: string; installation?: Installation } {
  try {
    const { positionals, values } = parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });
    const [folder, ...more] = positionals;
    const { compose = false, project, 'env-file': envFile } = values;
    if (!folder || more.length > 0 || (!compose && (project ?? envFile) !== undefined))
      throw new Fault(usage);
    return { folder, ...(compose && { installation: { project, envFile } }) };
  } catch {
    throw new Fault(usage);
  }
}

/** Counts and sizes of a back-up, without file names. */
export function tableOf({ files }: Pick<Manifest, 'files'>): string {
  const parts = new Map<string, { files: number; bytes: number }>();
  for (const { path, sizeBytes } of files) {
    const [first, ...rest] = path.split('/');
    const name = rest.length === 0 ? 'secrets and state' : first!;
    const sum = parts.get(name) ?? { files: 0, bytes: 0 };
    parts.set(name, { files: sum.files + 1, bytes: sum.bytes + sizeBytes });
  }
  const rows = [...parts].map(
    ([name, { files: count, bytes }]) =>
      `  ${name.padEnd(20)}${String(count).padStart(8)} files${(bytes / 1e6).toFixed(1).padStart(10)} MB`,
  );
  return rows.join('\n');
}

export const backedUp = (folder: string, { manifest, wasRunning }: BackupDone): string =>
  `${tableOf(manifest)}
${folder} holds everything of ${manifest.madeAt}${wasRunning ? ', of one instant while it ran' : ''}.
It holds personal data and secrets, readable by you alone: encrypt it before it leaves this machine.
`;

export const restored = (manifest: Manifest, dataDir: string): string =>
  `${tableOf(manifest)}
${dataDir} is as it was at ${manifest.madeAt}: npm start. Then:
  npm run reconcile -- --since 7d     brings in what was paid since
  npm run admin -- erase --email …    for each who asked to be forgotten since
`;

/** Numbers of rows, documents and objects. */
const countsOf = ({ counts = {} }: Manifest): string =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `  ${name.padEnd(44)}${String(count).padStart(10)}`)
    .join('\n');

export const backedUpContainers = (folder: string, manifest: Manifest): string =>
  `${countsOf(manifest)}
${folder} holds everything of ${manifest.madeAt}, copied while it ran.
It holds personal data and secrets, readable by you alone: encrypt it before it leaves this machine.
`;

export const restoredContainers = (manifest: Manifest): string =>
  `${countsOf(manifest)}
Each row, document and object is as it was copied at ${manifest.madeAt}: docker compose up --detach. Then:
  npm run reconcile -- --since 7d     brings in what was paid since
  npm run admin -- erase --email …    for each who asked to be forgotten since
`;
