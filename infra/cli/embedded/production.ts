import type { Environment } from '@arboleda/chassis/config.ts';
import { productionBecause } from '@arboleda/chassis/production.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { dataDirPath } from './data-dir.ts';
import { DEMO_FILE } from '../demo/accounts.ts';
import { Fault } from '../terminal/fault.ts';

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
      `${because}: this is production, where nothing is made up. Set ${missing.join(', ')}; or try things out on this machine alone, with none of NODE_ENV=production, a live key, a public SITE_URL and HOST.`,
    );
  const dataDir = dataDirPath(env);
  if (existsSync(join(dataDir, DEMO_FILE)))
    throw new Fault(
      `${because}, and ${dataDir} holds the accounts and orders of the demonstration: choose an empty folder (DATA_DIR=…), or delete this one (npm run reset).`,
    );
}
