import { parseArgs } from 'node:util';
import type { EventBus } from '../ports/event-bus.ts';
import type { Jobs } from '../ports/jobs.ts';

/** An event or a job that was given up, as operators see it. */
export interface Letter {
  id: string;
  kind: 'event' | 'job';
  /** The event's group, or the job's service. */
  owner: string;
  /** The event's type, or the job's name. */
  what: string;
  /** The event's key; absent for a job. */
  key?: string;
  failedAt: string;
  error: string;
  /** Topic, partition and offset on Kafka, for example "payment.succeeded/3@1204". */
  place?: string;
}

export interface DeadLetters {
  /** Oldest first. @param owner all when absent */
  list(owner?: string): Promise<Letter[]>;
  /** @returns false when there is no such dead letter */
  replay(id: string): Promise<boolean>;
  /** @returns false when there is no such dead letter */
  discard(id: string): Promise<boolean>;
}

/** A service's given-up work: jobs, or its own kind of deferred work. */
export type GivenUp = Pick<Jobs, 'deadJobs' | 'replay' | 'discard'>;

/** @param services given-up work by service, as far as this process can reach it */
export function openDeadLetters(bus: EventBus, services: ReadonlyMap<string, GivenUp>): DeadLetters {
  /** Tries each source until one has the letter. */
  const first = async (act: (of: Pick<EventBus & Jobs, 'replay' | 'discard'>) => Promise<boolean>) => {
    for (const one of [bus, ...services.values()]) if (await act(one)) return true;
    return false;
  };
  return {
    async list(owner) {
      const asked = [...services].filter(([service]) => owner === undefined || service === owner);
      const [events, ...jobs] = await Promise.all([
        bus.deadLetters(owner),
        ...asked.map(([, givenUp]) => givenUp.deadJobs()),
      ]);
      const letters = [
        ...events.map(({ id, group, event, failedAt, error, place }): Letter => {
          // An unreadable event may be any value.
          const { type, key } = (event ?? {}) as { type?: unknown; key?: unknown };
          return {
            id,
            kind: 'event',
            owner: group,
            what: String(type ?? 'unreadable'),
            failedAt,
            error,
            ...(key !== undefined && { key: String(key) }),
            ...(place && { place: `${place.topic}/${place.partition}@${place.offset}` }),
          };
        }),
        ...jobs.flat().map(({ id, service, name, failedAt, error }): Letter => ({
          id,
          kind: 'job',
          owner: service,
          what: name,
          failedAt,
          error,
        })),
      ];
      return letters.sort((a, b) => a.failedAt.localeCompare(b.failedAt));
    },
    replay: (id) => first((of) => of.replay(id)),
    discard: (id) => first((of) => of.discard(id)),
  };
}

export const USAGE = `npm run dlq -- list [--owner orders] [--json]   what could not be handled, and where it lies
npm run dlq -- replay <id> …                    gives letters to their owner once more
npm run dlq -- replay --all [--owner orders]    all of them
npm run dlq -- discard <id> …                   forgets letters: what they ask for is never done
npm run dlq -- discard --all [--owner orders]   all of them
`;

const VERBS = ['replay', 'discard'] as const;
export type Verb = (typeof VERBS)[number];
/** Output for each letter found. */
export const DONE: Record<Verb, (id: string) => string> = {
  replay: (id) => `${id} is on its way again.`,
  discard: (id) => `${id} is discarded.`,
};
export const NONE = 'There are no dead letters.';

/** The parsed command line. */
interface Asked {
  command: 'list' | Verb;
  ids: string[];
  all: boolean;
  owner?: string | undefined;
  json: boolean;
}

const isVerb = (word: string | undefined): word is Verb => (VERBS as readonly unknown[]).includes(word);

/** Photo ids are random and may begin with a dash. */
const isDashedId = (word: string): boolean => /^-/.test(word) && !/^--(all|json|owner)\b/.test(word);

/** @throws an Error with the usage when the arguments are invalid */
export function readArguments(args: readonly string[]): Asked {
  try {
    const { values, positionals } = parseArgs({
      args: args.filter((word) => !isDashedId(word)),
      allowPositionals: true,
      options: { all: { type: 'boolean' }, json: { type: 'boolean' }, owner: { type: 'string' } },
    });
    const [command, ...plain] = positionals;
    const ids = [...plain, ...args.filter(isDashedId)];
    const { all = false, json = false, owner } = values;
    if (command === 'list' && ids.length === 0 && !all) return { command, ids, all, owner, json };
    if (isVerb(command) && ids.length > 0 !== all) return { command, ids, all, owner, json };
  } catch {
    // The usage is more helpful than the error of parseArgs.
  }
  throw new Error(USAGE);
}

/** @returns the exit code: 1 when a given id was not found */
export async function perform(
  asked: Asked,
  letters: DeadLetters,
  say: (text: string) => void,
): Promise<number> {
  const { command } = asked;
  if (command === 'list') {
    const found = await letters.list(asked.owner);
    say(asked.json ? JSON.stringify(found) : found.length > 0 ? table(found) : NONE);
    return 0;
  }
  const ids = asked.all ? (await letters.list(asked.owner)).map(({ id }) => id) : asked.ids;
  let missing = 0;
  for (const id of ids) {
    const isDone = await letters[command](id);
    if (!isDone) missing++;
    say(isDone ? DONE[command](id) : `${id} is not there.`);
  }
  if (ids.length === 0) say(NONE);
  return missing === 0 ? 0 : 1;
}

const ERROR_SHOWN = 100;

export function table(letters: readonly Letter[]): string {
  const rows = letters.map(({ id, kind, owner, what, key, place = '', failedAt, error }) => [
    id,
    kind,
    owner,
    key === undefined ? what : `${what} ${key}`,
    place,
    failedAt,
    error.replaceAll(/\s+/g, ' ').slice(0, ERROR_SHOWN),
  ]);
  const lines = [['id', 'kind', 'owner', 'what', 'where', 'failed', 'why'], ...rows];
  const widths = lines[0]!.map((_, at) => Math.max(...lines.map((line) => line[at]!.length)));
  return lines
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
