import { DEMO_PRICES } from '@arboleda/cli/embedded/environment.ts';
import { startPostgres } from '@arboleda/postgres/postgres.ts';
import { startStripeSandbox, type StripeSandboxConfig } from '@arboleda/stripe-sandbox/service.ts';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { Role } from '@arboleda/contracts/roles.ts';
import { type Driver, openDriver } from '@arboleda/cli/demo/driver.ts';
import { openProvider, type ProviderState } from '../driver/provider.ts';
import { PASSWORD, putPerson } from '../harness/accounts.ts';
import { startMailSink } from '../harness/mail-sink.ts';
import { openDataDir, type Product, type Running, startProduct } from '../harness/product.ts';
import { type Rows, settled } from '../harness/settled.ts';

const KEYS = {
  secretKey: 'sk_test_0123456789abcdef0123456789abcdef',
  publishableKey: 'pk_test_0123456789abcdef0123456789abcdef',
  webhookSecret: 'whsec_0123456789abcdef0123456789abcdef',
};

/** Starts PostgreSQL, a mail server and the sandbox of the card provider. */
export async function startOutside(
  closing: AsyncDisposableStack,
  options: { onMail?: (recipient: string) => void } & Pick<StripeSandboxConfig, 'webhookRetryDelaysMs'> = {},
) {
  const data = await openDataDir();
  closing.defer(data.remove);
  const folder = async (name: string) => {
    await mkdir(join(data.path, name), { mode: 0o755 });
    return join(data.path, name);
  };
  const postgres = await startPostgres({
    dir: join(data.path, 'postgres'),
    logFile: join(data.path, 'postgres.log'),
    password: 'reliability',
  });
  closing.defer(postgres.close);
  const mails = await startMailSink(options.onMail);
  closing.defer(mails.close);
  const { webhookRetryDelaysMs } = options;
  const sandbox = await startStripeSandbox({
    ...KEYS,
    port: 0,
    dataDir: await folder('sandbox'),
    webhookRetryDelaysMs,
  });
  closing.defer(sandbox.close);
  const env = {
    ...DEMO_PRICES,
    DATABASE_URL: postgres.url,
    SMTP_URL: mails.smtpUrl,
    STRIPE_API_URL: sandbox.apiUrl,
    STRIPE_SECRET_KEY: KEYS.secretKey,
    STRIPE_PUBLISHABLE_KEY: KEYS.publishableKey,
    STRIPE_WEBHOOK_SECRET: KEYS.webhookSecret,
    STRIPE_SCRIPT_URL: sandbox.scriptUrl,
    // All visitors come from one network.
    TRANSFERS_OF_EMAIL_A_DAY: '100000',
    EVIDENCE_MAX_MB_OF_NETWORK: '100000',
    LOG_LEVEL: 'error',
  };
  return { folder, postgres, mails, sandbox, env };
}

/** A running product with a driver, and direct access to its stores. */
export interface Tested<P extends Running = Running> {
  product: P;
  driver: Driver;
  rows: Rows;
  /** State of the card provider. */
  provider(): Promise<ProviderState>;
  /** Resolves when everything that was begun is finished. */
  settled(): Promise<void>;
  /** Makes an account with `PASSWORD`. @returns its session */
  logIn(role: Role, email: string, workerCode?: string): Promise<string>;
}

export type Outside = Awaited<ReturnType<typeof startOutside>>;

/** The embedded tier in one process. @param env more settings */
export async function startTested(
  closing: AsyncDisposableStack,
  outside: Outside,
  env: Record<string, string>,
): Promise<Tested<Product>> {
  const product = await startProduct(await outside.folder('product'), { ...outside.env, ...env });
  closing.defer(product.stop);
  return openTested(closing, outside, product);
}

/** @param product runs on what is outside */
export function openTested<P extends Running>(
  closing: AsyncDisposableStack,
  outside: Outside,
  running: P,
): Tested<P> {
  const { postgres, sandbox } = outside;
  sandbox.setWebhookUrl(`${running.url}/api/payments/stripe-webhook`);
  const pool = new pg.Pool({ connectionString: postgres.url, max: 2 });
  closing.defer(() => pool.end());
  // The buyer's browser reaches the provider, whatever happens to the product.
  const product = { ...running, stripeApiUrl: sandbox.apiUrl };
  const driver = openDriver(product);
  const rows: Rows = async (text, values = []) => (await pool.query(text, [...values])).rows;
  return {
    product,
    driver,
    rows,
    provider: () => openProvider(product).state(),
    settled: () => settled(rows),
    async logIn(role, email, workerCode) {
      await putPerson(product, role, email, workerCode);
      return driver.logIn(role, email, PASSWORD);
    },
  };
}
