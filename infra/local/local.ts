import type { Environment } from '@arboleda/chassis/config.ts';
import { type ServiceName, SERVICES } from '@arboleda/contracts/services.ts';
import { dataDirPath, openDataDir } from './data-dir/data-dir.ts';
import { startEngines } from './engines/engines.ts';
import { checkPort, freePorts } from './engines/ports.ts';
import { type Places, localEnvironment } from './product/environment.ts';
import { openLog } from './product/log.ts';
import { openClosers } from './product/closers.ts';
import { keepSecrets } from './product/secrets.ts';
import { loadProduct, startProduct } from './product/services.ts';
import { buildWeb, isWebBuilt } from './product/web-build.ts';
import { type Progress, silentProgress } from './terminal/progress.ts';

/** A running copy of the whole product. */
export interface Local {
  /** The address people type. */
  url: string;
  /** The gateway itself: another address when SITE_URL names a proxy before it. */
  gatewayUrl: string;
  inboxUrl: string | undefined;
  sandboxUrl: string | undefined;
  dataDir: string;
  demoPassword: string;
  /** What services know each other by: lets the demo and tests make accounts. */
  env: Environment;
  /** Everything in order; data stays. */
  close(): Promise<void>;
}

export const DEFAULT_PORT = 8080;

/**
 * Starts engines, services, gateway and web app.
 * @param env PORT (0: a free one), DATA_DIR, HOST, DEMO_PASSWORD and whatever services read.
 * @throws Fault with a sentence for the person at the terminal
 */
export async function startLocal(env: Environment, progress: Progress = silentProgress): Promise<Local> {
  const { host, port } = await choosePort(env);
  const siteUrl = env.SITE_URL || `http://localhost:${port}`;
  const { onClose, close } = openClosers();
  try {
    const dataDir = await openDataDir(dataDirPath(env));
    onClose(async () => dataDir.release());
    const secrets = await keepSecrets(dataDir.at('secrets.json'));
    const loading = loadProduct();
    const building = isWebBuilt().then((built) =>
      built ? undefined : progress.step('Web app, built once', buildWeb),
    );
    void Promise.allSettled([loading, building]);

    const engines = await startEngines(dataDir, secrets, env, webhookOf(port), progress);
    onClose(() => engines.close());
    const log = await openLog(dataDir.at('logs', 'arboleda.log'), env.LOG_LEVEL || 'info');
    onClose(() => log.close());
    await building;
    const ports = await servicePorts();
    const environment = localEnvironment(env, secrets, {
      siteUrl,
      host,
      port,
      ports,
      databaseUrl: engines.databaseUrl,
      smtpUrl: engines.smtpUrl,
      objectsDir: dataDir.at('objects'),
      sandbox: engines.sandbox,
    });
    const product = await progress.step('Services and gateway', async () =>
      startProduct(await loading, environment, ports, log.logger),
    );
    onClose(() => product.close());
    return {
      url: siteUrl,
      gatewayUrl: `http://127.0.0.1:${port}`,
      inboxUrl: engines.inbox?.url,
      sandboxUrl: engines.sandbox?.url,
      dataDir: dataDir.path,
      demoPassword: env.DEMO_PASSWORD || secrets.demoPassword,
      env: environment,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function choosePort(env: Environment): Promise<{ host: string; port: number }> {
  const host = env.HOST || '127.0.0.1';
  if (env.PORT === '0') return { host, port: (await freePorts(1))[0]! };
  const port = Number(env.PORT || DEFAULT_PORT);
  await checkPort(port, host);
  return { host, port };
}

/** The sandbox calls over the gateway, as Stripe does. */
const webhookOf = (port: number) => `http://127.0.0.1:${port}/api/payments/stripe-webhook`;

export async function servicePorts(): Promise<Places['ports']> {
  const ports = await freePorts(SERVICES.length);
  return Object.fromEntries(SERVICES.map((name, index) => [name, ports[index]])) as Record<
    ServiceName,
    number
  >;
}
