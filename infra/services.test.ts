import {
  DOCUMENT_SERVICES,
  hasDocuments,
  OBJECT_SERVICES,
  SERVICES,
  SQL_SERVICES,
  urlVariable,
} from '@arboleda/contracts/services.ts';
import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** Lists of services that are written by hand, because a tool reads them. TypeScript derives its lists from the contracts. */

const ROOT = join(import.meta.dirname, '..');
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');

type Service = (typeof SERVICES)[number];
/** Lines that a file must have for a service. */
type Lines = (name: Service, upper: string) => string[];

const LISTS: [file: string, lines: Lines][] = [
  [
    'docker-compose.yml',
    (name, upper) => [
      `${urlVariable(name)}: http://${name}:8080`,
      `${name}: { condition: service_started }`,
      `image: arboleda/${name}`,
      `SERVICE: services/${name} }`,
      `SERVICE_KEY: \${${upper}_SERVICE_KEY:?`,
      `user_${name}="\${KAFKA_${upper}_PASSWORD:?`,
      `${upper}_PASSWORD: `,
    ],
  ],
  [
    '.env.example',
    (name, upper) => [
      `#${urlVariable(name)}=`,
      `#${upper}_REPLICAS=1`,
      `#${upper}_SERVICE_KEY=`,
      `#KAFKA_${upper}_PASSWORD=`,
      `#${hasDocuments(name) ? 'MONGODB' : 'POSTGRES'}_${upper}_PASSWORD=`,
      ...(OBJECT_SERVICES.includes(name) ? [`#MINIO_${upper}_PASSWORD=`] : []),
    ],
  ],
  [
    'infra/k8s/base/config.env',
    (name) => [`${urlVariable(name)}=http://${name}.arboleda.svc.cluster.local:8080`],
  ],
  ['infra/k8s/base/kustomization.yaml', (name) => [`  - ${name}.yaml`]],
  ['infra/k8s/images/kustomization.yaml', (name) => [`name: arboleda/${name}, `]],
  ['infra/k8s/secrets/kustomization.yaml', (name) => [`  - { name: ${name}, envs: [${name}.env] }`]],
  ['infra/observability/prometheus/alerts.yml', (name) => [`${name}|`, `absent(up{job="${name}"})`]],
  [
    'infra/observability/prometheus/tests/service-down.yml',
    (name) => [`series: 'up{job="${name}", instance="${name}:1"}'`],
  ],
];

test.each(LISTS)('%s names every service', (file, lines) => {
  const text = textOf(file);
  const missing = SERVICES.flatMap((name) => lines(name, name.toUpperCase())).filter(
    (line) => !text.includes(line),
  );
  expect(missing).toEqual([]);
});

const { services: containers } = parse(textOf('docker-compose.yml'), { merge: true, maxAliasCount: -1 }) as {
  services: Record<string, { command?: string[]; environment?: Record<string, string> }>;
};

test('docker-compose.yml makes a database, documents and a bucket for each service that keeps some', () => {
  expect(containers['postgres-setup']!.command).toEqual([...SQL_SERVICES, 'gateway']);
  expect(containers['mongodb-setup']!.environment!.SERVICES).toBe(DOCUMENT_SERVICES.join(' '));
  expect(containers['minio-setup']!.command).toEqual(OBJECT_SERVICES);
});

test('Prometheus scrapes every service', () => {
  const { scrape_configs: jobs } = parse(textOf('infra/observability/prometheus/prometheus.yml')) as {
    scrape_configs: { job_name: string; dns_sd_configs?: { names: string[] }[] }[];
  };
  const scraped = jobs.find((job) => job.job_name === 'services')!.dns_sd_configs![0]!.names;
  expect(scraped).toEqual(SERVICES);
});
