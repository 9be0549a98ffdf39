import type { ArboledaEvent, EventType } from '@arboleda/contracts/events/index.ts';
import type { Courtesy } from '../../../courtesy.ts';
import type { Logger } from '../../../log.ts';
import { repeat } from '../../../repeat.ts';
import { openTurns } from '../../../turns.ts';

/**
 * Groups of this process that are given events without a queue, as long as none of theirs is in it: so that none passes
 * another of its key.
 */
export interface AtHand {
  /** The groups that want events of a type, in whatever process. */
  wanting(type: EventType): readonly string[];
  /** To be called when its subscriptions are stored. */
  subscribe(group: string, how: Pick<Group, 'handle' | 'canWait'>): Promise<void>;
  /** Whether it may be given events now. */
  takes(group: string): boolean;
  /** Resolves when it is handled, or stored for another try. Those of one key follow each other as they were given. */
  give(group: string, event: ArboledaEvent): Promise<void>;
  /** The same for one that comes from the queue: what was given before it may still be in hand. */
  inTurn(group: string, key: string, handle: () => Promise<void>): Promise<void>;
  /** Something for these groups is about to be in the queue. @param store puts it there */
  whileStored<T>(groups: readonly string[], store: () => Promise<T>): Promise<T>;
  /** How many events a group was given and has not handled. */
  inHand(group: string): number;
  /** Gives nothing more, and waits for what is in hand; what still is after `withinMs` counts as failed. */
  stop(withinMs: number): Promise<void>;
}

export interface Subscription {
  consumer: string;
  type: string;
}

type Handle = (event: ArboledaEvent) => Promise<void>;

interface Group {
  handle: Handle;
  /** Nobody waits for what it does. */
  canWait: boolean;
  /** Something of it may be in the queue. */
  isBehind: boolean;
  /** How often something was put into the queue, and how much of that is under way. */
  stored: number;
  storing: number;
  inHand: number;
}

const SUBSCRIBING = 'subscribing';
const AT_ONCE = 10;
/** More of a group is better kept in the queue than in memory. */
const MOST_IN_HAND = 1_000;
const LOOK_EVERY_MS = 100;

export function openAtHand(parts: {
  /** How many of each group's events are in the queue, whether due or not. */
  queued(): Promise<ReadonlyMap<string, number>>;
  /** All there are. */
  subscriptions(): Promise<readonly Subscription[]>;
  courtesy: Courtesy;
  logger: Logger;
}): AtHand {
  const { queued, subscriptions, courtesy, logger } = parts;
  const groups = new Map<string, Group>();
  let wanted = new Map<string, string[]>();
  const inTurn = openTurns();
  // Those that wait take no place of those that do not.
  const limited = { urgent: atOnce(AT_ONCE), patient: atOnce(AT_ONCE) };
  const given = new Set<Promise<void>>();
  const stopped = Promise.withResolvers<never>();
  stopped.promise.catch(() => undefined);
  let isStopped = false;

  const catchUp = async () => {
    const behind = [...groups.values()].filter((group) => group.isBehind && group.storing === 0);
    if (behind.length === 0) return;
    const before = new Map(behind.map((group) => [group, group.stored]));
    const counts = await queued();
    for (const [name, group] of groups)
      if (before.get(group) === group.stored && !counts.get(name)) group.isBehind = false;
  };
  const looking = repeat(LOOK_EVERY_MS, catchUp, logger, 'looking whether queues are empty');

  return {
    wanting: (type) => wanted.get(type) ?? [],

    // One after another: what is read last is newest.
    subscribe: (name, how) =>
      inTurn(SUBSCRIBING, async () => {
        wanted = byType(await subscriptions());
        // What was published before this process began may wait for it.
        groups.set(name, { ...how, isBehind: true, stored: 0, storing: 0, inHand: 0 });
      }),

    takes(name) {
      const group = groups.get(name);
      return !isStopped && group !== undefined && !group.isBehind && group.inHand < MOST_IN_HAND;
    },

    give(name, event) {
      const group = groups.get(name)!;
      group.inHand++;
      const end = group.canWait ? undefined : courtesy.begin();
      const since = performance.now();
      const run = () => group.handle(event);
      const handle = () => (group.canWait ? courtesy.afterOthers(since, run) : run());
      const limit = group.canWait ? limited.patient : limited.urgent;
      const handled = inTurn(laneOf(name, event.key), () => limit(handle)).finally(() => {
        group.inHand--;
        end?.();
      });
      const done = Promise.race([handled, stopped.promise]);
      given.add(done);
      done.catch(() => undefined).finally(() => given.delete(done));
      return done;
    },

    inTurn: (name, key, handle) => inTurn(laneOf(name, key), handle),

    async whileStored(names, store) {
      const own = names.flatMap((name) => groups.get(name) ?? []);
      for (const group of own) {
        group.isBehind = true;
        group.stored++;
        group.storing++;
      }
      try {
        return await store();
      } finally {
        for (const group of own) group.storing--;
      }
    },

    inHand: (name) => groups.get(name)?.inHand ?? 0,

    async stop(withinMs) {
      isStopped = true;
      const timer = setTimeout(() => stopped.reject(new Error('stopped while it was handled')), withinMs);
      await Promise.allSettled(given);
      clearTimeout(timer);
      await looking.stop();
    },
  };
}

const laneOf = (group: string, key: string): string => `${group}/${key}`;

const byType = (subscriptions: readonly Subscription[]): Map<string, string[]> =>
  new Map(
    [...Map.groupBy(subscriptions, ({ type }) => type)].map(([type, own]) => [
      type,
      own.map((one) => one.consumer),
    ]),
  );

/** Lets `most` run at a time, first come first served. */
function atOnce(most: number): (run: () => Promise<void>) => Promise<void> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (run) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      await run();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
