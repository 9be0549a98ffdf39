import { buildWeb } from '@arboleda/cli/embedded/web-build.ts';
import type { Running } from '../../harness/product.ts';
import { openTested, startOutside, startTested, type Tested } from '../setup.ts';
import { supervise } from '../supervisor.ts';
import { type Container, prepare, startContainers } from '../tiers.ts';
import { type FaultyProxy, openFaultyProxy } from './proxy.ts';

export type Dependency = Container | 'PostgreSQL' | 'card provider' | 'mail server';
export type TierName = 'embedded' | 'distributed';

/** A running product that reaches its dependencies through proxies that can break. */
export interface Setup extends Tested<Running> {
  tier: TierName;
  proxies: Partial<Record<Dependency, FaultyProxy>>;
  /** Whether the mail server has taken a mail to this address. */
  wasMailed(address: string): boolean;
}

/** Short, so that lost webhooks come soon after the fault. */
const WEBHOOK_DELAYS_MS = [500, 1_000, 2_000];
const SETTINGS = {
  RATE_LIMIT_SCALE: '0',
  RECONCILE_INTERVAL_SECONDS: '5',
  RECONCILE_AFTER_SECONDS: '5',
  AUTH_PASSWORD_MEMORY_KIB: '64',
  AUTH_PASSWORD_PASSES: '1',
};

export async function openSetup(closing: AsyncDisposableStack, tier: TierName): Promise<Setup> {
  const mailed = new Set<string>();
  const proxies: Setup['proxies'] = {};
  const through = async (name: Dependency, engine: URL): Promise<URL> => {
    const proxy = await openFaultyProxy({ host: '127.0.0.1', port: Number(engine.port) });
    closing.defer(proxy.close);
    proxies[name] = proxy;
    return Object.assign(new URL(engine), { hostname: '127.0.0.1', port: String(proxy.port) });
  };
  const outside = await startOutside(closing, {
    onMail: (address) => void mailed.add(address),
    webhookRetryDelaysMs: WEBHOOK_DELAYS_MS,
  });
  const { postgres, sandbox, mails, folder } = outside;
  const env = {
    ...SETTINGS,
    DATABASE_URL: (await through('PostgreSQL', new URL(postgres.url))).href,
    STRIPE_API_URL: (await through('card provider', new URL(sandbox.apiUrl))).href,
    SMTP_URL: (await through('mail server', new URL(mails.smtpUrl))).href,
  };
  const more = { tier, proxies, wasMailed: (address: string) => mailed.has(address) };
  if (tier === 'embedded') return { ...(await startTested(closing, outside, env)), ...more };

  // A process for each service, as containers run them.
  await buildWeb();
  const dataDir = await folder('product');
  const engines = await startContainers(closing, through);
  const prepared = await prepare(closing, { ...outside.env, ...env, ...engines, DATA_DIR: dataDir });
  closing.defer((await supervise(prepared.programs, dataDir)).stop);
  return { ...openTested(closing, outside, prepared.product), ...more };
}
