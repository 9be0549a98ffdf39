import { ConfigError } from '@arboleda/chassis/config.ts';
import { expect, test } from '@jest/globals';
import { transfersConfig } from './config.ts';

test('one admin decides and evidence is kept for five years, unless told otherwise', () => {
  expect(transfersConfig({})).toEqual({ secondAdminAboveUsd: undefined, evidenceRetentionDays: 1825 });
  expect(transfersConfig({ EVIDENCE_RETENTION_DAYS: '0' }).evidenceRetentionDays).toBeUndefined();
});

test('an amount from which on two decide, and days after which evidence goes', () => {
  const env = { TRANSFER_SECOND_ADMIN_ABOVE_USD: '499.99', EVIDENCE_RETENTION_DAYS: '365' };
  expect(transfersConfig(env)).toEqual({ secondAdminAboveUsd: 499.99, evidenceRetentionDays: 365 });
});

test.each([
  ['TRANSFER_SECOND_ADMIN_ABOVE_USD', 'much'],
  ['TRANSFER_SECOND_ADMIN_ABOVE_USD', '-1'],
  ['EVIDENCE_RETENTION_DAYS', '1.5'],
  ['EVIDENCE_RETENTION_DAYS', '-1'],
])('%s = %j stops the start', (name, value) => {
  const start = () => transfersConfig({ [name]: value });
  expect(start).toThrow(ConfigError);
  expect(start).toThrow(name);
});
