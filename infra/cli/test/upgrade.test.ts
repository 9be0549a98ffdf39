import { inspectMigrations, migrate } from '@arboleda/chassis/adapters/postgres/sql/migrate.ts';
import type { MigrationSet } from '@arboleda/chassis/adapters/postgres/sql/migration-files.ts';
import { createSchema } from '@arboleda/chassis/adapters/postgres/schema.ts';
import { openPool } from '@arboleda/chassis/adapters/postgres/sql/pool.ts';
import type { Environment } from '@arboleda/chassis/environment.ts';
import { VERSION } from '@arboleda/contracts/version.ts';
import { type Postgres, startPostgres } from '@arboleda/postgres/postgres.ts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type pg from 'pg';
import { pino } from 'pino';
import { type DataDir, openDataDir } from '../embedded/data-dir.ts';
import { backsUpBeforeUpgrade } from '../embedded/environment.ts';
import { readFolderVersion, writeFolderVersion } from '../embedded/folder-version.ts';
import { keepSecrets } from '../embedded/secrets.ts';
import { productMigrations } from '../embedded/product-migrations.ts';
import { upgrade } from '../embedded/upgrade.ts';
import { silentProgress } from '../terminal/progress.ts';

const PRICING = new URL('../../../services/pricing/migrations/', import.meta.url);
/** A release before this one. */
const FORMER = '0.9.9';

describe('an upgrade of a data folder', () => {
  let dir: string;
  let dataDir: DataDir;
  let postgres: Postgres;
  let pool: pg.Pool;
  const logger = pino({ level: 'silent' });
  let said: string[];

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'arboleda-upgrade-'));
    await chmod(dir, 0o755);
    dataDir = await openDataDir(join(dir, 'data'));
    const { postgresPassword: password } = await keepSecrets(dataDir.at('secrets.json'));
    await mkdir(dataDir.at('logs'));
    postgres = await startPostgres({
      dir: dataDir.at('postgres'),
      logFile: dataDir.at('logs', 'postgres.log'),
      password,
    });
    pool = openPool(postgres.url, logger, { max: 3, name: 'test' });
    said = [];
  });

  afterEach(async () => {
    await pool.end();
    await postgres.close();
    dataDir.release();
    await rm(dir, { recursive: true });
  });

  const former = productMigrations({});

  /** The installation of a former version, with a row. */
  async function install() {
    await createSchema(pool, logger);
    for (const set of former) await migrate(pool, set);
    await pool.query('create table pricing.kept as select 7 as trees');
    await writeFolderVersion(dataDir.path, FORMER);
  }

  /** Migrations of this version: those of the former one, and another. */
  async function withMigration(text: string): Promise<MigrationSet[]> {
    const folder = join(dir, 'migrations');
    await rm(folder, { recursive: true, force: true });
    await cp(PRICING, folder, { recursive: true });
    const next = String(readdirSync(folder).length + 1).padStart(3, '0');
    await writeFile(join(folder, `${next}_more.sql`), text);
    const isOfPricing = ({ schema, table }: MigrationSet) => schema === 'pricing' && table === '_migrations';
    return former.map((set) => (isOfPricing(set) ? { ...set, folder: pathToFileURL(`${folder}/`) } : set));
  }

  const run = (sets: readonly MigrationSet[], env: Environment = {}) =>
    upgrade({
      env,
      dataDir: dataDir.path,
      databaseUrl: postgres.url,
      logger,
      progress: { ...silentProgress, say: (line) => void said.push(line) },
      sets,
    });

  const backups = () => readdirSync(dir).filter((name) => name.startsWith('data-backup-'));
  const columns = async () => Object.keys((await pool.query('select * from pricing.kept')).rows[0]);

  test('says from which version, makes a backup beside it, and migrates', async () => {
    await install();
    await run(await withMigration('alter table kept add column place text;'));
    expect(await columns()).toEqual(['trees', 'place']);
    expect(said[0]).toBe(`  This is version ${VERSION}, and ${dataDir.path} is of ${FORMER}.`);
    expect(backups()).toEqual([expect.stringMatching(/^data-backup-0\.9\.9-\d{4}-\d\d-\d\dT\d{6}$/)]);
    expect(existsSync(join(dir, backups()[0]!, 'manifest.json'))).toBe(true);
    expect(readFolderVersion(dataDir.path)).toBe(VERSION);
    await run(await withMigration('alter table kept add column place text;'));
    expect(backups()).toHaveLength(1);
  }, 60_000);

  test('that fails leaves a folder that the former version opens, and is tried again with the same backup', async () => {
    await install();
    const wrong = await withMigration('alter table kept add column place text; select nonsense;');
    for (let times = 0; times < 2; times++)
      await expect(run(wrong)).rejects.toThrow(
        /^002_more\.sql could not change the data of pricing: .*nonsense.*\. The former version still opens it/,
      );
    expect(readFolderVersion(dataDir.path)).toBe(FORMER);
    expect(await columns()).toEqual(['trees']);
    expect(backups()).toHaveLength(1);
    for (const set of former) await migrate(pool, set);

    // The former version has run: data may have changed, so the next try makes another backup.
    await writeFolderVersion(dataDir.path, FORMER);
    await rm(join(dir, backups()[0]!), { recursive: true });
    await run(await withMigration('alter table kept add column place text;'));
    expect([await columns(), backups().length]).toEqual([['trees', 'place'], 1]);
  }, 60_000);

  test('makes no backup when nothing is due, when it is turned off, and of a new folder', async () => {
    await run(former);
    expect(await inspectMigrations(pool, former)).toMatchObject(former.map(() => ({ applied: [] })));
    await install();
    await run(former);
    expect(readFolderVersion(dataDir.path)).toBe(VERSION);
    await writeFolderVersion(dataDir.path, FORMER);
    await run(await withMigration('alter table kept add column place text;'), {
      BACKUP_BEFORE_UPGRADE: 'off',
    });
    expect(await columns()).toEqual(['trees', 'place']);
    expect(backups()).toEqual([]);
    expect(() => backsUpBeforeUpgrade({ BACKUP_BEFORE_UPGRADE: 'perhaps' })).toThrow(
      'BACKUP_BEFORE_UPGRADE must be on or off, and it is "perhaps".',
    );
  }, 60_000);
});
