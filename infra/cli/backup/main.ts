/** "npm run backup": copies the installation that is here, or rehearses its loss. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { report } from '../terminal/life.ts';
import { BACKUP_USAGE, backedUp, backedUpContainers, readFolder } from './command.ts';
import { backUpContainers } from './containers/backup.ts';
import { backUp } from './embedded.ts';

if (existsSync('.env')) process.loadEnvFile('.env');

const args = process.argv.slice(2);
try {
  if (args[0] === 'rehearse') {
    const command = ['e2e/safety/rehearsal/main.ts', ...args.slice(1)];
    process.exitCode = spawnSync(process.execPath, command, { stdio: 'inherit' }).status ?? 1;
  } else {
    const asked = readFolder(args, BACKUP_USAGE);
    const folder = resolve(asked.folder);
    process.stdout.write(
      asked.installation
        ? backedUpContainers(folder, await backUpContainers(asked.installation, folder))
        : backedUp(folder, await backUp(process.env, folder)),
    );
  }
} catch (error) {
  report(error);
  process.exitCode = 1;
}
