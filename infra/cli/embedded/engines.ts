import type { Environment } from '@arboleda/chassis/config.ts';
import { type Postgres, startPostgres } from '@arboleda/postgres/postgres.ts';
import { startStripeSandbox, type StripeSandbox } from '@arboleda/stripe-sandbox/service.ts';
import type { DataDir } from './data-dir.ts';
import type { Secrets } from './secrets.ts';
import { Fault } from '../terminal/fault.ts';
import type { Fail } from '../terminal/life.ts';
import type { Progress } from '../terminal/progress.ts';
import { type Inbox, startInbox } from './inbox.ts';

/** Engines of the embedded tier. Engines that the environment names are not started. */
export interface Engines {
  databaseUrl: string;
  smtpUrl: string;
  postgres: Postgres | undefined;
  inbox: Inbox | undefined;
  sandbox: StripeSandbox | undefined;
  close(): Promise<void>;
}

interface Surroundings {
  /** Where the sandbox sends webhooks. */
  webhookUrl: string;
  progress: Progress;
  /** Called when an engine has stopped for good. */
  fail: Fail;
}

export async function startEngines(
  dataDir: DataDir,
  secrets: Secrets,
  env: Environment,
  { webhookUrl, progress, fail }: Surroundings,
): Promise<Engines> {
  const starting = await Promise.allSettled([
    env.DATABASE_URL
      ? undefined
      : progress.step('PostgreSQL', () => openPostgres(dataDir, secrets, progress, fail)),
    env.SMTP_URL ? undefined : progress.step('Inbox for mail', () => startInbox(dataDir.at('mail'))),
    env.STRIPE_SECRET_KEY
      ? undefined
      : progress.step('Card payments (sandbox)', () => openSandbox(dataDir, secrets, webhookUrl)),
  ] as const);
  const [postgres, inbox, sandbox] = starting.map((one) =>
    one.status === 'fulfilled' ? one.value : undefined,
  ) as [Postgres | undefined, Inbox | undefined, StripeSandbox | undefined];
  const close = async () => {
    await sandbox?.close();
    await inbox?.close();
    await postgres?.close();
  };
  const failure = starting.find((one) => one.status === 'rejected');
  if (failure) {
    await close();
    throw failure.reason;
  }
  return {
    databaseUrl: postgres?.socketUrl ?? env.DATABASE_URL!,
    smtpUrl: inbox?.smtpUrl ?? env.SMTP_URL!,
    postgres,
    inbox,
    sandbox,
    close,
  };
}

function openPostgres(dataDir: DataDir, secrets: Secrets, { say }: Progress, fail: Fail): Promise<Postgres> {
  const logFile = dataDir.at('logs', 'postgres.log');
  return startPostgres({
    dir: dataDir.at('postgres'),
    logFile,
    password: secrets.postgresPassword,
    watcher: {
      died: () => say(`  PostgreSQL ended by itself and is being started again; ${logFile} may say why.`),
      revived: () => say('  PostgreSQL runs again.'),
      gaveUp: (cause) =>
        fail(
          new Fault(`PostgreSQL ended and cannot be started again: ${cause.message}. See ${logFile}.`, {
            cause,
          }),
        ),
    },
  });
}

const openSandbox = (dataDir: DataDir, secrets: Secrets, webhookUrl: string): Promise<StripeSandbox> =>
  startStripeSandbox({
    port: 0,
    dataDir: dataDir.at('stripe-sandbox'),
    secretKey: secrets.stripeSecretKey,
    publishableKey: secrets.stripePublishableKey,
    webhookSecret: secrets.stripeWebhookSecret,
    webhookUrl,
  });
