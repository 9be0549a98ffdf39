import { createSchema } from '@arboleda/chassis/adapters/postgres/schema.ts';
import { inspectMigrations, migrate } from '@arboleda/chassis/adapters/postgres/sql/migrate.ts';
import { faultOf, type MigrationSet } from '@arboleda/chassis/adapters/postgres/sql/migration-files.ts';
import { openPool } from '@arboleda/chassis/adapters/postgres/sql/pool.ts';
import type { Environment } from '@arboleda/chassis/environment.ts';
import type { Logger } from '@arboleda/chassis/log.ts';
import { VERSION } from '@arboleda/contracts/version.ts';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { backUp } from '../backup/embedded.ts';
import { Fault } from '../terminal/command.ts';
import type { Progress } from '../terminal/progress.ts';
import { backsUpBeforeUpgrade } from './environment.ts';
import { backupOfUpgrade, readFolderVersion, writeFolderVersion } from './folder-version.ts';
import { productMigrations } from './product-migrations.ts';

export interface UpgradeParts {
  env: Environment;
  dataDir: string;
  databaseUrl: string;
  logger: Logger;
  progress: Progress;
  /** Those of the product by default. */
  sets?: readonly MigrationSet[];
}

/**
 * Brings the tables of an installation to this version before a service starts, after a backup beside the folder. If
 * it fails, the folder still belongs to the previous version, which works on the tables that were added.
 * @throws MigrationFault, Fault
 */
export async function upgrade(parts: UpgradeParts): Promise<void> {
  const { env, dataDir, logger, progress } = parts;
  const sets = parts.sets ?? productMigrations(env);
  const pool = openPool(parts.databaseUrl, logger, { max: 3, name: 'upgrade' });
  try {
    const states = await inspectMigrations(pool, sets);
    const fault = states.map(faultOf).find(Boolean);
    if (fault) throw fault;
    const isDue = states.some(({ pending }) => pending.length > 0);
    // New tables are made by the services, side by side.
    const isNew = states.every(({ applied }) => applied.length === 0);
    const from = readFolderVersion(dataDir) ?? VERSION;
    if (!isNew && from !== VERSION)
      progress.say(`  This is version ${VERSION}, and ${dataDir} is of ${from}.`);
    if (!isNew && isDue) {
      await keepBackup(parts, from);
      await progress.step('Upgrade of the database', async () => {
        await createSchema(pool, logger);
        for (const set of sets) await migrate(pool, set);
      });
    }
  } finally {
    await pool.end();
  }
  await writeFolderVersion(dataDir, VERSION);
}

/** Makes a backup beside the folder, unless an upgrade that failed did. */
async function keepBackup({ env, dataDir, progress }: UpgradeParts, from: string): Promise<void> {
  if (!backsUpBeforeUpgrade(env)) return;
  const former = backupOfUpgrade(dataDir);
  if (former !== undefined && existsSync(former))
    return progress.say(`  The backup from before the upgrade is ${former}.`);
  const folder = `${dataDir}-backup-${from}-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}`;
  await progress.step('Backup before the upgrade', () =>
    backUp({ ...env, DATA_DIR: dataDir }, folder).catch(async (cause: Error) => {
      await rm(folder, { recursive: true, force: true });
      throw new Fault(
        `The backup before the upgrade failed, and nothing was changed: ${cause.message} ` +
          'To go on without a backup: BACKUP_BEFORE_UPGRADE=off npm start',
        { cause },
      );
    }),
  );
  await writeFolderVersion(dataDir, from, folder);
  progress.say(`  The data as it was is in ${folder}: it holds personal data and secrets.`);
}
