/**
 * "npm run backup": copies the installation that is here, or rehearses its loss. "npm run restore": restores an
 * installation from a backup.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { report } from '../terminal/command.ts';
import { backedUp, readFolder, restored } from './command.ts';
import { backUpContainers, restoreContainers } from './containers.ts';
import { backUp, restore } from './embedded.ts';

if (existsSync('.env')) process.loadEnvFile('.env');

const [command, ...args] = process.argv.slice(2);
try {
  if (args[0] === 'rehearse' && command === 'backup') {
    const rehearsal = ['e2e/safety/rehearsal/main.ts', ...args.slice(1)];
    process.exitCode = spawnSync(process.execPath, rehearsal, { stdio: 'inherit' }).status ?? 1;
  } else {
    const { folder: named, installation } = readFolder(args);
    const folder = resolve(named);
    process.stdout.write(
      command === 'backup'
        ? backedUp(
            folder,
            await (installation ? backUpContainers(installation, folder) : backUp(process.env, folder)),
          )
        : restored(
            await (installation ? restoreContainers(installation, folder) : restore(process.env, folder)),
          ),
    );
  }
} catch (error) {
  report(error);
  process.exitCode = 1;
}
