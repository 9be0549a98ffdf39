import type { Environment } from '@arboleda/chassis/config.ts';
import { publicKeysOf } from '@arboleda/chassis/http/service-token.ts';
import { publicHalfOf } from '@arboleda/chassis/keys.ts';
import { productionBecause } from '@arboleda/chassis/production.ts';
import { BANK_IDS } from '@arboleda/contracts/payment-method.ts';
import {
  type Caller,
  CALLERS,
  type ServiceName,
  SERVICES,
  urlVariable,
} from '@arboleda/contracts/services.ts';
import { freePorts } from '@arboleda/postgres/free-ports.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DEMO_FILE } from '../demo/accounts.ts';
import { Fault } from '../terminal/command.ts';
import { dataDirPath } from './data-dir.ts';
import type { Secrets } from './secrets.ts';

/** Addresses of an installation. */
export interface Places {
  siteUrl: string;
  host: string;
  port: number;
  serviceUrls: Environment;
  objectsDir: string;
  databaseUrl: string;
  smtpUrl: string;
  /** The sandbox, when Stripe is not configured. */
  sandbox?: { apiUrl: string; scriptUrl: string } | undefined;
  /** Vite's development server; the built web app is served when absent. */
  webDevUrl?: string | undefined;
}

/** Visibly fictional, so that nobody sends money there. */
export const DEMO_BANK = {
  BANK_ACCOUNTS: BANK_IDS.map(
    (bank) =>
      `${bank}|Ahorros / Savings|000-000000-00 (DEMO)|Fundación Arboleda (ficticia / fictional)|000.000.000-0`,
  ).join(';'),
};

/** The sandbox's prices of photo packages. */
export const DEMO_PRICES = {
  STRIPE_PRICE_FIRST_YEAR: 'price_first_year',
  STRIPE_PRICE_THREE_YEAR: 'price_three_year',
  STRIPE_PRICE_LIFETIME: 'price_lifetime',
};

/** Short delays for demos. */
const DEMO_DELAYS = { PHOTO_MAIL_DELAY_SECONDS: '10', RECONCILE_INTERVAL_SECONDS: '30' };

/**
 * The environment of all processes of the embedded tier. The operator's settings win, except for addresses that are
 * chosen here.
 */
export function embeddedEnvironment(env: Environment, secrets: Secrets, places: Places): Environment {
  const sandbox = places.sandbox && {
    STRIPE_SECRET_KEY: secrets.stripeSecretKey,
    STRIPE_PUBLISHABLE_KEY: secrets.stripePublishableKey,
    STRIPE_WEBHOOK_SECRET: secrets.stripeWebhookSecret,
    STRIPE_API_URL: places.sandbox.apiUrl,
    STRIPE_SCRIPT_URL: places.sandbox.scriptUrl,
    ...DEMO_PRICES,
  };
  return {
    ...DEMO_BANK,
    ...DEMO_DELAYS,
    ...serviceKeyVariables(serviceKeysIn(env, secrets.serviceKeys)),
    AUTH_SECOND_FACTOR_KEY: secrets.secondFactorKey,
    QUOTE_SECRET: secrets.quoteSecret,
    ORDER_TOKEN_SECRET: secrets.orderTokenSecret,
    CERTIFICATE_KEY: secrets.certificateKey,
    MAIL_TOKEN_PRIVATE_KEY: secrets.mailTokenPrivateKey,
    MAIL_TOKEN_PUBLIC_KEY: publicHalfOf(env.MAIL_TOKEN_PRIVATE_KEY || secrets.mailTokenPrivateKey),
    SITE_URL: places.siteUrl,
    ...withoutEmpty(env),
    ...sandbox,
    ...places.serviceUrls,
    HOST: places.host,
    PUBLISHED_HOST: places.host,
    PORT: String(places.port),
    DATABASE_URL: places.databaseUrl,
    SMTP_URL: places.smtpUrl,
    OBJECTS_DIR: places.objectsDir,
    WEB_DEV_URL: places.webDevUrl,
  };
}

/** Private keys in an environment. @param fresh for callers without one */
export const serviceKeysIn = (
  env: Environment,
  fresh?: Readonly<Record<Caller, string>>,
): Record<Caller, string> =>
  Object.fromEntries(
    CALLERS.map((name) => [name, env[keyVariable(name)] || (fresh?.[name] ?? '')]),
  ) as Record<Caller, string>;

/** A variable per private key (ORDERS_SERVICE_KEY), and one for all public keys. */
export const serviceKeyVariables = (keys: Record<Caller, string>): Record<string, string> => ({
  ...Object.fromEntries(CALLERS.map((name) => [keyVariable(name), keys[name]])),
  SERVICE_PUBLIC_KEYS: publicKeysOf(keys),
});

const keyVariable = (name: Caller) => `${name.toUpperCase()}_SERVICE_KEY`;

/** The environment of one service: its own key and port, on this machine only. */
export const serviceEnvironment = (env: Environment, name: ServiceName): Environment => ({
  ...env,
  SERVICE_KEY: env[keyVariable(name)],
  HOST: LOOPBACK,
  PORT: new URL(env[urlVariable(name)]!).port,
});

const LOOPBACK = '127.0.0.1';

/** AUTH_URL, ORDERS_URL and so on, each on a free port. */
export async function freeServiceUrls(): Promise<Environment> {
  const ports = await freePorts(SERVICES.length);
  return Object.fromEntries(
    SERVICES.map((name, index) => [urlVariable(name), `http://${LOOPBACK}:${ports[index]}`]),
  );
}

export const withoutEmpty = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));

/** Settings that a demo invents and production must have: bank account, mail server, site. */
const MADE_UP_OTHERWISE = [
  'STRIPE_SECRET_KEY',
  'STRIPE_PUBLISHABLE_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'SMTP_URL',
  'SITE_URL',
  'BANK_ACCOUNTS',
];

/** Rejects sandbox, inbox, fictional accounts and demo people in production. @throws Fault that says what to do */
export function checkProduction(env: Environment): void {
  const because = productionBecause(env);
  if (because === undefined) return;
  const missing = MADE_UP_OTHERWISE.filter((name) => !env[name]);
  if (missing.length > 0)
    throw new Fault(
      `${because}: this is production, where nothing is made up. Set ${missing.join(', ')}; or try it on this machine alone, without NODE_ENV=production, a live key, a public SITE_URL or HOST.`,
    );
  const dataDir = dataDirPath(env);
  if (existsSync(join(dataDir, DEMO_FILE)))
    throw new Fault(
      `${because}, and ${dataDir} holds the accounts and orders of the demonstration: choose an empty folder (DATA_DIR=…), or delete this one (npm run reset).`,
    );
}

/** @throws Fault when BACKUP_BEFORE_UPGRADE is neither on nor off */
export function backsUpBeforeUpgrade(env: Environment): boolean {
  const value = env.BACKUP_BEFORE_UPGRADE;
  if (value && value !== 'on' && value !== 'off')
    throw new Fault(`BACKUP_BEFORE_UPGRADE must be on or off, and it is "${value}".`);
  return value !== 'off';
}
