import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepSecrets, newSecrets } from './secrets.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'arboleda-secrets-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

test('secrets are made once, and for their owner alone', async () => {
  const file = join(dir, 'secrets.json');
  const first = await keepSecrets(file);
  expect(await keepSecrets(file)).toEqual(first);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('what a later version needs is added to what is there', async () => {
  const file = join(dir, 'secrets.json');
  writeFileSync(file, JSON.stringify({ serviceSecret: 'kept' }));
  const secrets = await keepSecrets(file);
  expect(secrets.serviceSecret).toBe('kept');
  expect(secrets.quoteSecret.length).toBeGreaterThanOrEqual(32);
});

test('they look as their readers want them', () => {
  const secrets = newSecrets();
  expect(secrets.stripeSecretKey).toMatch(/^sk_test_[0-9a-f]{32}$/);
  expect(secrets.stripePublishableKey).toMatch(/^pk_test_/);
  expect(secrets.stripeWebhookSecret).toMatch(/^whsec_/);
  expect(secrets.demoPassword).toMatch(/^[a-z]+-[a-z]+-\d{4}-[a-z]+$/);
  expect(newSecrets().serviceSecret).not.toBe(secrets.serviceSecret);
});
