import type { ServiceName } from '@arboleda/contracts/services.ts';
import type { TestIdentity } from '@arboleda/chassis/testing/identity.ts';
import { TEST_ORDER_TOKEN_SECRET, testServiceKeyVariables } from '@arboleda/chassis/testing/config.ts';
import { freePorts } from '@arboleda/cli/embedded/ports.ts';
import { fileURLToPath } from 'node:url';
import { waitFor } from '../../harness/wait.ts';
import { CORES, end, start } from '../peers/processes.ts';
import type { Question } from './questions.ts';

const mainOf = (service: string) =>
  fileURLToPath(new URL(`../../../services/${service}/main.ts`, import.meta.url));
const START_WITHIN_MS = 120_000;

/** The two services that keep lists, alone on their database. */
export interface Stage {
  /** How long an answer took, milliseconds; Infinity when there was none. */
  ask(question: Question): Promise<number>;
  close(): Promise<void>;
}

/** @param identity who signs people's tokens */
export async function openStage(databaseUrl: string, identity: TestIdentity): Promise<Stage> {
  const [ordersPort, assignmentsPort] = await freePorts(2);
  const urls = {
    orders: `http://127.0.0.1:${ordersPort}`,
    assignments: `http://127.0.0.1:${assignmentsPort}`,
  };
  const env = {
    DATABASE_URL: databaseUrl,
    AUTH_URL: new URL(identity.jwksUrl).origin,
    ORDER_TOKEN_SECRET: TEST_ORDER_TOKEN_SECRET,
    LOG_LEVEL: 'error',
  };
  const processes = Object.entries(urls).map(([service, url]) =>
    start({
      args: [mainOf(service)],
      core: CORES.measured,
      env: { ...env, ...testServiceKeyVariables(service as ServiceName), PORT: new URL(url).port },
    }),
  );
  const tokens = new Map<string, Promise<string>>();
  const tokenOf = (by: NonNullable<Question['by']>) => {
    const key = JSON.stringify(by);
    if (!tokens.has(key)) tokens.set(key, identity.token(by));
    return tokens.get(key)!;
  };
  const close = async () => void (await Promise.all(processes.map(end)));
  try {
    for (const url of Object.values(urls)) {
      const isReady = async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok;
      await waitFor(`a service at ${url}`, isReady, START_WITHIN_MS);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    async ask({ service, path, by }) {
      const headers: Record<string, string> = by ? { authorization: `Bearer ${await tokenOf(by)}` } : {};
      const startedAt = performance.now();
      const response = await fetch(`${urls[service]}${path}`, { headers });
      await response.arrayBuffer();
      return response.ok ? performance.now() - startedAt : Infinity;
    },
    close,
  };
}
