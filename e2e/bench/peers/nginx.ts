import { freePorts } from '@arboleda/local/engines/ports.ts';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '../../harness/wait.ts';
import { CORES, end, start } from './processes.ts';

export interface Nginx {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

/** nginx with one worker on the core of what is measured, that serves the files of a folder; undefined where there is none. */
export async function startFileNginx(root: string): Promise<Nginx | undefined> {
  try {
    execFileSync('nginx', ['-v'], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  const [port] = await freePorts(1);
  const folder = await mkdtemp(join(tmpdir(), 'arboleda-nginx-'));
  // Who is root is somebody else in its worker, and may not read what is ours.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; worker_processes 1; ${user} pid ${folder}/pid; error_log ${folder}/error.log;
     events { worker_connections 1024; }
     http {
       access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000;
       types { image/jpeg jpg; text/javascript js; }
       client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
       fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
       server { listen 127.0.0.1:${port}; root ${root}; }
     }`,
  );
  const child = start({ command: 'nginx', args: ['-p', folder, '-c', 'nginx.conf'], core: CORES.measured });
  const url = `http://127.0.0.1:${port}`;
  await waitFor('nginx', async () => fetch(url).then(Boolean, () => false));
  return {
    url,
    pid: child.pid!,
    async stop() {
      await end(child);
      await rm(folder, { recursive: true });
    },
  };
}
