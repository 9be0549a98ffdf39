import { freePorts } from '@arboleda/cli/embedded/ports.ts';
import { type ChildProcess, execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { waitFor } from '../../harness/wait.ts';
import { CORES, end, outputOf, start } from './processes.ts';

/** A folder for each competitor, ignored by git. */
export const COMPETITORS = fileURLToPath(new URL('../.peers', import.meta.url));
const run = promisify(execFile);

/**
 * Installs what Arboleda is compared with into a folder that nobody commits; it is never part of the product.
 * @param packages versions by name
 * @returns the folder, whose node_modules has them
 * @throws what npm said
 */
export async function installCompetitor(
  name: string,
  packages: Readonly<Record<string, string>>,
): Promise<string> {
  const folder = join(COMPETITORS, name);
  const manifest = JSON.stringify({ private: true, type: 'module', dependencies: packages }, null, 2);
  const marker = join(folder, 'node_modules', '.installed');
  const wanted = createHash('sha256').update(manifest).digest('hex');
  if (existsSync(marker) && (await readFile(marker, 'utf8')) === wanted) return folder;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), manifest);
  await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder });
  await writeFile(marker, wanted);
  return folder;
}

interface Nginx {
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

/** A request that is made again and again. */
export interface Work {
  name: string;
  method: 'GET' | 'POST';
  path: string;
  body?: string;
  headers?: Readonly<Record<string, string>>;
  /** Expected status; 200 when absent. */
  status?: number;
}

/** Result of one round. */
export interface Round {
  /** Those of the status that was wanted. */
  answers: number;
  perSecond: number;
  p99Ms: number;
  /** Answers of another status, and calls without an answer. */
  failures: number;
}

/** Opens the load generator: https://github.com/mcollina/autocannon, in a process of its own beside what is not measured. */
export async function openLoad() {
  const folder = await installCompetitor('load', { autocannon: '^9.0.0' });
  const program = join(folder, 'node_modules/autocannon/autocannon.js');
  return async (
    url: string,
    { method, path, body, headers = {}, status = 200 }: Work,
    connections: number,
    seconds: number,
  ): Promise<Round> => {
    const named = { ...(body && { 'content-type': 'application/json' }), ...headers };
    const sent = [
      ...(body ? ['--body', body] : []),
      ...Object.entries(named).flatMap(([name, value]) => ['--headers', `${name}=${value}`]),
    ];
    const args = [
      '--json',
      '--no-progress',
      '-c',
      connections,
      '-d',
      seconds,
      '-m',
      method,
      ...sent,
      `${url}${path}`,
    ];
    const output = await outputOf(
      start({ args: [program, ...args.map(String)], core: CORES.others }, 'pipe'),
    );
    const seen = JSON.parse(output) as {
      statusCodeStats: Record<string, { count: number }>;
      duration: number;
      errors: number;
      latency: { p99: number };
    };
    const good = seen.statusCodeStats[status]?.count ?? 0;
    const answered = Object.values(seen.statusCodeStats).reduce((sum, { count }) => sum + count, 0);
    return {
      answers: good,
      perSecond: good / seen.duration,
      p99Ms: seen.latency.p99,
      failures: answered - good + seen.errors,
    };
  };
}
