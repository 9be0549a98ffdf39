import { freePorts } from '@arboleda/postgres/free-ports.ts';
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { waitFor } from '../../harness/wait.ts';
import { CORES, end, type Server, start } from '../processes.ts';

/** A folder for each competitor, ignored by git. */
export const COMPETITORS = fileURLToPath(new URL('../.peers', import.meta.url));
const run = promisify(execFile);

const MEDUSA = '2.21.2';

/** Versions of what Arboleda is compared with, and of the load generator. None is part of the product. */
const PACKAGES = {
  express: {
    express: '^5.3.0',
    'express-rate-limit': '^8.0.0',
    helmet: '^8.0.0',
    'http-proxy-middleware': '^4.2.0',
    pino: '^10.0.0',
    'pino-http': '^11.0.0',
    'prom-client': '^15.0.0',
  },
  load: { autocannon: '^9.0.0' },
  medusa: { '@medusajs/medusa': MEDUSA, '@medusajs/framework': MEDUSA, '@medusajs/cli': MEDUSA },
  next: { next: '^16.0.0', react: '^19.0.0', 'react-dom': '^19.0.0' },
  vendure: { '@vendure/core': '^3.0.0', pg: '^8.0.0' },
};
export type CompetitorName = keyof typeof PACKAGES;

/** Installs one into a folder that nobody commits, when asked for. @returns the folder. @throws what npm said */
export async function installCompetitor(name: CompetitorName): Promise<string> {
  const folder = join(COMPETITORS, name);
  const manifest = JSON.stringify({ private: true, type: 'module', dependencies: PACKAGES[name] }, null, 2);
  const marker = join(folder, 'node_modules', '.installed');
  const wanted = createHash('sha256').update(manifest).digest('hex');
  if (existsSync(marker) && (await readFile(marker, 'utf8')) === wanted) return folder;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), manifest);
  await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder });
  await writeFile(marker, wanted);
  return folder;
}

/** One process on the core of what is measured, that serves the files of a folder; undefined where there is no nginx. */
export const startFileNginx = (root: string): Promise<Server | undefined> =>
  startNginx(
    (port) => `
      sendfile on; tcp_nopush on; keepalive_requests 1000000;
      types { image/jpeg jpg; }
      server { listen 127.0.0.1:${port}; root ${root}; }`,
  );

/** One process on the core of what is measured, that passes everything on; undefined where there is no nginx. */
export const startPassingNginx = (upstream: string): Promise<Server | undefined> =>
  startNginx(
    (port) => `
      upstream service { server ${new URL(upstream).host}; keepalive 64; }
      server {
        listen 127.0.0.1:${port};
        location / { proxy_pass http://service; proxy_http_version 1.1; proxy_set_header Connection ""; }
      }`,
  );

async function startNginx(http: (port: number) => string): Promise<Server | undefined> {
  try {
    execFileSync('nginx', ['-v'], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  const folder = await mkdtemp(join(tmpdir(), 'arboleda-nginx-'));
  const [port = 0] = await freePorts(1);
  await writeFile(
    join(folder, 'nginx.conf'),
    // Without a master, whose worker would be somebody else who may not read what is ours.
    `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;
     events { worker_connections 1024; }
     http {
       access_log off;
       client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
       fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
       ${http(port)}
     }`,
  );
  const child = start({ command: 'nginx', args: ['-p', folder, '-c', 'nginx.conf'], core: CORES.measured });
  const url = `http://127.0.0.1:${port}`;
  await waitFor('nginx', async () => fetch(url).then(Boolean, () => false));
  const stop = async () => {
    await end(child);
    await rm(folder, { recursive: true });
  };
  return { url, pid: child.pid!, stop, [Symbol.asyncDispose]: stop };
}
