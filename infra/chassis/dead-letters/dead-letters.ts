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
