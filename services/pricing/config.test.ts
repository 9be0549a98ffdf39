import { ConfigError } from '@arboleda/chassis/config.ts';
import { expect, test } from '@jest/globals';
import { pricingConfig } from './config.ts';

const env = {
  SERVICE_SECRET: 's'.repeat(32),
  QUOTE_SECRET: 'q'.repeat(32),
  DATABASE_URL: 'postgres://localhost/arboleda',
  AUTH_URL: 'http://localhost:1',
};

test('trusts no header and asks no provider unless told to', () => {
  const config = pricingConfig(env);
  expect(config.trustedCountryHeader).toBeUndefined();
  expect(config.ratesUrl).toBeUndefined();
  expect(config.ratesRefreshMs).toBe(6 * 60 * 60 * 1000);
});

test('knows headers by their name in lower case', () => {
  expect(pricingConfig({ ...env, TRUSTED_COUNTRY_HEADER: 'CF-IPCountry' }).trustedCountryHeader).toBe(
    'cf-ipcountry',
  );
});

test.each([
  ['QUOTE_SECRET', undefined],
  ['QUOTE_SECRET', 'short'],
  ['RATES_URL', 'somewhere'],
  ['RATES_REFRESH_SECONDS', '5'],
  ['TRUSTED_COUNTRY_HEADER', 'a header'],
])('%s "%s" stops the start with its name', (name, value) => {
  const start = () => pricingConfig({ ...env, [name]: value });
  expect(start).toThrow(ConfigError);
  expect(start).toThrow(name);
});
