import type { Environment } from '@arboleda/chassis/config.ts';
import type { Logger } from '@arboleda/chassis/log.ts';
import { isProduction } from '@arboleda/chassis/production.ts';
import { startTelemetry } from '@arboleda/chassis/telemetry/start.ts';
import { startPostgres } from '@arboleda/postgres/postgres.ts';
import { startStripeSandbox } from '@arboleda/stripe-sandbox/service.ts';
import { openLog } from '../logs.ts';
import { type Fail, Fault } from '../terminal/command.ts';
import { type Overview, type Progress, silentProgress } from '../terminal/progress.ts';
import { type DataDir, dataDirPath, openDataDir } from './data-dir.ts';
import {
  backsUpBeforeUpgrade,
  checkProduction,
  embeddedEnvironment,
  freeServiceUrls,
} from './environment.ts';
import { startInbox } from './inbox.ts';
import { type Address, chooseAddress } from './ports.ts';
import { keepSecrets, type Secrets } from './secrets.ts';
import { buildWeb, isWebBuilt } from './web-build.ts';

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
type Prepared = EmbeddedInstallation & { logger: Logger };

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
  // The code of all services loads while engines start.
  const loading = import('./product.ts');
  const building = isWebBuilt().then((built) =>
    built ? undefined : progress.step('Web app, built once', buildWeb),
  );
  void Promise.allSettled([loading, building]);
  const { logger, ...local } = await prepareEmbedded(env, address, progress, { fail });
  try {
    await building;
    const product = await progress.step('Services and gateway', async () =>
      (await loading).startProduct(local.env, logger),
    );
    return { ...local, close: () => product.close().finally(local.close) };
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
  backsUpBeforeUpgrade(env);
  await using closing = new AsyncDisposableStack();
  const telemetry = await startTelemetry({
    service: 'arboleda',
    endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
  });
  if (telemetry) closing.defer(() => telemetry.stop());
  const dataDir = await openDataDir(dataDirPath(env), env);
  closing.defer(() => dataDir.release());
  const secrets = await keepSecrets(dataDir.at('secrets.json'));
  const log = await openLog(dataDir.at('logs', 'arboleda.log'), env.LOG_LEVEL || 'info');
  closing.defer(() => log.close());
  const keep = async <T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> => {
    const engine = await starting;
    closing.defer(() => engine.close());
    return engine;
  };
  // Engines that the environment names are not started.
  const engines = [
    env.DATABASE_URL
      ? undefined
      : keep(
          progress.step('PostgreSQL', () =>
            openPostgres(dataDir, secrets, { progress, fail, logger: log.logger }),
          ),
        ),
    env.SMTP_URL ? undefined : keep(progress.step('Inbox for mail', () => startInbox(dataDir.at('mail')))),
    env.STRIPE_SECRET_KEY
      ? undefined
      : keep(progress.step('Card payments (sandbox)', () => openSandbox(dataDir, secrets, port))),
  ] as const;
  const loading = import('./upgrade.ts');
  // All have ended before the first failure is reported, so that what started is stopped.
  await Promise.allSettled([...engines, loading]);
  const [postgres, inbox, sandbox] = await Promise.all(engines);
  const databaseUrl = postgres?.socketUrl ?? env.DATABASE_URL!;
  const { logger } = log;
  const { upgrade } = await loading;
  await upgrade({ env, dataDir: dataDir.path, databaseUrl, logger, progress });
  const url = env.SITE_URL || `http://localhost:${port}`;
  const complete = embeddedEnvironment(env, secrets, {
    siteUrl: url,
    host,
    port,
    serviceUrls: await freeServiceUrls(),
    objectsDir: dataDir.at('objects'),
    databaseUrl,
    smtpUrl: inbox?.smtpUrl ?? env.SMTP_URL!,
    sandbox,
    webDevUrl: devUrl,
  });
  const kept = closing.move();
  return {
    url,
    gatewayUrl: `http://127.0.0.1:${port}`,
    inboxUrl: inbox?.url,
    sandboxUrl: sandbox?.url,
    dataDir: dataDir.path,
    isDemo: !isProduction(env),
    demoPassword: env.DEMO_PASSWORD || secrets.demoPassword,
    env: complete,
    logger,
    close: () => kept.disposeAsync(),
  };
}

const toNobody: Fail = (error) => void Promise.reject(error);

function openPostgres(
  dataDir: DataDir,
  secrets: Secrets,
  { progress: { say }, fail, logger }: { progress: Progress; fail: Fail; logger: Logger },
) {
  const logFile = dataDir.at('logs', 'postgres.log');
  const sentence = (cause: Error) =>
    `PostgreSQL ended and cannot be started again: ${cause.message}. See ${logFile}.`;
  return startPostgres({
    dir: dataDir.at('postgres'),
    logFile,
    password: secrets.postgresPassword,
    watcher: {
      died: () => say(`  PostgreSQL ended by itself and is being started again; ${logFile} may say why.`),
      revived: () => say('  PostgreSQL runs again.'),
      waits: () => {
        const full = `The disk of ${dataDir.path} is full: nothing is accepted until there is room.`;
        say(`  ${full}`);
        logger.error(full);
      },
      gaveUp: (cause) => fail(new Fault(sentence(cause), { cause })),
    },
  });
}

const openSandbox = (dataDir: DataDir, secrets: Secrets, port: number) =>
  startStripeSandbox({
    port: 0,
    dataDir: dataDir.at('stripe-sandbox'),
    secretKey: secrets.stripeSecretKey,
    publishableKey: secrets.stripePublishableKey,
    webhookSecret: secrets.stripeWebhookSecret,
    // Through the gateway, as Stripe does.
    webhookUrl: `http://127.0.0.1:${port}/api/payments/stripe-webhook`,
  });
