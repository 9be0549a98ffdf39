import { freePorts } from '@arboleda/local/engines/ports.ts';
import { once } from 'node:events';
import { fork } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPeers } from '../peers/peers.ts';
import { CORES } from '../peers/processes.ts';
import { byClients, type Contestant } from './contestant.ts';
import { pin } from './pin.ts';
import { openVendureBuyer } from './vendure-buyer.ts';

const PEER = fileURLToPath(new URL('vendure-peer.js', import.meta.url));
const PACKAGES = { '@vendure/core': '^3.0.0', pg: '^8.0.0' };

/** A shop of Vendure on a database of its own. */
export async function startVendure(databaseUrl: string): Promise<Contestant> {
  const folder = await installPeers('vendure', PACKAGES);
  await copyFile(PEER, join(folder, 'vendure-peer.js'));
  const [port] = await freePorts(1);
  const child = fork(join(folder, 'vendure-peer.js'), [databaseUrl, String(port)], {
    cwd: folder,
    env: { PATH: process.env.PATH, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('Vendure stopped while starting')));
  const [ready] = (await Promise.race([once(child, 'message'), ended])) as [{ variantId: string }];
  ended.catch(() => undefined);
  pin(child.pid!, CORES.measured);
  const buy = openVendureBuyer(`http://127.0.0.1:${port}`, ready.variantId);
  return {
    name: 'Vendure',
    share: 0.25,
    take: (orders, clients) => byClients(orders, clients, buy),
    async stop() {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
  };
}
