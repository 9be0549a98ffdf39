import type { Environment } from '@arboleda/chassis/config.ts';
import { type Postgres, startPostgres } from '@arboleda/postgres/postgres.ts';
import { startStripeSandbox, type StripeSandbox } from '@arboleda/stripe-sandbox/service.ts';
import type { DataDir } from '../data-dir/data-dir.ts';
import type { Secrets } from '../product/secrets.ts';
import type { Progress } from '../terminal/progress.ts';
import { type Inbox, startInbox } from './inbox.ts';

/** What the product stands on here; what the environment names itself is not started. */
export interface Engines {
  databaseUrl: string;
  smtpUrl: string;
  postgres: Postgres | undefined;
  inbox: Inbox | undefined;
  sandbox: StripeSandbox | undefined;
  close(): Promise<void>;
}

/** @param webhookUrl where the sandbox tells of payments. */
export async function startEngines(
  dataDir: DataDir,
  secrets: Secrets,
  env: Environment,
  webhookUrl: string,
  progress: Progress,
): Promise<Engines> {
  const starting = await Promise.allSettled([
    env.DATABASE_URL ? undefined : progress.step('PostgreSQL', () => openPostgres(dataDir, secrets)),
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

async function openPostgres(dataDir: DataDir, secrets: Secrets): Promise<Postgres> {
  return startPostgres({
    dir: dataDir.at('postgres'),
    logFile: dataDir.at('logs', 'postgres.log'),
    password: secrets.postgresPassword,
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
