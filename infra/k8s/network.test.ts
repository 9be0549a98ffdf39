import { type ServiceName, SERVICES } from '@arboleda/contracts/services.ts';
import { expect, test } from '@jest/globals';
import { calledBy } from './calls.ts';
import { type Manifest, readBase, readVariables } from './manifests.ts';

const NAME = 'app.kubernetes.io/name';
const objects = readBase();
const policy = (name: string) =>
  objects.find((one) => one.kind === 'NetworkPolicy' && one.metadata.name === name)!;
const podsOf = (rules: Manifest['spec'][] | undefined, side: 'from' | 'to'): string[] =>
  (rules ?? []).flatMap((rule) =>
    (rule[side] ?? []).map((peer: Manifest['spec']) => peer.podSelector?.matchLabels[NAME] as string),
  );

test('a service may call exactly those that its code calls', () => {
  const allowed = SERVICES.map((name) => [name, podsOf(policy(name).spec.egress, 'to').sort()]);
  expect(allowed).toEqual(SERVICES.map((name) => [name, calledBy(name)]));
});

test('a service is called by the gateway, which asks it whether it is ready, and by its callers alone', () => {
  const allowed = SERVICES.map((name) => [name, podsOf(policy(name).spec.ingress, 'from').sort()]);
  const callers = (name: ServiceName) => SERVICES.filter((one) => calledBy(one).includes(name));
  expect(allowed).toEqual(SERVICES.map((name) => [name, ['gateway', ...callers(name)].sort()]));
});

test('everything else is closed', () => {
  expect(policy('default-deny').spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
});

/** By which variables an engine is found. */
const ENGINES: Record<string, string> = {
  DATABASE_URL: 'postgres',
  RATE_LIMIT_DATABASE_URL: 'postgres',
  MONGODB_URL: 'mongodb',
  KAFKA_BROKERS: 'kafka',
  S3_ENDPOINT: 'objects',
  SMTP_URL: 'smtp',
  STRIPE_SECRET_KEY: 'internet',
};
const LABEL = 'reaches.arboleda/';

test.each(['gateway', ...SERVICES])('%s reaches the engines it has an address of, and no other', (name) => {
  const { spec } = objects.find((one) => one.kind === 'Deployment' && one.metadata.name === name)!;
  const reached = Object.keys(spec.template.metadata.labels)
    .filter((label) => label.startsWith(LABEL))
    .map((label) => label.slice(LABEL.length));
  const secrets = (spec.template.spec.containers[0].envFrom as { secretRef?: { name: string } }[]).flatMap(
    ({ secretRef }) =>
      secretRef ? Object.keys(readVariables('secrets', `${secretRef.name}.env.example`)) : [],
  );
  const known = new Set(secrets.flatMap((variable) => ENGINES[variable] ?? []));
  // RATES_URL, a provider of exchange rates, is optional.
  if (name === 'pricing') known.add('internet');
  expect(reached.sort()).toEqual([...known].sort());
});

test('every engine that pods reach has a policy for it', () => {
  const labels = new Set(
    objects
      .filter(({ kind }) => kind === 'Deployment')
      .flatMap(({ spec }) => Object.keys(spec.template.metadata.labels as object))
      .filter((label) => label.startsWith(LABEL)),
  );
  for (const label of labels) {
    const found = policy(label.replace('.arboleda/', '-'));
    expect(found.spec.podSelector.matchLabels).toEqual({ [label]: 'true' });
    expect(found.spec.egress[0].ports.length).toBeGreaterThan(0);
  }
});
