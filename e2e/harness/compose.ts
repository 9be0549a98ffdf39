import type { CallApi } from '@arboleda/contracts/client.ts';
import { methodOf, pathOf } from '@arboleda/contracts/endpoint.ts';
import { mongoImage } from '@arboleda/chassis/testing/containers/mongo-image.ts';
import { completeFile, freshValues } from '../../infra/docker/env-file.ts';
import { freePorts } from '@arboleda/postgres/free-ports.ts';
import { serviceKeysIn } from '@arboleda/cli/embedded/environment.ts';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv, promisify } from 'node:util';
import { makeAccounts } from './accounts.ts';
import type { Running } from './product.ts';
import { waitFor } from './wait.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

/** The distributed tier in containers of its own, with demo accounts. */
export interface Composed extends Running {
  project: string;
  envFile: string;
  /** `docker compose …`. @returns what it printed. @throws with what it complained of. */
  compose(...args: string[]): Promise<string>;
  docker(...args: string[]): Promise<string>;
  /** Runs a command in a container of a service. @param options of `docker compose exec` */
  exec(service: string, command: readonly string[], ...options: string[]): Promise<string>;
  /** How many containers a service has. */
  replicas(service: string): Promise<number>;
  /** A figure of one replica: the sum of all lines of a metric that hold `labels`. */
  figure(service: string, replica: number, metric: string, labels?: string): Promise<number>;
  down(): Promise<void>;
}

/**
 * Builds what is missing, starts everything under a project name of its own and waits until it is healthy.
 * @param files for `docker compose -f`; without any, those of this folder
 */
export async function startCompose(
  settings: Record<string, string> = {},
  files: readonly string[] = [],
): Promise<Composed> {
  const folder = await mkdtemp(join(tmpdir(), 'arboleda-compose-'));
  const [port, inboxPort, sandboxPort] = await freePorts(3);
  const envFile = join(folder, '.env');
  const own = {
    PORT: String(port),
    INBOX_PORT: String(inboxPort),
    STRIPE_SANDBOX_PORT: String(sandboxPort),
    MONGO_IMAGE: await mongoImage(),
    ...settings,
  };
  const given = Object.entries(own).map(([name, value]) => `${name}="${value}"\n`);
  const { text } = completeFile(given.join(''), {}, awkwardValues());
  await writeFile(envFile, text, { mode: 0o600 });
  const env = parseEnv(text) as Record<string, string>;
  const project = `arboleda-test-${port}`;

  const docker = async (...args: string[]): Promise<string> => {
    const { stdout } = await run('docker', args, {
      cwd: ROOT,
      // Variables of this process would override the file.
      env: { PATH: process.env.PATH, HOME: process.env.HOME, DOCKER_HOST: process.env.DOCKER_HOST },
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout;
  };
  const named = ['-p', project, '--env-file', envFile, ...files.flatMap((file) => ['-f', file])];
  const compose = (...args: string[]) => docker('compose', ...named, ...args);
  const exec: Composed['exec'] = (service, command, ...options) =>
    compose('exec', '--no-TTY', ...options, service, ...command);
  const down = async () => {
    await compose('--profile', '*', 'down', '--volumes', '--timeout', '20');
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await compose('up', '--build', '--detach', '--wait');
  } catch (error) {
    (error as Error).message += `\n${await complaintOf(compose).catch(String)}`;
    await down();
    throw error;
  }
  const composed: Composed = {
    project,
    envFile,
    url: `http://localhost:${port}`,
    inboxUrl: `http://localhost:${inboxPort}`,
    demoPassword: env.DEMO_PASSWORD!,
    serviceKeys: serviceKeysIn(env),
    stripeSecretKey: env.STRIPE_SANDBOX_SECRET_KEY!,
    stripePublishableKey: env.STRIPE_SANDBOX_PUBLISHABLE_KEY!,
    stripeWebhookSecret: env.STRIPE_SANDBOX_WEBHOOK_SECRET!,
    stripeApiUrl: `http://localhost:${sandboxPort}`,
    callAuth: insideAuth(exec),
    compose,
    docker,
    exec,
    replicas: async (service) => (await compose('ps', '--quiet', service)).split('\n').filter(Boolean).length,
    async figure(service, replica, metric, labels = '') {
      const text = await exec(service, fetchInside('GET', '/metrics'), `--index=${replica}`);
      return text
        .split('\n')
        .filter((line) => line.startsWith(`${metric}{`) && line.includes(labels))
        .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    },
    down,
  };
  try {
    // The gateway's container is well before it has found every service.
    await waitFor('every service behind the gateway', async () => (await fetch(`${composed.url}/readyz`)).ok);
    await makeAccounts(composed);
  } catch (error) {
    await down();
    throw error;
  }
  return composed;
}

/** One password in 64 begins with a dash, which some program may take for an option: here all of them do. */
const awkwardValues = () =>
  Object.fromEntries(
    Object.entries(freshValues()).map(([name, value]) => [
      name,
      name.endsWith('_PASSWORD') && name !== 'DEMO_PASSWORD' ? `-${value}` : value,
    ]),
  );

/** The last lines of every container; those of the ones that failed come last, where a long output is not cut. */
async function complaintOf(compose: Composed['compose']): Promise<string> {
  const format = '{{.Service}} {{.State}} {{.ExitCode}} {{.Health}}';
  const listed = await compose('ps', '--all', '--format', format);
  const states = listed.trim().split('\n');
  const failed = states.filter((state) => !/ running 0 (healthy)?$| exited 0 $/.test(state));
  const services = failed.map((state) => state.split(' ')[0]!);
  const [all, ofFailed] = await Promise.all([
    compose('logs', '--no-color', '--tail', '40'),
    services.length > 0 ? compose('logs', '--no-color', '--tail', '100', ...services) : '',
  ]);
  return `${all}\nfailed:\n${failed.join('\n')}\n${ofFailed}`;
}

/** A command that fetches from inside a service: /internal is reachable from there only. */
const fetchInside = (method: string, path: string, token = '', body?: string): string[] => [
  'node',
  '--input-type=module',
  '--eval',
  FETCH,
  method,
  path,
  token,
  ...(body === undefined ? [] : [body]),
];

const FETCH = `
  const [method, path, token, body] = process.argv.slice(1);
  const headers = { ...(token && { Authorization: 'Bearer ' + token }), ...(body && { 'Content-Type': 'application/json' }) };
  const answer = await fetch('http://127.0.0.1:8080' + path, { method, headers, body: body || null });
  process.stdout.write(await answer.text());
  process.exit(answer.ok ? 0 : 1);`;

const insideAuth =
  (exec: Composed['exec']): CallApi =>
  async (key, ...[parts]) => {
    const { token, body } = (parts ?? {}) as { token?: string; body?: unknown };
    const command = fetchInside(methodOf(key), pathOf(key), token, JSON.stringify(body));
    return JSON.parse(await exec('auth', command));
  };
