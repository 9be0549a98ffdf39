import { clearPostgres } from '@arboleda/postgres/postgres.ts';
import { existsSync } from 'node:fs';
import { clearDataDir, dataDirPath } from './embedded/data-dir.ts';
import { report } from './terminal/command.ts';
import { join } from 'node:path';

if (existsSync('.env')) process.loadEnvFile('.env');

const path = dataDirPath(process.env);
try {
  const cleared = await clearDataDir(path, () => clearPostgres(join(path, 'postgres')));
  process.stdout.write(
    cleared ? `${path} is gone. npm start begins anew.\n` : `There is nothing at ${path}.\n`,
  );
} catch (error) {
  report(error);
  process.exitCode = 1;
}
