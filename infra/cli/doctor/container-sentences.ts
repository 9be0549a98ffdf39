import { SERVICES } from '@arboleda/contracts/services.ts';
import { figureFindings } from './figures.ts';
import type { Finding } from './settings.ts';

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
}

/** Names in /readyz: the container behind each, and what to check when it runs. */
const ENGINES: Record<string, string> = {
  postgres: 'its DATABASE_URL and the password in .env, and docker compose logs postgres',
  mongodb: 'its MONGODB_URL and the password in .env, and docker compose logs mongodb',
  kafka: 'KAFKA_BROKERS and the password in .env, and docker compose logs kafka kafka-setup',
  minio:
    'S3_ENDPOINT, S3_BUCKET_PREFIX and the password in .env, whether its bucket is there, and docker compose logs minio minio-setup',
};

/** Findings about containers, causes before effects. @param answers of running services */
export function containerSentences(
  containers: readonly Container[],
  answers: ReadonlyMap<string, Answer | undefined>,
): Finding[] {
  if (containers.every(({ State }) => State === 'exited'))
    return ['None of the containers runs: docker compose up --detach starts them.'];
  const ill = containers.filter(({ State, Health }) => State !== 'running' || Health === 'unhealthy');
  const waits = new Map([...answers].map(([service, answer]) => [service, awaited(answer?.readiness ?? '')]));
  const bad = ill.filter(({ Service, State }) => {
    if (State !== 'running') return true;
    // Docker marks a service unhealthy when it waits for an engine; the finding about the engine covers that.
    return !waits.get(Service)?.some((name) => name in ENGINES);
  });
  const waitingFor = (name: string) =>
    [...waits].filter(([, names]) => names.includes(name)).map(([service]) => service);
  const begin = new Set(
    containers.filter(({ Health }) => Health === 'starting').map(({ Service }) => Service),
  );
  const down = new Set(bad.map(({ Service }) => Service));
  const product = [...SERVICES, 'gateway'];
  const there = new Set(containers.map(({ Service }) => Service));
  return [
    ...bad.map((container) => stateSentence(container, waitingFor(container.Service))),
    ...[...product, ...Object.keys(ENGINES)]
      .filter((name) => !there.has(name))
      .map((name) => `There is no container of ${name}: docker compose up --detach ${name} makes one.`),
    ...Object.keys(ENGINES)
      .filter((engine) => there.has(engine) && !down.has(engine))
      .flatMap((engine) => engineSentences(engine, waitingFor(engine), begin)),
    ...[...answers].flatMap(([service, answer]) => {
      if (down.has(service)) return [];
      if (!answer)
        return [`${service} does not answer inside its container: docker compose logs ${service} says why.`];
      return [...stageSentences(service, waits.get(service)!), ...figureFindings(service, answer.metrics)];
    }),
  ];
}

/** Services that wait for a running engine: probably wrong settings, unless one of both has just started. */
function engineSentences(engine: string, waiting: readonly string[], begin: ReadonlySet<string>): Finding[] {
  if (waiting.length === 0) return [];
  if (begin.has(engine)) return [`${listOf(waiting)} ${verb(waiting)} for ${engine}, which ${SOON}`];
  const [young, settled] = [
    waiting.filter((name) => begin.has(name)),
    waiting.filter((name) => !begin.has(name)),
  ];
  return [
    ...(young.length > 0
      ? [`${listOf(young)} ${verb(young)} for ${engine} and ${young.length === 1 ? SOON : SOON_ALL}`]
      : []),
    ...(settled.length > 0
      ? [`${listOf(settled)} cannot use ${engine}, though it runs: see ${ENGINES[engine]}.`]
      : []),
  ];
}

const SOON = 'is still starting: look again in a minute.';
const SOON_ALL = 'are still starting: look again in a minute.';
const verb = (names: readonly string[]) => (names.length === 1 ? 'waits' : 'wait');

function stateSentence({ Service, State, Health }: Container, waiting: readonly string[]): Finding {
  const others = waiting.filter((name) => name !== Service);
  const sentence = ((): string => {
    switch (State) {
      case 'running':
        return `The container ${Service} runs and is ${Health}: docker compose logs ${Service} says why`;
      case 'paused':
        return `The container ${Service} is paused: docker compose unpause ${Service}`;
      case 'restarting':
        return `The container ${Service} ends as soon as it starts: docker compose logs ${Service} says why`;
      default:
        return `The container ${Service} does not run: docker compose up --detach ${Service}, and docker compose logs ${Service} says why it ended`;
    }
  })();
  return `${sentence}${others.length > 0 ? `; ${listOf(others)} ${verb(others)} for it` : ''}.`;
}

const stageSentences = (service: string, names: readonly string[]): Finding[] => {
  if (names.includes('start')) return [`${service} is still starting: look again in a minute.`];
  return names.includes('stop') ? [`${service} is stopping: look again in a minute.`] : [];
};

const awaited = (readiness: string): string[] => {
  const names = /"waitingFor":\[([^\]]+)\]/.exec(readiness)?.[1] ?? '';
  return names
    .split(',')
    .map((name) => name.replaceAll('"', '').trim())
    .filter(Boolean);
};

const listOf = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
