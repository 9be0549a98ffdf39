/** "npm run restore": an installation from its back-up. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { dataDirPath } from '../data-dir/data-dir.ts';
import { report } from '../terminal/life.ts';
import { readFolder, RESTORE_USAGE, restored } from './command.ts';
import { restore } from './embedded.ts';

if (existsSync('.env')) process.loadEnvFile('.env');

try {
  const folder = resolve(readFolder(process.argv.slice(2), RESTORE_USAGE).folder);
  process.stdout.write(restored(await restore(process.env, folder), dataDirPath(process.env)));
} catch (error) {
  report(error);
  process.exitCode = 1;
}
