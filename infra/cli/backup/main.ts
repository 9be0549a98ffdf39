/**
 * "npm run backup": copies the installation that is here, or rehearses its loss. "npm run restore": restores an
 * installation from a backup.
 */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { runCommand } from '../terminal/command.ts';
import { backedUp, readFolder, restored } from './command.ts';
import { backUpContainers, restoreContainers } from './containers.ts';
import { backUp, restore } from './embedded.ts';

await runCommand(async () => {
  const [command, ...args] = process.argv.slice(2);
  if (command === 'backup' && args[0] === 'rehearse') {
    const rehearsal = ['e2e/safety/rehearsal/main.ts', ...args.slice(1)];
    return spawnSync(process.execPath, rehearsal, { stdio: 'inherit' }).status ?? 1;
  }
  const name = command === 'backup' ? 'backup' : 'restore';
  const { folder: named, isMoved, installation } = readFolder(args, name);
  const folder = resolve(named);
  if (command === 'backup') {
    const manifest = await (installation
      ? backUpContainers(installation, folder)
      : backUp(process.env, folder));
    console.log(backedUp(folder, manifest));
  } else {
    const what = await (installation
      ? restoreContainers(installation, folder, { isMoved })
      : restore(process.env, folder, { isMoved }));
    console.log(restored(what, installation ? 'docker compose up --detach' : 'npm start'));
  }
  return 0;
});
