import { assignmentsConfig } from '@arboleda/assignments/config.ts';
import { authConfig } from '@arboleda/auth/config.ts';
import type { Environment } from '@arboleda/chassis/config.ts';
import { type ServiceName, SERVICES } from '@arboleda/contracts/services.ts';
import { gatewayConfig } from '@arboleda/gateway/config.ts';
import { describe, expect, test } from '@jest/globals';
import { mediaConfig } from '@arboleda/media/config.ts';
import { notificationsConfig } from '@arboleda/notifications/config.ts';
import { ordersConfig } from '@arboleda/orders/config.ts';
import { paymentsConfig } from '@arboleda/payments/config.ts';
import { pricingConfig } from '@arboleda/pricing/config.ts';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { K8S_DIR, readBase, readKustomization, readResources, readVariables } from './manifests.ts';

const OVERLAYS = ['overlays/small', 'overlays/large'];
const READ: Record<ServiceName | 'gateway', (env: Environment) => unknown> = {
  gateway: gatewayConfig,
  auth: authConfig,
  pricing: pricingConfig,
  payments: paymentsConfig,
  orders: ordersConfig,
  assignments: assignmentsConfig,
  media: mediaConfig,
  notifications: notificationsConfig,
};
const PROCESSES = Object.keys(READ) as (keyof typeof READ)[];

function random(): string {
  return randomBytes(48).toString('base64');
}

/** What an operator writes into the empty lines of the examples. */
const FILLED: Record<string, string> = {
  SERVICE_SECRET: random(),
  QUOTE_SECRET: random(),
  AUTH_SIGNING_KEY: generateKeyPairSync('ed25519')
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString(),
  KAFKA_PASSWORD: 'a password',
  S3_SECRET_KEY: 'a password',
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  BANK_NAME: 'a bank',
  BANK_ACCOUNT_TYPE: 'savings',
  BANK_ACCOUNT_NUMBER: '1',
  BANK_ACCOUNT_HOLDER: 'us',
  BANK_ACCOUNT_TAX_ID: '1',
};
const filled = (variables: Environment): Environment =>
  Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [
      name,
      value?.replace(':CHANGE@', ':a-password@') || FILLED[name],
    ]),
  );

interface Source {
  configMapRef?: { name: string };
  secretRef?: { name: string };
}

/** The environment of a process's container, as Kubernetes puts it together. */
function environmentOf(process: string, overlay: string): Environment {
  const { spec } = readBase().find((one) => one.kind === 'Deployment' && one.metadata.name === process)!;
  const [container] = spec.template.spec.containers;
  const sources = (container.envFrom as Source[]).map(({ configMapRef, secretRef }) =>
    configMapRef
      ? { ...readVariables('base', 'config.env'), ...readVariables(overlay, 'config.env') }
      : readVariables('secrets', `${secretRef!.name}.env.example`),
  );
  const own = ((container.env ?? []) as { name: string; value: string }[]).map(({ name, value }) => [
    name,
    value,
  ]);
  return { ...Object.assign({}, ...sources), ...Object.fromEntries(own) } as Environment;
}

const explained = new Set(
  [...readFileSync(join(K8S_DIR, '..', '..', '.env.example'), 'utf8').matchAll(/^#([A-Z][A-Z0-9_]*)=/gm)].map(
    (match) => match[1]!,
  ),
);

test('every service of the contracts is read here', () => {
  expect(PROCESSES).toEqual(['gateway', ...SERVICES]);
});

describe.each(OVERLAYS)('%s', (overlay) => {
  test.each(PROCESSES)('%s is satisfied with its variables, once the empty ones are filled in', (process) => {
    expect(() => READ[process](filled(environmentOf(process, overlay)))).not.toThrow();
  });

  test.each(PROCESSES)('%s gets variables that .env.example explains, and no other', (process) => {
    const names = Object.keys(environmentOf(process, overlay));
    expect(names.filter((name) => !explained.has(name))).toEqual([]);
    expect(names).not.toEqual([]);
  });
});

test.each(PROCESSES.filter((name) => name !== 'gateway'))(
  'an example that was not changed stops %s',
  (process) => {
    const { SERVICE_SECRET, ...variables } = environmentOf(process, 'overlays/small');
    const untouched = {
      ...filled(variables),
      ...variables,
      SERVICE_SECRET: SERVICE_SECRET || FILLED.SERVICE_SECRET,
    };
    expect(() => READ[process](untouched)).toThrow();
  },
);

test('keys that are left empty stop the start', () => {
  expect(() => paymentsConfig(environmentOf('payments', 'overlays/small'))).toThrow(
    'STRIPE_SECRET_KEY: must be set',
  );
});

test('nobody gets another’s keys', () => {
  const withStripe = PROCESSES.filter((name) => 'STRIPE_SECRET_KEY' in environmentOf(name, 'overlays/large'));
  const withQuotes = PROCESSES.filter((name) => 'QUOTE_SECRET' in environmentOf(name, 'overlays/large'));
  expect([withStripe, withQuotes]).toEqual([['payments'], ['pricing', 'payments']]);
});

test('every Secret is made of a file that has an example', () => {
  for (const { name, envs } of readKustomization('secrets').secretGenerator ?? []) {
    expect(envs).toEqual([`${name}.env`]);
    expect(Object.keys(readVariables('secrets', `${name}.env.example`))).not.toEqual([]);
  }
  expect(readKustomization('secrets').secretGenerator?.map(({ name }) => name)).toEqual([
    'every-service',
    ...PROCESSES,
  ]);
});

test('no more replicas take events than there are partitions', () => {
  const { KAFKA_PARTITIONS } = {
    ...readVariables('base', 'config.env'),
    ...readVariables('overlays/large', 'config.env'),
  };
  for (const { kind, spec } of readResources('overlays/large')) {
    if (kind === 'ScaledObject') expect(spec.maxReplicaCount).toBeLessThanOrEqual(Number(KAFKA_PARTITIONS));
  }
});
