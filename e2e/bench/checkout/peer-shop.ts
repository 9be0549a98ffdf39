import { freePorts } from '@arboleda/cli/embedded/ports.ts';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPeers } from '../peers/peers.ts';
import { CORES, end } from '../peers/processes.ts';
import { pin } from './pin.ts';

interface Shop {
  name: string;
  /** Versions by name. */
  packages: Readonly<Record<string, string>>;
  /** Beside this one; it is started by the first of them. */
  files: readonly [string, ...string[]];
  databaseUrl: string;
  env?: Readonly<Record<string, string>>;
}

/**
 * A shop that others make, installed when asked for, on the core of what is measured: its program gets a database and a port,
 * and sends a message when it serves.
 * @returns where it serves, and its message
 * @throws when it ends before it serves
 */
export async function startPeerShop<Ready>({ name, packages, files, databaseUrl, env }: Shop) {
  const folder = await installPeers(name, packages);
  for (const file of files) await copyFile(fileURLToPath(new URL(file, import.meta.url)), join(folder, file));
  const [port] = await freePorts(1);
  const child = fork(join(folder, files[0]), [databaseUrl, String(port)], {
    cwd: folder,
    // Keeps its user settings in its own folder.
    env: { PATH: process.env.PATH, HOME: folder, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`${name} stopped while starting`)));
  const [ready] = (await Promise.race([once(child, 'message'), ended])) as [Ready];
  ended.catch(() => undefined);
  pin(child.pid!, CORES.measured);
  return { url: `http://127.0.0.1:${port}`, ready, stop: () => end(child) };
}
