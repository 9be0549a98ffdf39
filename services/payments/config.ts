import {
  type Environment,
  rateScale,
  readEnvironment,
  secret,
  serviceConfig,
  type ServiceConfig,
  url,
} from '@arboleda/chassis/config.ts';
import {
  isProduction,
  isPublicProduction,
  rateScaleWeaknesses,
  refuseWeakness,
} from '@arboleda/chassis/production.ts';
import { STRIPE_SCRIPT_URL } from '@arboleda/contracts/stripe.ts';
import { z } from 'zod';
import { UNPAID_OF_NETWORK } from './cards/unpaid.ts';
import type { PackagePrices } from './photo-packages/checkout.ts';
import {
  type BankAccount,
  bankAccounts,
  breBKeys,
  type TransfersConfig,
  transfersConfig,
} from './transfers/config.ts';

export interface PaymentsConfig extends ServiceConfig {
  stripe: {
    secretKey: string;
    publishableKey: string;
    /** Any of them may have signed a webhook: there are two during a rotation. */
    webhookSecrets: string[];
    apiUrl: string;
    scriptUrl: string;
    /** Optional detail about an intent may delay a webhook this long, but never lose a success. */
    detailWithinMs: number;
  };
  /** Shared with pricing, which signs quotes with it. */
  quoteSecret: string;
  /** Derives the tokens of private order links. */
  orderTokenSecret: string;
  bankAccounts: readonly BankAccount[];
  siteUrl: string;
  /** Stripe's price ids. A package without one is not sold. */
  photoPackages: PackagePrices;
  transfers: TransfersConfig;
  /** Card payments that one network may start in ten minutes without paying them; unlimited when absent. */
  unpaidOfNetwork?: number | undefined;
  /** Retention of the buyers of abandoned card payments. */
  abandonedDays: number;
  reconcile: {
    intervalMs: number;
    /** How often Stripe's lists are compared with the database. */
    listsIntervalMs: number;
    /** How often the fees of paid payments are looked up. */
    chargesIntervalMs: number;
    /** Shortest time before the reconciler asks Stripe about an open payment or an unsent refund. */
    afterMs: number;
  };
}

const CHARGES_INTERVAL_MS = 10_000;
const DETAIL_WITHIN_MS = 3_000;
const seconds = z.coerce.number().int().min(1).max(86_400);
const price = z
  .string()
  .regex(/^[\w-]{1,100}$/, 'must be the id of a price at Stripe (price_…)')
  .optional();

const STRIPE_API_URL = 'https://api.stripe.com';

const shape = {
  STRIPE_SECRET_KEY: z.string().regex(/^[sr]k_/, 'must be a secret key of Stripe (sk_… or rk_…)'),
  STRIPE_PUBLISHABLE_KEY: z.string().regex(/^pk_/, 'must be a publishable key of Stripe (pk_…)'),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .transform((list) => list.split(',').map((one) => one.trim()))
    .pipe(
      z.array(z.string().regex(/^whsec_.+/, 'must be one or more secrets (whsec_…), comma between')).min(1),
    ),
  STRIPE_API_URL: url.default(STRIPE_API_URL),
  STRIPE_SCRIPT_URL: url.default(STRIPE_SCRIPT_URL),
  QUOTE_SECRET: secret,
  ORDER_TOKEN_SECRET: secret,
  BANK_ACCOUNTS: bankAccounts,
  BRE_B_KEYS: breBKeys.optional(),
  RATE_LIMIT_SCALE: rateScale,
  SITE_URL: url.default('http://localhost:8080'),
  STRIPE_PRICE_FIRST_YEAR: price,
  STRIPE_PRICE_THREE_YEAR: price,
  STRIPE_PRICE_LIFETIME: price,
  // The reconciler checks open payments for thirty days.
  ABANDONED_PAYMENT_RETENTION_DAYS: z.coerce.number().int().min(31).max(36_500).default(90),
  RECONCILE_LISTS_INTERVAL_SECONDS: seconds.default(600),
  RECONCILE_INTERVAL_SECONDS: seconds.default(60),
  RECONCILE_AFTER_SECONDS: seconds.default(30),
};

/** Settings that production refuses. */
function unfitForProduction(env: Environment, read: z.infer<z.ZodObject<typeof shape>>): string[] {
  if (!isProduction(env)) return [];
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_PUBLISHABLE_KEY: publishableKey } = read;
  const isLive = (key: string) => /^[a-z]+_live_/.test(key);
  return [
    ...rateScaleWeaknesses(env, read.RATE_LIMIT_SCALE),
    ...(isLive(secretKey) === isLive(publishableKey)
      ? []
      : ['STRIPE_PUBLISHABLE_KEY: one of Stripe’s keys is live and the other one for tests']),
    ...(isPublicProduction(env) &&
    /demo|fictional|ficticia|000[.-]?000/i.test(JSON.stringify(read.BANK_ACCOUNTS))
      ? ['BANK_ACCOUNTS: is the demonstration’s']
      : []),
  ];
}

/** Where browsers reach the card provider's API: the sandbox in containers has another name for them than for services. */
export const publicApiUrl = (scriptUrl: string): string =>
  scriptUrl === STRIPE_SCRIPT_URL ? STRIPE_API_URL : new URL(scriptUrl).origin;

export function paymentsConfig(env: Environment): PaymentsConfig {
  const read = readEnvironment(env, shape);
  refuseWeakness(env, ...unfitForProduction(env, read));
  return {
    ...serviceConfig(env, 'payments'),
    stripe: {
      secretKey: read.STRIPE_SECRET_KEY,
      publishableKey: read.STRIPE_PUBLISHABLE_KEY,
      webhookSecrets: read.STRIPE_WEBHOOK_SECRET,
      apiUrl: read.STRIPE_API_URL,
      scriptUrl: read.STRIPE_SCRIPT_URL,
      detailWithinMs: DETAIL_WITHIN_MS,
    },
    quoteSecret: read.QUOTE_SECRET,
    orderTokenSecret: read.ORDER_TOKEN_SECRET,
    bankAccounts: read.BANK_ACCOUNTS.map((account) => ({
      ...account,
      breB: read.BRE_B_KEYS?.get(account.bank),
    })),
    siteUrl: read.SITE_URL,
    photoPackages: {
      ...(read.STRIPE_PRICE_FIRST_YEAR && { first_year: read.STRIPE_PRICE_FIRST_YEAR }),
      ...(read.STRIPE_PRICE_THREE_YEAR && { three_year: read.STRIPE_PRICE_THREE_YEAR }),
      ...(read.STRIPE_PRICE_LIFETIME && { lifetime: read.STRIPE_PRICE_LIFETIME }),
    },
    transfers: transfersConfig(env),
    unpaidOfNetwork: Math.ceil(UNPAID_OF_NETWORK * read.RATE_LIMIT_SCALE) || undefined,
    abandonedDays: read.ABANDONED_PAYMENT_RETENTION_DAYS,
    reconcile: {
      listsIntervalMs: read.RECONCILE_LISTS_INTERVAL_SECONDS * 1000,
      intervalMs: read.RECONCILE_INTERVAL_SECONDS * 1000,
      chargesIntervalMs: CHARGES_INTERVAL_MS,
      afterMs: read.RECONCILE_AFTER_SECONDS * 1000,
    },
  };
}
