import type { MetricName } from '@arboleda/chassis/telemetry/names.ts';
import { SERVICES } from '@arboleda/contracts/services.ts';
import { openCompose } from '../compose.ts';
import { agreementOfContainers } from './agreement.ts';
import { backupOld, OLD_BACKUP_SECONDS, ratesOld } from './database.ts';
import type { Finding } from './settings.ts';
import { runningVersionFindings } from './versions.ts';

/** A container in `docker compose ps`. */
export interface Container {
  Service: string;
  State: string;
  Health: string;
}

/** A service's own report. */
export interface Answer {
  readiness: string;
  metrics: string;
  /** The answer of /api/version, which only the gateway has. */
  version?: string;
}

const PRODUCT = [...SERVICES, 'gateway'] as const;

/** Names in /readyz: the container behind each, and what to check when it runs. */
const ENGINES: Record<string, string> = {
  postgres: 'DATABASE_URL and the password in .env, and docker compose logs postgres',
  mongodb: 'MONGODB_URL and the password in .env, and docker compose logs mongodb',
  kafka: 'KAFKA_BROKERS and the password in .env, and docker compose logs kafka kafka-setup',
  minio:
    'S3_ENDPOINT, S3_BUCKET_PREFIX and the password in .env, whether the bucket exists, and docker compose logs minio minio-setup',
};

/** Findings about containers, causes before effects. @param answers of running services */
export function findingsOf(
  containers: readonly Container[],
  answers: ReadonlyMap<string, Answer | undefined>,
): Finding[] {
  if (containers.every(({ State }) => State === 'exited'))
    return ['None of the containers runs: docker compose up --detach starts them.'];
  const reports = new Map([...answers].map(([service, answer]) => [service, reportOf(answer)]));
  const waitingFor = (name: string) =>
    [...reports].flatMap(([service, report]) => (report.waitingFor.includes(name) ? service : []));
  const ill = containers.filter(({ Service, State, Health }) => {
    if (State !== 'running') return true;
    // Docker marks a service unhealthy when it waits; the finding about the engine, or its own reason, covers that.
    const { waitingFor: awaited = [], reason } = reports.get(Service) ?? {};
    return Health === 'unhealthy' && reason === undefined && !awaited.some((name) => name in ENGINES);
  });
  const down = new Set(ill.map(({ Service }) => Service));
  const existing = new Set(containers.map(({ Service }) => Service));
  const starting = new Set(
    containers.filter(({ Health }) => Health === 'starting').map(({ Service }) => Service),
  );
  return [
    ...ill.map((one) => stateFinding(one, waitingFor(one.Service))),
    ...[...PRODUCT, ...Object.keys(ENGINES)]
      .filter((name) => !existing.has(name))
      .map((name) => `There is no container of ${name}: docker compose up --detach ${name} creates it.`),
    ...Object.keys(ENGINES)
      .filter((engine) => existing.has(engine) && !down.has(engine))
      .flatMap((engine) => {
        const untold = waitingFor(engine).filter((service) => !refuses(engine, reports.get(service)!));
        return engineFindings(engine, untold, starting);
      }),
    ...[...answers].flatMap(([service, answer]) => {
      if (down.has(service)) return [];
      if (!answer)
        return [`${service} does not answer inside its container: docker compose logs ${service} says why.`];
      const report = reports.get(service)!;
      const isStarting = report.waitingFor.some((name) => name === 'start' || name === 'stop');
      return [
        ...reasonFindings(service, report),
        ...(isStarting ? [`${service} is still starting or stopping: look again in a minute.`] : []),
        ...(service === 'gateway' ? runningVersionFindings(answer.version ?? '') : []),
        ...figureFindings(service, answer.metrics),
      ];
    }),
  ];
}

/** A service's /readyz. */
interface Report {
  waitingFor: string[];
  reason?: string;
}

/** A service that ends answers with nothing. */
function reportOf(answer: Answer | undefined): Report {
  try {
    return { waitingFor: [], ...(JSON.parse(answer?.readiness ?? '{}') as Partial<Report>) };
  } catch {
    return { waitingFor: [] };
  }
}

/** Whether the service's own sentence is about that engine, which refuses its password. */
const refuses = (engine: string, { waitingFor, reason = '' }: Report): boolean =>
  waitingFor.includes(engine) && reason.includes(engine);

function reasonFindings(service: string, report: Report): Finding[] {
  if (report.reason === undefined) return [];
  const passwords = Object.keys(ENGINES)
    .filter((engine) => refuses(engine, report))
    .map((engine) => `${engine}_${service}_PASSWORD`.toUpperCase());
  if (passwords.length === 0) return [report.reason];
  return [
    `${report.reason} Check ${passwords.join(' and ')} in .env; docker compose up --detach then sets it in both.`,
  ];
}

function stateFinding({ Service, State, Health }: Container, waiting: readonly string[]): Finding {
  const logs = `docker compose logs ${Service}`;
  const sentences: Record<string, string> = {
    running: `The container ${Service} is ${Health}: ${logs} says why.`,
    paused: `The container ${Service} is paused: docker compose unpause ${Service}.`,
    restarting: `The container ${Service} ends as soon as it starts: ${logs} says why.`,
  };
  const sentence =
    sentences[State] ??
    `The container ${Service} does not run: docker compose up --detach ${Service}; ${logs} says why it ended.`;
  const others = waiting.filter((name) => name !== Service);
  return others.length > 0 ? `${sentence} Waiting for it: ${others.join(', ')}.` : sentence;
}

/** Services that wait for a running engine: probably wrong settings, unless one of both has just started. */
function engineFindings(
  engine: string,
  waiting: readonly string[],
  starting: ReadonlySet<string>,
): Finding[] {
  const settled = starting.has(engine) ? [] : waiting.filter((name) => !starting.has(name));
  if (settled.length > 0)
    return [`Cannot use ${engine}, though it runs: ${settled.join(', ')}. Check ${ENGINES[engine]}.`];
  return waiting.length > 0
    ? [`Still starting, and waiting for ${engine}: ${waiting.join(', ')}. Look again in a minute.`]
    : [];
}

/** A metric of a service, above what it is a finding, and that finding of {service} and {n}. */
const RULES: [metric: MetricName, above: number, says: string | ((n: number) => Finding)][] = [
  ['outbox_age_seconds', 60, '{service} could not publish an event for {n} s: see Kafka, and its log.'],
  ['events_dead_letters', 0, '{service} gave up {n} events: npm run dlq -- list says why.'],
  ['jobs_dead', 0, '{service} gave up {n} jobs: npm run dlq -- list says why.'],
  ['photos_given_up', 0, '{service} gave up the pictures of {n} photos: npm run dlq -- list says why.'],
  ['events_waiting', 100, '{n} events wait for {service}: see its log, or give it more replicas.'],
  ['jobs_waiting', 100, '{n} jobs of {service} are due: see its log, or give it more replicas.'],
  ['mails_waiting', 100, '{n} emails wait: check the mail server (SMTP_URL), and the log of {service}.'],
  [
    'transfers_oldest_seconds',
    86_400,
    'A bank transfer has waited for more than a day: an admin has to check the bank statement.',
  ],
  ['rates_too_old', 0, ratesOld],
  [
    'payments_webhooks_refused_total',
    0,
    '{service} refused {n} webhooks since it started, because another secret signed them: copy STRIPE_WEBHOOK_SECRET from the endpoint at Stripe again.',
  ],
  ['growth_visits_overdue', 0, '{n} growth visits should have been made a month ago: ask their workers.'],
  ['photos_waiting', 100, '{n} photos are not shown yet: see the log of media, or give it more replicas.'],
  ['backup_age_seconds', OLD_BACKUP_SECONDS, backupOld],
];

/** Findings in a service's /metrics. The thresholds are those of the alerts; docs/operations.md explains each. */
export const figureFindings = (service: string, metrics: string): Finding[] =>
  RULES.flatMap(([metric, above, says]) => {
    const values = metrics
      .split('\n')
      .filter((line) => line.startsWith(`${metric}{`) || line.startsWith(`${metric} `))
      .map((line) => Number(line.split(' ').at(-1)));
    const most = Math.max(...values);
    if (!(most > above)) return [];
    if (typeof says === 'function') return [says(most)];
    return [says.replace('{service}', service).replace('{n}', String(Math.round(most)))];
  });

const ASK_WITHIN_MS = 20_000;
const ASK = `
  const ask = async (path) => (await fetch('http://127.0.0.1:8080' + path)).text().catch(() => '');
  process.stdout.write(JSON.stringify({ readiness: await ask('/readyz'), metrics: await ask('/metrics'), version: await ask('/api/version') }));`;

/** Checks each docker compose container, and its service's own report. */
export async function containerFindings(): Promise<Finding[]> {
  const compose = openCompose({}, { timeoutMs: ASK_WITHIN_MS });
  const said = (await compose.run(['ps', '--all', '--format', 'json'])).trim();
  // An array, or with newer versions one object per line.
  const all = JSON.parse(said.startsWith('[') ? said : `[${said.replaceAll('\n', ',')}]`) as Container[];
  // Set-up containers are expected to have exited.
  const containers = all.filter(({ Service }) => !Service.endsWith('-setup') && Service !== 'demo');
  const asked = async (service: string): Promise<[string, Answer | undefined]> => {
    const command = ['exec', '--no-TTY', service, 'node', '--input-type=module', '--eval', ASK];
    const answer = await compose.run(command).catch(() => undefined);
    return [service, answer === undefined ? undefined : (JSON.parse(answer) as Answer)];
  };
  const running = new Set(
    containers.filter(({ State }) => State === 'running').map(({ Service }) => Service),
  );
  const answers = new Map(await Promise.all(PRODUCT.filter((service) => running.has(service)).map(asked)));
  const areReady = SERVICES.every((service) => answers.get(service)?.readiness.includes('"ok"'));
  return [
    ...findingsOf(containers, answers),
    ...(areReady ? await agreementOfContainers(openCompose()) : []),
  ];
}
