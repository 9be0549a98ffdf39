import type { EventBus } from '../ports/event-bus.ts';
import type { Jobs } from '../ports/jobs.ts';

/** An event or a job that nobody could handle, as an operator looks at it. */
export interface Letter {
  id: string;
  kind: 'event' | 'job';
  /** The group that could not handle the event; the service whose job it is. */
  owner: string;
  /** The event's type, the job's name. */
  what: string;
  /** What the event is about; a job has none. */
  key?: string;
  failedAt: string;
  error: string;
  /** "payment.succeeded/3@1204": topic, partition and offset, of an event on Kafka. */
  place?: string;
}

export interface DeadLetters {
  /** Oldest first. @param owner all when absent. */
  list(owner?: string): Promise<Letter[]>;
  /** @returns false when there is none of that id. */
  replay(id: string): Promise<boolean>;
  /** @returns false when there is none of that id. */
  discard(id: string): Promise<boolean>;
}

/** Work that a service gave up: its jobs, or what else it does later. */
export type GivenUp = Pick<Jobs, 'deadJobs' | 'replay' | 'discard'>;

/** @param services those whose given up work this process can reach */
export function openDeadLetters(bus: EventBus, services: ReadonlyMap<string, GivenUp>): DeadLetters {
  /** The one that has the letter does it. */
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
          // It may be anything: one that cannot be read is among them.
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
