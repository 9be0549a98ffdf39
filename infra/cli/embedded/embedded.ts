import type { Environment } from '@arboleda/chassis/config.ts';
import type { Logger } from '@arboleda/chassis/log.ts';
import { isProduction } from '@arboleda/chassis/production.ts';
import { startTelemetry } from '@arboleda/chassis/telemetry/start.ts';
import { dataDirPath, openDataDir } from './data-dir.ts';
import { type Engines, startEngines } from './engines.ts';
import { checkPort, freePorts } from './ports.ts';
import { type Closers, openClosers } from './closers.ts';
import { freeServiceUrls, embeddedEnvironment } from './environment.ts';
import { openLog } from './log.ts';
import { checkProduction } from './production.ts';
import { keepSecrets } from './secrets.ts';
import { loadProduct, startProduct } from './product.ts';
import { buildWeb, isWebBuilt } from './web-build.ts';
import { Fault } from '../terminal/fault.ts';
import type { Fail } from '../terminal/life.ts';
import { type Overview, type Progress, silentProgress } from '../terminal/progress.ts';

/** A running installation of the embedded tier. */
export interface EmbeddedInstallation extends Overview {
  /** URL of the gateway itself, which differs when SITE_URL names a proxy. */
  gatewayUrl: string;
  /** Environment of all its processes. */
  env: Environment;
  /** Stops everything in order; data is kept. */
  close(): Promise<void>;
}

/** Engines run and the environment is complete, but services have not started. */
export interface Prepared extends Omit<EmbeddedInstallation, 'close'>, Closers {
  logger: Logger;
}

interface Address {
  host: string;
  port: number;
}

const DEFAULT_PORT = 8080;

/**
 * Starts engines, services, gateway and web app.
 * @param env PORT (0: a free one), DATA_DIR, HOST, DEMO_PASSWORD and the services' own variables
 * @throws Fault with a sentence for the operator
 */
export async function startEmbedded(
  env: Environment,
  progress: Progress = silentProgress,
  fail?: Fail,
): Promise<EmbeddedInstallation> {
  const address = await chooseAddress(env);
  const loading = loadProduct();
  const building = isWebBuilt().then((built) =>
    built ? undefined : progress.step('Web app, built once', buildWeb),
  );
  void Promise.allSettled([loading, building]);
  const { logger, onClose, ...local } = await prepareEmbedded(env, address, progress, { fail });
  try {
    await building;
    const product = await progress.step('Services and gateway', async () =>
      startProduct(await loading, local.env, logger),
    );
    onClose(() => product.close());
    return local;
  } catch (error) {
    await local.close();
    throw error;
  }
}

/**
 * @param devUrl Vite's URL, when the web app is not served from its build
 * @param fail called when an engine has stopped for good; when absent, that ends the process
 * @throws Fault
 */
export async function prepareEmbedded(
  env: Environment,
  { host, port }: Address,
  progress: Progress,
  { devUrl, fail = toNobody }: { devUrl?: string; fail?: Fail | undefined } = {},
): Promise<Prepared> {
  checkProduction(env);
  const closers = openClosers();
  try {
    const telemetry = await startTelemetry({
      service: 'arboleda',
      endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
    });
    if (telemetry) closers.onClose(() => telemetry.stop());
    const dataDir = await openDataDir(dataDirPath(env));
    closers.onClose(async () => dataDir.release());
    const secrets = await keepSecrets(dataDir.at('secrets.json'));
    const log = await openLog(dataDir.at('logs', 'arboleda.log'), env.LOG_LEVEL || 'info');
    closers.onClose(() => log.close());
    const engines = await startEngines(dataDir, secrets, env, {
      webhookUrl: webhookOf(port),
      progress,
      fail,
    });
    closers.onClose(() => engines.close());
    const url = env.SITE_URL || `http://localhost:${port}`;
    return {
      url,
      gatewayUrl: `http://127.0.0.1:${port}`,
      inboxUrl: engines.inbox?.url,
      sandboxUrl: engines.sandbox?.url,
      dataDir: dataDir.path,
      isDemo: !isProduction(env),
      demoPassword: env.DEMO_PASSWORD || secrets.demoPassword,
      env: embeddedEnvironment(env, secrets, {
        siteUrl: url,
        host,
        port,
        serviceUrls: await freeServiceUrls(),
        objectsDir: dataDir.at('objects'),
        webDevUrl: devUrl,
        ...enginePlaces(engines),
      }),
      logger: log.logger,
      ...closers,
    };
  } catch (error) {
    await closers.close();
    throw error;
  }
}

const toNobody: Fail = (error) => void Promise.reject(error);

const enginePlaces = ({ databaseUrl, smtpUrl, sandbox }: Engines) => ({ databaseUrl, smtpUrl, sandbox });

/** The gateway's address: HOST and PORT, if they are free. @throws Fault */
export async function chooseAddress(env: Environment): Promise<Address> {
  const host = env.HOST || '127.0.0.1';
  if (env.PORT === '0') return { host, port: (await freePorts(1))[0]! };
  const port = Number(env.PORT || DEFAULT_PORT);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Fault(`PORT must be a number from 0 to 65535, and it is "${env.PORT}".`);
  }
  await checkPort(port, host);
  return { host, port };
}

/** The sandbox sends webhooks through the gateway, like Stripe. */
const webhookOf = (port: number) => `http://127.0.0.1:${port}/api/payments/stripe-webhook`;
