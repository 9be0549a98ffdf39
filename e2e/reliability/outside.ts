import { DEMO_PRICES } from '@arboleda/cli/embedded/environment.ts';
import { startPostgres } from '@arboleda/postgres/postgres.ts';
import { startStripeSandbox, type StripeSandboxConfig } from '@arboleda/stripe-sandbox/service.ts';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startMailSink } from '../harness/mail-sink.ts';
import { openDataDir } from '../harness/product.ts';

const KEYS = {
  secretKey: 'sk_test_0123456789abcdef0123456789abcdef',
  publishableKey: 'pk_test_0123456789abcdef0123456789abcdef',
  webhookSecret: 'whsec_0123456789abcdef0123456789abcdef',
};

/** Functions that stop what was started, called in reverse. */
export type Closers = (() => Promise<unknown>)[];

/** Calls `open`, and everything in `closers` when it fails. */
export async function openWithClosers<T>(
  open: (closers: Closers) => Promise<T>,
): Promise<T & { close(): Promise<void> }> {
  const closers: Closers = [];
  const close = async () => {
    for (const one of closers.splice(0).reverse()) await one();
  };
  try {
    return { ...(await open(closers)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Starts everything that a product calls outside of its process: PostgreSQL, a mail server and the card provider. */
export async function startOutside(
  closers: Closers,
  options: { onMail?: (recipient: string) => void } & Pick<StripeSandboxConfig, 'webhookRetryDelaysMs'> = {},
) {
  const data = await openDataDir();
  closers.push(data.remove);
  const folder = async (name: string) => {
    await mkdir(join(data.path, name), { mode: 0o755 });
    return join(data.path, name);
  };
  const postgres = await startPostgres({
    dir: join(data.path, 'postgres'),
    logFile: join(data.path, 'postgres.log'),
    password: 'reliability',
  });
  closers.push(postgres.close);
  const mails = await startMailSink(options.onMail);
  closers.push(mails.close);
  const { webhookRetryDelaysMs } = options;
  const sandbox = await startStripeSandbox({
    ...KEYS,
    port: 0,
    dataDir: await folder('sandbox'),
    webhookRetryDelaysMs,
  });
  closers.push(sandbox.close);
  const env = {
    ...DEMO_PRICES,
    DATABASE_URL: postgres.url,
    SMTP_URL: mails.smtpUrl,
    STRIPE_API_URL: sandbox.apiUrl,
    STRIPE_SECRET_KEY: KEYS.secretKey,
    STRIPE_PUBLISHABLE_KEY: KEYS.publishableKey,
    STRIPE_WEBHOOK_SECRET: KEYS.webhookSecret,
    STRIPE_SCRIPT_URL: sandbox.scriptUrl,
    // Some hundred visitors stand for thousands.
    TRANSFERS_OF_EMAIL_A_DAY: '100000',
    EVIDENCE_MAX_MB_OF_NETWORK: '100000',
    LOG_LEVEL: 'error',
  };
  return { folder, postgres, mails, sandbox, env };
}
