import type { StripeSandboxConfig } from './service.ts';

/** Reads the environment. @throws Error that names the wrong variable */
export function sandboxConfig(env: Record<string, string | undefined>): StripeSandboxConfig {
  if (env.NODE_ENV === 'production') {
    throw new Error(
      'NODE_ENV is production: the Stripe sandbox takes no real money. Set STRIPE_SECRET_KEY instead.',
    );
  }
  const port = Number(env.STRIPE_SANDBOX_PORT ?? 12111);
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new Error('STRIPE_SANDBOX_PORT must be a port from 0 to 65535.');
  }
  const webhookUrl = env.STRIPE_SANDBOX_WEBHOOK_URL || undefined;
  if (webhookUrl && !/^https?:/.test(webhookUrl)) {
    throw new Error('STRIPE_SANDBOX_WEBHOOK_URL must be an http address.');
  }
  return {
    port,
    host: env.STRIPE_SANDBOX_HOST ?? '127.0.0.1',
    dataDir: env.STRIPE_SANDBOX_DATA_DIR ?? '.data/stripe-sandbox',
    secretKey: required(env, 'STRIPE_SANDBOX_SECRET_KEY', 'sk_test_'),
    publishableKey: required(env, 'STRIPE_PUBLISHABLE_KEY', 'pk_test_'),
    webhookSecret: required(env, 'STRIPE_WEBHOOK_SECRET', 'whsec_'),
    webhookUrl,
  };
}

function required(env: Record<string, string | undefined>, name: string, prefix: string): string {
  const value = env[name];
  if (value?.startsWith(prefix) && value.length > prefix.length) return value;
  throw new Error(`${name} must be set and begin with ${prefix}.`);
}
