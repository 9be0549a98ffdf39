/** docker compose run --rm demo: creates demo accounts and orders, and prints the log-ins. */
import { makeDemo } from '../cli/demo/demo.ts';
import { waitUntil } from '../cli/demo/wait.ts';
import { demoPeople, table, terminalProgress, TEST_CARD } from '../cli/terminal/progress.ts';
import { exitAfterFlush } from '@arboleda/chassis/leave.ts';
import { productionBecause } from '@arboleda/chassis/production.ts';
import { readEnvironment, url } from '@arboleda/chassis/environment.ts';
import { z } from 'zod';

const env = readEnvironment(process.env, {
  AUTH_URL: url,
  DEMO_PASSWORD: z.string(),
  GATEWAY_URL: url,
  INBOX_URL: url,
  OPERATOR_SERVICE_KEY: z.string(),
  PUBLISHED_HOST: z.string(),
  SITE_URL: url,
  STRIPE_API_URL: url,
  STRIPE_PUBLISHABLE_KEY: z.string(),
  STRIPE_SANDBOX_REPLICAS: z.coerce.number(),
});

const because = productionBecause({ ...env, STRIPE_SANDBOX_REPLICAS: undefined });
if (because) {
  terminalProgress.say(`${because}: no demonstration is made where others reach it.`);
  await exitAfterFlush(1);
}

const site = {
  url: env.SITE_URL,
  gatewayUrl: env.GATEWAY_URL,
  inboxUrl: undefined,
  // The demo never charges real cards.
  sandboxUrl: env.STRIPE_SANDBOX_REPLICAS > 0 ? env.STRIPE_API_URL : undefined,
  /** A volume that keeps the demo's progress. */
  dataDir: '/data',
  isDemo: true,
  demoPassword: env.DEMO_PASSWORD,
  env: {
    AUTH_URL: env.AUTH_URL,
    OPERATOR_SERVICE_KEY: env.OPERATOR_SERVICE_KEY,
    STRIPE_PUBLISHABLE_KEY: env.STRIPE_PUBLISHABLE_KEY,
  },
};

const controller = new AbortController();
for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => controller.abort());
const { signal } = controller;
await waitUntil('the site', async () => (await fetch(new URL('/readyz', env.GATEWAY_URL))).ok, { signal });
const demo = makeDemo(site, terminalProgress);
signal.addEventListener('abort', () => demo.cancel());
await demo.done;
const inbox: [string, string] = ['Inbox', env.INBOX_URL];
const rows = [...demoPeople(site), ...(site.sandboxUrl ? [TEST_CARD] : []), inbox];
terminalProgress.say(table('Who can log in', rows));
