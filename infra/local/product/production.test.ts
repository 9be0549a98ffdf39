import { expect, test } from '@jest/globals';
import { checkProduction } from './production.ts';

const OWN = {
  NODE_ENV: 'production',
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  SMTP_URL: 'smtps://mail.arboleda.example',
  SITE_URL: 'https://arboleda.example',
  BANK_NAME: 'Bancolombia',
  BANK_ACCOUNT_TYPE: 'Ahorros',
  BANK_ACCOUNT_NUMBER: '1',
  BANK_ACCOUNT_HOLDER: 'Fundación',
  BANK_ACCOUNT_TAX_ID: '1',
};

test('a demonstration needs nothing', () => expect(() => checkProduction({})).not.toThrow());

test('an organisation with everything of its own may start', () =>
  expect(() => checkProduction(OWN)).not.toThrow());

test.each(['STRIPE_SECRET_KEY', 'SMTP_URL', 'BANK_ACCOUNT_NUMBER'] as const)(
  'production without %s is refused in a sentence that names it: the sandbox and its like are for trying',
  (name) =>
    expect(() => checkProduction({ ...OWN, [name]: '' })).toThrow(
      new RegExp(`^NODE_ENV is production, .* set ${name}\\.$`),
    ),
);
