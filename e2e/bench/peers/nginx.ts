import { freePorts } from '@arboleda/cli/embedded/ports.ts';
import { type ChildProcess, execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '../../harness/wait.ts';
import { CORES, end, start } from './processes.ts';

export interface Nginx {
  url: string;
  child: ChildProcess;
  pid: number;
  stop(): Promise<void>;
}

/** One process on the core of what is measured, that serves the files of a folder; undefined where there is no nginx. */
export const startFileNginx = (root: string): Promise<Nginx | undefined> =>
  startNginx(
    (port) => `
      sendfile on; tcp_nopush on; keepalive_requests 1000000;
      types { image/jpeg jpg; text/javascript js; }
      server { listen 127.0.0.1:${port}; root ${root}; }`,
  );

/** One process on the core of what is measured, that passes everything on; undefined where there is no nginx. */
export const startPassingNginx = (upstream: string): Promise<Nginx | undefined> =>
  startNginx(
    (port) => `
      upstream service { server ${new URL(upstream).host}; keepalive 64; }
      server {
        listen 127.0.0.1:${port};
        location / { proxy_pass http://service; proxy_http_version 1.1; proxy_set_header Connection ""; }
      }`,
  );

async function startNginx(http: (port: number) => string): Promise<Nginx | undefined> {
  try {
    execFileSync('nginx', ['-v'], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  const [port] = await freePorts(1);
  const folder = await mkdtemp(join(tmpdir(), 'arboleda-nginx-'));
  await writeFile(
    join(folder, 'nginx.conf'),
    // Without a master, whose worker would be somebody else who may not read what is ours.
    `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;
     events { worker_connections 1024; }
     http {
       access_log off;
       client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
       fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
       ${http(port!)}
     }`,
  );
  const child = start({ command: 'nginx', args: ['-p', folder, '-c', 'nginx.conf'], core: CORES.measured });
  const url = `http://127.0.0.1:${port}`;
  await waitFor('nginx', async () => fetch(url).then(Boolean, () => false));
  return {
    url,
    child,
    pid: child.pid!,
    async stop() {
      await end(child);
      await rm(folder, { recursive: true });
    },
  };
}
