import { SERVICES } from '@arboleda/contracts/services.ts';
import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { K8S_DIR, type Manifest, readBase, readKustomization } from './manifests.ts';
import { faultsOf } from './policy.ts';

const PROCESSES = ['gateway', ...SERVICES];
const OVERLAYS = ['overlays/small', 'overlays/large'];

/** The base after one change. */
function changed(change: (find: (kind: string, name: string) => Manifest) => void): Manifest[] {
  const objects = structuredClone(readBase());
  change((kind, name) => objects.find((one) => one.kind === kind && one.metadata.name === name)!);
  return objects;
}

describe('the base', () => {
  test('has all that the gateway and every service need', () => {
    expect(faultsOf(readBase(), PROCESSES)).toEqual([]);
  });

  test('would be refused without the objects of a new service', () => {
    expect(faultsOf(readBase(), [...PROCESSES, 'refunds'])).toEqual([
      'refunds: has no Deployment',
      'refunds: has no Service',
      'refunds: has no ServiceAccount',
      'refunds: has no PodDisruptionBudget',
      'refunds: has no NetworkPolicy',
    ]);
  });

  test('would be refused with a Deployment that nobody knows', () => {
    expect(faultsOf(readBase(), PROCESSES.slice(0, -1))).toEqual([
      'notifications: is no service of the contracts',
    ]);
  });
});

describe('a Deployment is refused when', () => {
  test('it may run as root or write into its image', () => {
    const objects = changed((find) => {
      const pod = find('Deployment', 'orders').spec.template.spec;
      pod.securityContext.runAsUser = 0;
      pod.containers[0].securityContext.readOnlyRootFilesystem = false;
    });
    expect(faultsOf(objects, PROCESSES)).toEqual([
      'orders: may run as root',
      'orders: may write into its image',
    ]);
  });

  test('nothing asks whether it is ready, or it may take all memory', () => {
    const objects = changed((find) => {
      const [container] = find('Deployment', 'media').spec.template.spec.containers;
      container.readinessProbe.httpGet.path = '/livez';
      delete container.resources.limits;
    });
    expect(faultsOf(objects, PROCESSES)).toEqual([
      'media: is called before it is ready',
      'media: has no limit of memory',
    ]);
  });

  test('its Service leads to other pods', () => {
    const objects = changed((find) => {
      find('Service', 'auth').spec.selector = { 'app.kubernetes.io/name': 'orders' };
    });
    expect(faultsOf(objects, PROCESSES)).toEqual(['auth: its Service selects other pods']);
  });
});

test('services have an address for each replica, the gateway one for all', () => {
  const addresses = readBase()
    .filter(({ kind }) => kind === 'Service')
    .map(({ metadata, spec }) => [metadata.name, spec.clusterIP]);
  expect(Object.fromEntries(addresses)).toEqual({
    gateway: undefined,
    ...Object.fromEntries(SERVICES.map((name) => [name, 'None'])),
  });
});

test('the base has a Deployment’s replicas or something that scales it, never both', () => {
  const objects = readBase();
  const scaled = objects
    .filter(({ kind }) => kind.endsWith('Autoscaler'))
    .map(({ spec }) => spec.scaleTargetRef.name);
  const fixed = objects
    .filter(({ kind, spec }) => kind === 'Deployment' && spec.replicas !== undefined)
    .map(({ metadata }) => metadata.name);
  expect([...scaled, ...fixed].sort()).toEqual([...PROCESSES].sort());
});

test.each(OVERLAYS)('%s says which image of every process runs, by a version', (overlay) => {
  const images = readKustomization(overlay).images ?? [];
  expect(images.map(({ name }) => name).sort()).toEqual(PROCESSES.map((name) => `arboleda/${name}`).sort());
  expect(images.filter(({ newTag }) => !newTag || newTag === 'latest')).toEqual([]);
});

test('pods run as the user of the image', () => {
  const dockerfile = readFileSync(join(K8S_DIR, '..', 'docker', 'Dockerfile'), 'utf8');
  const uid = Number(/--uid (\d+)/.exec(dockerfile)?.[1]);
  const users = readBase()
    .filter(({ kind }) => kind === 'Deployment')
    .map(({ spec }) => spec.template.spec.securityContext.runAsUser as number);
  expect(new Set(users)).toEqual(new Set([uid]));
});
