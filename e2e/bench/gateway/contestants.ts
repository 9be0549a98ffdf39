import { SERVICES } from '@arboleda/contracts/services.ts';
import { freePorts } from '@arboleda/cli/embedded/ports.ts';
import type { ChildProcess } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitFor } from '../../harness/wait.ts';
import { startPassingNginx } from '../peers/nginx.ts';
import { installPeers } from '../peers/peers.ts';
import { CORES, end, start } from '../peers/processes.ts';

/** A gateway that runs before the same upstream as the others, on the core of what is measured. */
export interface Contestant {
  name: string;
  url: string;
  /** Its one process. */
  pid: number;
  stop(): Promise<void>;
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PEER = fileURLToPath(new URL('express-peer.js', import.meta.url));
const EXPRESS = {
  express: '^5.3.0',
  'express-rate-limit': '^8.0.0',
  helmet: '^8.0.0',
  'http-proxy-middleware': '^4.2.0',
  pino: '^10.0.0',
  'pino-http': '^11.0.0',
  'prom-client': '^15.0.0',
};

async function answering(
  name: string,
  url: string,
  { pid }: ChildProcess,
  stop: () => Promise<void>,
): Promise<Contestant> {
  await waitFor(name, async () => (await fetch(`${url}/api/stats`).catch(() => undefined))?.ok);
  return { name, url, pid: pid!, stop };
}

export async function startArboleda(upstream: string): Promise<Contestant> {
  const [port, metricsPort] = await freePorts(2);
  const url = `http://127.0.0.1:${port}`;
  const child = start({
    args: ['gateway/main.ts'],
    cwd: ROOT,
    core: CORES.measured,
    env: {
      ...Object.fromEntries(SERVICES.map((name) => [`${name.toUpperCase()}_URL`, upstream])),
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      SITE_URL: url,
      LOG_LEVEL: 'info',
      // Limits count as ever, but one visitor may do what ten thousand do.
      RATE_LIMIT_SCALE: '1000000',
      WEB_DEV_URL: upstream,
    },
  });
  return answering('Arboleda', url, child, () => end(child));
}

export async function startExpress(upstream: string): Promise<Contestant> {
  const folder = await installPeers('express', EXPRESS);
  await copyFile(PEER, join(folder, 'gateway.js'));
  const [port] = await freePorts(1);
  const child = start({
    args: [join(folder, 'gateway.js'), upstream],
    core: CORES.measured,
    env: { PORT: String(port), NODE_ENV: 'production' },
  });
  return answering('Express 5', `http://127.0.0.1:${port}`, child, () => end(child));
}

/** Plain proxying by one process: the limit. Undefined where there is no nginx. */
export async function startNginx(upstream: string): Promise<Contestant | undefined> {
  const nginx = await startPassingNginx(upstream);
  return nginx && answering('nginx', nginx.url, nginx.child, nginx.stop);
}
