import { newServiceKeys, publicKeysOf } from '@arboleda/chassis/http/service-token.ts';
import { newKey, publicHalfOf } from '@arboleda/chassis/keys.ts';
import type { Environment } from '@arboleda/chassis/config.ts';
import { STARTABLE } from '@arboleda/cli/embedded/services.ts';
import { BANK_IDS } from '@arboleda/contracts/payment-method.ts';
import { type ServiceName, SERVICES } from '@arboleda/contracts/services.ts';
import { gatewayConfig } from '@arboleda/gateway/config.ts';
import { describe, expect, test } from '@jest/globals';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { parse } from 'yaml';
import { calledBy } from './calls.ts';
import { isKeda, kedaFaults } from './keda.ts';
import {
  K8S_DIR,
  type Manifest,
  readBase,
  readKustomization,
  readResources,
  readVariables,
} from './manifests.ts';
import { faultsOf } from './policy.ts';

const OVERLAYS = ['overlays/small', 'overlays/large'];

describe('environment', () => {
  type ProcessName = ServiceName | 'gateway';
  const PROCESSES: readonly ProcessName[] = ['gateway', ...SERVICES];

  const readConfig = (process: ProcessName, env: Environment): unknown =>
    process === 'gateway' ? gatewayConfig(env) : STARTABLE[process].readConfig(env);

  function random(): string {
    return randomBytes(48).toString('base64');
  }

  const serviceKeys = newServiceKeys();

  const mailTokenKey = newKey('x25519');

  /** Values for the empty lines of the examples. */
  const FILLED: Record<string, string> = {
    SERVICE_PUBLIC_KEYS: publicKeysOf(serviceKeys),
    QUOTE_SECRET: random(),
    ORDER_TOKEN_SECRET: random(),
    CERTIFICATE_KEY: newKey('ed25519'),
    AUTH_SECOND_FACTOR_KEY: random(),
    AUTH_SIGNING_KEY: generateKeyPairSync('ed25519')
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString(),
    MAIL_TOKEN_PRIVATE_KEY: mailTokenKey,
    MAIL_TOKEN_PUBLIC_KEY: publicHalfOf(mailTokenKey),
    KAFKA_PASSWORD: 'a password',
    S3_SECRET_KEY: 'a password',
    STRIPE_SECRET_KEY: 'sk_live_1',
    STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    BANK_ACCOUNTS: BANK_IDS.map((bank) => `${bank}|savings|1|us|1`).join(';'),
    ORGANISATION_TAX_ID: 'NIT 901.442.118-3',
    ORGANISATION_EMAIL: 'hola@fundacionarboles.org',
  };

  const filled = (variables: Environment, process: ProcessName): Environment =>
    Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [
        name,
        value?.replace(':CHANGE@', ':a-password@') ||
          (name === 'SERVICE_KEY' && process !== 'gateway' ? serviceKeys[process] : FILLED[name]),
      ]),
    );

  interface Source {
    configMapRef?: { name: string };
    secretRef?: { name: string };
  }

  /** The environment of a process, merged as in Kubernetes. */
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
    [
      ...readFileSync(join(K8S_DIR, '..', '..', '.env.example'), 'utf8').matchAll(/^#([A-Z][A-Z0-9_]*)=/gm),
    ].map((match) => match[1]!),
  );

  describe.each(OVERLAYS)('%s', (overlay) => {
    test.each(PROCESSES)('%s starts with its variables, once the empty ones are filled in', (process) => {
      expect(() => readConfig(process, filled(environmentOf(process, overlay), process))).not.toThrow();
    });

    test.each(PROCESSES)('%s gets only variables that .env.example explains', (process) => {
      const names = Object.keys(environmentOf(process, overlay));
      expect(names.filter((name) => !explained.has(name))).toEqual([]);
      expect(names).not.toEqual([]);
    });
  });

  test.each(PROCESSES.filter((name) => name !== 'gateway'))('an unchanged example stops %s', (process) => {
    const variables = environmentOf(process, 'overlays/small');
    const { SERVICE_KEY, SERVICE_PUBLIC_KEYS } = filled(variables, process);
    const untouched = { ...filled(variables, process), ...variables, SERVICE_KEY, SERVICE_PUBLIC_KEYS };
    expect(() => readConfig(process, untouched)).toThrow();
  });

  test('empty keys stop the start', () => {
    expect(() => readConfig('payments', environmentOf('payments', 'overlays/small'))).toThrow(
      'STRIPE_SECRET_KEY: must be set',
    );
  });

  test('each service gets only its own keys', () => {
    const withStripe = PROCESSES.filter(
      (name) => 'STRIPE_SECRET_KEY' in environmentOf(name, 'overlays/large'),
    );
    const withQuotes = PROCESSES.filter((name) => 'QUOTE_SECRET' in environmentOf(name, 'overlays/large'));
    const withLinks = PROCESSES.filter(
      (name) => 'MAIL_TOKEN_PRIVATE_KEY' in environmentOf(name, 'overlays/large'),
    );
    expect([withStripe, withQuotes, withLinks]).toEqual([
      ['payments'],
      ['pricing', 'payments'],
      ['notifications'],
    ]);
  });

  test('one command creates a key for every service, and keeps existing ones', () => {
    const folder = mkdtempSync(join(tmpdir(), 'arboleda-secrets-'));
    for (const name of ['every-service', ...SERVICES])
      copyFileSync(join(K8S_DIR, 'secrets', `${name}.env.example`), join(folder, `${name}.env`));
    const variablesOf = (name: string) => parseEnv(readFileSync(join(folder, `${name}.env`), 'utf8'));
    const run = () => {
      execFileSync(process.execPath, [join(K8S_DIR, 'service-keys.ts'), folder]);
      return SERVICES.map((name) => ({
        ...filled(environmentOf(name, 'overlays/small'), name),
        SERVICE_KEY: variablesOf(name).SERVICE_KEY,
        SERVICE_PUBLIC_KEYS: variablesOf('every-service').SERVICE_PUBLIC_KEYS,
      }));
    };
    const first = run();
    for (const [index, name] of SERVICES.entries())
      expect(() => readConfig(name, first[index]!)).not.toThrow();
    expect(new Set(first.map(({ SERVICE_KEY }) => SERVICE_KEY)).size).toBe(SERVICES.length);
    expect(run()).toEqual(first);
    rmSync(folder, { recursive: true });
  });

  test('every Secret is generated from a file that has an example', () => {
    for (const { name, envs } of readKustomization('secrets').secretGenerator ?? []) {
      expect(envs).toEqual([`${name}.env`]);
      expect(Object.keys(readVariables('secrets', `${name}.env.example`))).not.toEqual([]);
    }
    expect(readKustomization('secrets').secretGenerator?.map(({ name }) => name)).toEqual([
      'every-service',
      ...PROCESSES,
    ]);
  });

  test('at most as many replicas consume events as there are partitions', () => {
    const { KAFKA_PARTITIONS } = {
      ...readVariables('base', 'config.env'),
      ...readVariables('overlays/large', 'config.env'),
    };
    for (const { kind, spec } of readResources('overlays/large')) {
      if (kind === 'ScaledObject') expect(spec.maxReplicaCount).toBeLessThanOrEqual(Number(KAFKA_PARTITIONS));
    }
  });
});

describe('keda', () => {
  const objects = readResources('overlays/large').filter(isKeda);

  const media = () => structuredClone(objects.find(({ metadata }) => metadata.name === 'media')!);

  test('KEDA accepts the objects of the large overlay', () => {
    expect(objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`)).toEqual([
      'ScaledObject/media',
      'ScaledObject/notifications',
      'TriggerAuthentication/kafka',
    ]);
    expect(objects.flatMap(kedaFaults)).toEqual([]);
  });

  test('it scales existing Deployments', () => {
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

  test('finds a misspelt field, a wrong type and an unknown kind', () => {
    expect(broken(({ spec }) => (spec.maxReplicas = 3))).toContain('maxReplicas');
    expect(broken(({ spec }) => (spec.triggers[0].metadata.threshold = 20))).toContain('threshold');
    expect(broken(({ spec }) => (spec.minReplicaCount = 99))).toContain('at least more than at most');
    expect(broken((object) => (object.kind = 'ScaledJob'))).toContain('no definition');
  });
});

describe('network', () => {
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

  test('only the gateway and its callers may reach a service', () => {
    const allowed = SERVICES.map((name) => [name, podsOf(policy(name).spec.ingress, 'from').sort()]);
    const callers = (name: ServiceName) => SERVICES.filter((one) => calledBy(one).includes(name));
    expect(allowed).toEqual(SERVICES.map((name) => [name, ['gateway', ...callers(name)].sort()]));
  });

  test('everything else is denied', () => {
    expect(policy('default-deny').spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
  });

  /** Variables that name an engine. */
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

  test.each(['gateway', ...SERVICES])(
    '%s reaches the engines that it has an address of, and no others',
    (name) => {
      const { spec } = objects.find((one) => one.kind === 'Deployment' && one.metadata.name === name)!;
      const reached = Object.keys(spec.template.metadata.labels)
        .filter((label) => label.startsWith(LABEL))
        .map((label) => label.slice(LABEL.length));
      const secrets = (
        spec.template.spec.containers[0].envFrom as { secretRef?: { name: string } }[]
      ).flatMap(({ secretRef }) =>
        secretRef ? Object.keys(readVariables('secrets', `${secretRef.name}.env.example`)) : [],
      );
      const known = new Set(secrets.flatMap((variable) => ENGINES[variable] ?? []));
      // RATES_URL, a provider of exchange rates, is optional.
      if (name === 'pricing') known.add('internet');
      expect(reached.sort()).toEqual([...known].sort());
    },
  );

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
});

describe('policy', () => {
  const PROCESSES = ['gateway', ...SERVICES];

  /** The base with one change. */
  function changed(change: (find: (kind: string, name: string) => Manifest) => void): Manifest[] {
    const objects = structuredClone(readBase());
    change((kind, name) => objects.find((one) => one.kind === kind && one.metadata.name === name)!);
    return objects;
  }

  describe('the base', () => {
    test('has everything that the gateway and every service need', () => {
      expect(faultsOf(readBase(), PROCESSES)).toEqual([]);
    });

    test('is rejected without the objects of a new service', () => {
      expect(faultsOf(readBase(), [...PROCESSES, 'refunds'])).toEqual([
        'refunds: has no Deployment',
        'refunds: has no Service',
        'refunds: has no ServiceAccount',
        'refunds: has no PodDisruptionBudget',
        'refunds: has no NetworkPolicy',
      ]);
    });

    test('is rejected with an unknown Deployment', () => {
      expect(faultsOf(readBase(), PROCESSES.slice(0, -1))).toEqual([
        `${SERVICES.at(-1)}: is no service of the contracts`,
      ]);
    });
  });

  describe('a Deployment is rejected when', () => {
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

    test('it has no readiness probe or no memory limit', () => {
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

    test('its Service selects other pods', () => {
      const objects = changed((find) => {
        find('Service', 'auth').spec.selector = { 'app.kubernetes.io/name': 'orders' };
      });
      expect(faultsOf(objects, PROCESSES)).toEqual(['auth: its Service selects other pods']);
    });
  });

  test('services have an address per replica, the gateway one for all', () => {
    const addresses = readBase()
      .filter(({ kind }) => kind === 'Service')
      .map(({ metadata, spec }) => [metadata.name, spec.clusterIP]);
    expect(Object.fromEntries(addresses)).toEqual({
      gateway: undefined,
      ...Object.fromEntries(SERVICES.map((name) => [name, 'None'])),
    });
  });

  test('a Deployment sets replicas or has an autoscaler, never both', () => {
    const objects = readBase();
    const scaled = objects
      .filter(({ kind }) => kind.endsWith('Autoscaler'))
      .map(({ spec }) => spec.scaleTargetRef.name);
    const fixed = objects
      .filter(({ kind, spec }) => kind === 'Deployment' && spec.replicas !== undefined)
      .map(({ metadata }) => metadata.name);
    expect([...scaled, ...fixed].sort()).toEqual([...PROCESSES].sort());
  });

  test('the image of every process is set, with a version', () => {
    const images = readKustomization('images').images ?? [];
    for (const overlay of OVERLAYS) expect(readKustomization(overlay).components).toContain('../../images');
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
});

const ROOT = join(import.meta.dirname, '..', '..');

const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');

interface Rules {
  groups: { rules: { alert?: string; annotations?: { runbook_url?: string } }[] }[];
}

/** Anchors as GitHub derives them from headings. */
const anchors = [...textOf('docs/operations.md').matchAll(/^#+ (.+)$/gm)].map((match) =>
  match[1]!
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-'),
);

test('every alert links to a section that says what to do', () => {
  const { groups } = parse(textOf('infra/observability/prometheus/alerts.yml')) as Rules;
  const alerts = groups.flatMap(({ rules }) => rules).filter(({ alert }) => alert);
  const urls = alerts.map(({ annotations }) => annotations?.runbook_url);
  expect(urls.length).toBeGreaterThan(0);
  expect(urls.filter((url) => !anchors.some((anchor) => url === `docs/operations.md#${anchor}`))).toEqual([]);
});

test('links within the document resolve', () => {
  const links = [...textOf('docs/operations.md').matchAll(/\]\(#([^)]+)\)/g)].map((match) => match[1]!);
  expect(links.length).toBeGreaterThan(5);
  expect(links.filter((link) => !anchors.includes(link))).toEqual([]);
});
