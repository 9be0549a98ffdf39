import { SERVICES, urlVariable } from '@arboleda/contracts/services.ts';
import { startEmbedded } from '@arboleda/cli/embedded/embedded.ts';
import { serviceKeysIn } from '@arboleda/cli/embedded/environment.ts';
import { live } from '@arboleda/cli/terminal/command.ts';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Heap in use, without garbage. */
function heapAfterCollection(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

process.on('message', (asked) => {
  if (asked === 'heap') process.send?.({ heapBytes: heapAfterCollection() });
});

/** The product as `npm start` runs it, without its demo orders; says where it is by one message to its parent. */
await live(async () => {
  const local = await startEmbedded(process.env);
  const { env: _env, ...addresses } = local;
  process.send?.({
    ...addresses,
    serviceKeys: serviceKeysIn(local.env),
    stripeSecretKey: local.env.STRIPE_SECRET_KEY,
    stripePublishableKey: local.env.STRIPE_PUBLISHABLE_KEY,
    stripeWebhookSecret: local.env.STRIPE_WEBHOOK_SECRET,
    stripeApiUrl: local.env.STRIPE_API_URL,
    authUrl: local.env.AUTH_URL,
    serviceUrls: Object.fromEntries(SERVICES.map((name) => [name, local.env[urlVariable(name)]])),
    databaseUrl: local.env.DATABASE_URL,
  });
  return local;
});
