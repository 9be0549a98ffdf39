import { type CallApi, openClient } from '@arboleda/contracts/client.ts';
import type { Caller, ServiceName } from '@arboleda/contracts/services.ts';
import { NODE_FLAGS, lowMemoryEnv } from '@arboleda/cli/low-memory.js';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where a running copy is, and what a test needs to play its neighbours. */
export interface Addresses {
  url: string;
  inboxUrl: string;
  demoPassword: string;
  /** Private keys by which services, and the operator, call services. */
  serviceKeys: Record<Caller, string>;
  stripeSecretKey: string;
  stripePublishableKey: string;
  stripeWebhookSecret: string;
  /** Address on this machine. */
  stripeApiUrl: string;
}

/** A running copy in which a test may put accounts, wherever its parts run. */
export interface Running extends Addresses {
  /** Calls what auth serves to its neighbours alone. */
  callAuth: CallApi;
}

export interface Product extends Running {
  /** Where the gateway answers, also when SITE_URL says otherwise. */
  gatewayUrl: string;
  databaseUrl: string;
  authUrl: string;
  /** Where each service answers, past the gateway. */
  serviceUrls: Record<ServiceName, string>;
  dataDir: string;
  pid: number;
  /** Heap in use after a collection, which takes 0.1 s. */
  heapBytes(): Promise<number>;
  /** Ctrl-C, and wait. */
  stop(): Promise<void>;
  /** kill −9 of the whole process: nothing is said goodbye to. */
  kill(): Promise<void>;
}

const PROGRAM = fileURLToPath(new URL('product-process.ts', import.meta.url));
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The first start also builds the web app. */
const START_WITHIN_MS = 180_000;
/** It ends by itself after 20 s, whatever it waits for. */
const STOP_WITHIN_MS = 40_000;
const OWN_NODE = join(ROOT, 'node_modules/node/bin/node');

/** A fresh data folder that is gone when the test is over. */
export async function openDataDir(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'arboleda-e2e-'));
  await chmod(path, 0o755);
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** Starts the whole product in a process of its own, on free ports. @throws what it said when it did not start. */
export async function startProduct(dataDir: string, env: Record<string, string> = {}): Promise<Product> {
  const child = fork(PROGRAM, {
    execPath: OWN_NODE,
    // The flags of bootstrap.js.
    execArgv: NODE_FLAGS,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...process.env,
      ...lowMemoryEnv(ROOT),
      NODE_OPTIONS: '',
      PORT: '0',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      ...env,
    },
  });
  const said: Buffer[] = [];
  child.stdout!.on('data', (chunk: Buffer) => said.push(chunk));
  child.stderr!.on('data', (chunk: Buffer) => said.push(chunk));
  const wrong = (what: string) => new Error(`the product ${what}:\n${Buffer.concat(said).toString()}`);
  const ended = once(child, 'exit').then(() => {
    throw wrong('stopped while starting');
  });
  ended.catch(() => undefined);
  const started = once(child, 'message', { signal: AbortSignal.timeout(START_WITHIN_MS) });
  const [addresses] = (await Promise.race([started, ended]).catch((error: Error) => {
    child.kill('SIGKILL');
    throw error.name === 'AbortError' ? wrong('did not start') : error;
  })) as [Addresses & Pick<Product, 'gatewayUrl' | 'databaseUrl' | 'authUrl' | 'serviceUrls' | 'dataDir'>];
  return {
    ...addresses,
    callAuth: openClient(addresses.authUrl),
    pid: child.pid!,
    heapBytes: () => askHeap(child),
    stop: () =>
      end(child, 'SIGINT').catch(() => {
        child.kill('SIGKILL');
        throw wrong('did not stop');
      }),
    kill: () => end(child, 'SIGKILL'),
  };
}

/** The product with a data folder that is removed when it stops. */
export async function openProduct(env: Record<string, string> = {}): Promise<Product & AsyncDisposable> {
  const data = await openDataDir();
  const product = await startProduct(data.path, env).catch(async (error: unknown) => {
    await data.remove();
    throw error;
  });
  const stop = async () => {
    await product.stop();
    await data.remove();
  };
  return { ...product, stop, [Symbol.asyncDispose]: stop };
}

async function askHeap(child: ChildProcess): Promise<number> {
  const answer = once(child, 'message') as Promise<[{ heapBytes: number }]>;
  child.send('heap');
  return (await answer)[0].heapBytes;
}

/** @throws AbortError when it goes on */
async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit', { signal: AbortSignal.timeout(STOP_WITHIN_MS) });
  child.kill(signal);
  await gone;
}
