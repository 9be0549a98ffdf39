import { ConfigError } from '@arboleda/chassis/config.ts';
import { expect, test } from '@jest/globals';
import { ordersConfig } from './config.ts';

const env = {
  AUTH_URL: 'http://127.0.0.1:1',
  DATABASE_URL: 'postgresql://127.0.0.1/x',
  SERVICE_SECRET: 'a secret that only the tests know of',
};

test('the public counter starts at 50000 trees unless the environment says otherwise', () => {
  expect(ordersConfig(env).statsBaselineTrees).toBe(50_000);
  expect(ordersConfig({ ...env, STATS_BASELINE_TREES: '0' }).statsBaselineTrees).toBe(0);
  expect(ordersConfig({ ...env, STATS_BASELINE_TREES: '' }).statsBaselineTrees).toBe(50_000);
});

test.each(['-1', '1.5', 'many'])('a baseline of %s trees stops the start and is named', (value) => {
  const read = () => ordersConfig({ ...env, STATS_BASELINE_TREES: value });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(/STATS_BASELINE_TREES/);
});

test('receipts name the organisation as the environment does', () => {
  expect(ordersConfig(env).organisation).toEqual({ name: 'Arboleda', taxId: undefined });
  const named = ordersConfig({ ...env, ORGANISATION_NAME: 'Fundación X', ORGANISATION_TAX_ID: '900.1-2' });
  expect(named.organisation).toEqual({ name: 'Fundación X', taxId: '900.1-2' });
  expect(() => ordersConfig({ ...env, ORGANISATION_NAME: ' ' })).toThrow(/ORGANISATION_NAME/);
});
