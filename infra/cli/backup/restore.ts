/** "npm run restore": restores an installation from a back-up. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { dataDirPath } from '../embedded/data-dir.ts';
import { report } from '../terminal/life.ts';
import { readFolder, RESTORE_USAGE, restored, restoredContainers } from './command.ts';
import { restoreContainers } from './containers/restore.ts';
import { restore } from './embedded.ts';

if (existsSync('.env')) process.loadEnvFile('.env');

try {
  const asked = readFolder(process.argv.slice(2), RESTORE_USAGE);
  const folder = resolve(asked.folder);
  process.stdout.write(
    asked.installation
      ? restoredContainers(await restoreContainers(asked.installation, folder))
      : restored(await restore(process.env, folder), dataDirPath(process.env)),
  );
} catch (error) {
  report(error);
  process.exitCode = 1;
}
