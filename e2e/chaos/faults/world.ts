import { startInbox } from '@arboleda/local/engines/inbox.ts';
import { DEMO_PRICES } from '@arboleda/local/product/environment.ts';
import { startPostgres } from '@arboleda/postgres/postgres.ts';
import { startStripeSandbox } from '@arboleda/stripe-sandbox/service.ts';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openDataDir, type Product, startProduct } from '../../harness/product.ts';
import { type FaultyWay, openFaultyWay } from './proxy.ts';

export const DEPENDENCIES = ['PostgreSQL', 'card provider', 'mail server'] as const;
export type Dependency = (typeof DEPENDENCIES)[number];

/** A running product whose engines are reached by ways that can break. */
export interface World {
  product: Product;
  ways: Record<Dependency, FaultyWay>;
  close(): Promise<void>;
}

const KEYS = {
  secretKey: 'sk_test_0123456789abcdef0123456789abcdef',
  publishableKey: 'pk_test_0123456789abcdef0123456789abcdef',
  webhookSecret: 'whsec_0123456789abcdef0123456789abcdef',
};
/** Often enough that what was lost comes soon after the fault. */
const WEBHOOK_DELAYS_MS = [500, 1_000, 2_000];

export async function openWorld(): Promise<World> {
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const one of closers.reverse()) await one();
  };
  try {
    const data = await openDataDir();
    closers.push(data.remove);
    const at = async (name: string) => {
      await mkdir(join(data.path, name), { mode: 0o755 });
      return join(data.path, name);
    };
    const postgres = await startPostgres({
      ...{ dir: join(data.path, 'postgres'), logFile: join(data.path, 'postgres.log'), password: 'chaos' },
    });
    closers.push(postgres.close);
    const inbox = await startInbox(await at('mail'));
    closers.push(inbox.close);
    const sandbox = await startStripeSandbox({
      ...{ ...KEYS, port: 0, dataDir: await at('sandbox'), webhookRetryDelaysMs: WEBHOOK_DELAYS_MS },
    });
    closers.push(sandbox.close);
    const wayTo = async (url: string) => {
      const way = await openFaultyWay({ host: '127.0.0.1', port: Number(new URL(url).port) });
      closers.push(way.close);
      return {
        way,
        url: Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(way.port) }).href,
      };
    };
    const database = await wayTo(postgres.url);
    const provider = await wayTo(sandbox.apiUrl);
    const mail = await wayTo(inbox.smtpUrl);
    const product = await startProduct(await at('product'), {
      ...DEMO_PRICES,
      ...{ DATABASE_URL: database.url, SMTP_URL: mail.url, STRIPE_API_URL: provider.url },
      ...{ STRIPE_SECRET_KEY: KEYS.secretKey, STRIPE_PUBLISHABLE_KEY: KEYS.publishableKey },
      ...{ STRIPE_WEBHOOK_SECRET: KEYS.webhookSecret, STRIPE_SCRIPT_URL: sandbox.scriptUrl },
      ...{ RATE_LIMIT_SCALE: '0', RECONCILE_INTERVAL_SECONDS: '5', RECONCILE_AFTER_SECONDS: '5' },
      ...{ AUTH_PASSWORD_MEMORY_KIB: '64', AUTH_PASSWORD_PASSES: '1', LOG_LEVEL: 'error' },
    });
    closers.push(product.stop);
    sandbox.setWebhookUrl(`${product.url}/api/payments/stripe-webhook`);
    return {
      // The buyer's browser and the reader of mails reach them whatever happens to ours.
      product: { ...product, stripeApiUrl: sandbox.apiUrl, inboxUrl: inbox.url },
      ways: { PostgreSQL: database.way, 'card provider': provider.way, 'mail server': mail.way },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
