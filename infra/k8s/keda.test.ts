import { expect, test } from '@jest/globals';
import { isKeda, kedaFaults } from './keda.ts';
import { type Manifest, readBase, readResources } from './manifests.ts';

const objects = readResources('overlays/large').filter(isKeda);
const media = () => structuredClone(objects.find(({ metadata }) => metadata.name === 'media')!);

test('KEDA takes what the large overlay brings', () => {
  expect(objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`)).toEqual([
    'ScaledObject/media',
    'ScaledObject/notifications',
    'TriggerAuthentication/kafka',
  ]);
  expect(objects.flatMap(kedaFaults)).toEqual([]);
});

test('it scales Deployments that are there', () => {
  const deployments = readBase().filter(({ kind }) => kind === 'Deployment');
  const known = deployments.map(({ metadata }) => metadata.name);
  const scaled = objects.flatMap(({ spec }) => spec.scaleTargetRef?.name ?? []);
  expect(scaled.filter((name: string) => !known.includes(name))).toEqual([]);
});

const broken = (change: (object: Manifest) => void) => {
  const object = media();
  change(object);
  return kedaFaults(object).join('\n');
};

test('a misspelt field, a wrong type and an unknown kind are found', () => {
  expect(broken(({ spec }) => (spec.maxReplicas = 3))).toContain('maxReplicas');
  expect(broken(({ spec }) => (spec.triggers[0].metadata.threshold = 20))).toContain('threshold');
  expect(broken(({ spec }) => (spec.minReplicaCount = 99))).toContain('at least more than at most');
  expect(broken((object) => (object.kind = 'ScaledJob'))).toContain('no definition');
});
