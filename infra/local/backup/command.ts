import { parseArgs } from 'node:util';
import { Fault } from '../terminal/fault.ts';
import type { BackupDone } from './embedded.ts';
import type { Manifest } from './manifest.ts';

export const BACKUP_USAGE = `npm run backup -- <folder>      copies everything that cannot be had again into a new folder, while it runs or not
npm run backup -- rehearse      fills an installation, backs it up, restores it and compares; "--short": in less than a minute
`;
export const RESTORE_USAGE = `npm run restore -- <folder>     puts a back-up into an empty DATA_DIR
`;

/** @throws Fault with the usage */
export function readFolder(args: readonly string[], usage: string): { folder: string } {
  try {
    const { positionals } = parseArgs({ args: [...args], allowPositionals: true, options: {} });
    const [folder, ...more] = positionals;
    if (!folder || more.length > 0) throw new Fault(usage);
    return { folder };
  } catch {
    throw new Fault(usage);
  }
}

/** What is told of a back-up: counts and sizes, no names. */
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
