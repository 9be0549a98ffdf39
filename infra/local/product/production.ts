import type { Environment } from '@arboleda/chassis/config.ts';
import { Fault } from '../terminal/fault.ts';

/** What a demonstration makes up and an organisation must not: who gets the money, who sends the mails, where it is. */
// prettier-ignore
const MADE_UP_OTHERWISE = [
  'STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET', 'SMTP_URL', 'SITE_URL', 'BANK_NAME',
  'BANK_ACCOUNT_TYPE', 'BANK_ACCOUNT_NUMBER', 'BANK_ACCOUNT_HOLDER', 'BANK_ACCOUNT_TAX_ID',
];

export const isProduction = (env: Environment): boolean => env.NODE_ENV === 'production';

/** No sandbox, no inbox and no fictional account in production. @throws Fault that names what is to be set */
export function checkProduction(env: Environment): void {
  if (!isProduction(env)) return;
  const missing = MADE_UP_OTHERWISE.filter((name) => !env[name]);
  if (missing.length === 0) return;
  throw new Fault(`NODE_ENV is production, where nothing is made up: set ${missing.join(', ')}.`);
}
