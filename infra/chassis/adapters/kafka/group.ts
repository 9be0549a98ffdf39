import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../log.ts';
import type { KafkaClient, Member } from './client.ts';
import { openLanes } from './lanes.ts';
import { type Commit, type Incoming, type Place, placeName } from './messages.ts';
import { openProgress, type Progress } from './progress.ts';
import { startingPoints } from './starting-points.ts';

/** One replica of a consumer group. */
export interface Group {
  /** @throws when it reads nothing at the moment. */
  check(): void;
  /** Resolves when what is in hand is done and committed, or the time for that is over. */
  close(): Promise<void>;
}

export interface GroupOptions {
  client: Pick<KafkaClient, 'join' | 'spans' | 'commits'>;
  group: string;
  topics: string[];
  logger: Logger;
  /** Messages are handled side by side, those of one key in their order. Rejects only when it is given up. */
  handle(message: Incoming): Promise<void>;
  /** Before it a message is kept waiting. */
  dueAt(message: Incoming): number;
  atOnce: number;
  stopWithinMs: number;
}

/** A partition that is this replica's own at the moment. */
interface Part {
  place: Place;
  progress: Progress;
  paused: boolean;
  waiting: Set<NodeJS.Timeout>;
  /** Another's by now: what has not begun is left to it. */
  lost: boolean;
}

/** Messages of a partition held in memory; the rest stays with the broker. */
const MOST_HELD = 500;
const COMMIT_AFTER_MS = 25;
const COMMIT_AGAIN_MS = 500;
/** A broker that has just started may still be reading what it knows of groups. */
const FIRST_TRIES = 6;
const JOIN_AGAIN_MS = { first: 250, most: 5_000 };

export async function openGroup(options: GroupOptions): Promise<Group> {
  const { client, group, topics, logger } = options;
  const lanes = openLanes(options.atOnce);
  const parts = new Map<string, Part>();
  const closed = new AbortController();
  let mine = new Set<string>();
  let member: Member | undefined;
  let failure: Error | undefined;
  let rejoining: Promise<void> | undefined;
  let committing: NodeJS.Timeout | undefined;
  let stopping = false;

  const commit = async () => {
    const due = [...parts.values()].flatMap(({ place, progress }) => {
      const offset = progress.uncommitted();
      return offset === undefined ? [] : [{ progress, commit: { ...place, offset } satisfies Commit }];
    });
    if (due.length === 0 || !member) return;
    await member.commit(due.map((it) => it.commit));
    for (const { progress, commit } of due) progress.committed(commit.offset);
  };
  const commitSoon = (afterMs = COMMIT_AFTER_MS) => {
    committing ??= setTimeout(async () => {
      await commit().catch((error: unknown) => {
        logger.debug({ err: error, group }, 'how far a group has come is not stored yet');
        committing = undefined;
        if (!stopping) commitSoon(COMMIT_AGAIN_MS);
      });
      committing = undefined;
      if (!stopping && [...parts.values()].some(({ progress }) => progress.uncommitted() !== undefined)) {
        commitSoon();
      }
    }, afterMs);
  };

  const partAt = (place: Place, offset: number): Part => {
    const name = placeName(place);
    const known = parts.get(name);
    if (known && !known.progress.precedes(offset)) return known;
    if (known) forget(known);
    const part = {
      place,
      progress: openProgress(offset),
      paused: false,
      waiting: new Set<NodeJS.Timeout>(),
      lost: false,
    };
    parts.set(name, part);
    return part;
  };
  const forget = (part: Part) => {
    part.lost = true;
    part.waiting.forEach(clearTimeout);
    parts.delete(placeName(part.place));
    if (part.paused) member?.resume(part.place);
  };
  const work = async (part: Part, message: Incoming) => {
    if (part.lost) return;
    try {
      await options.handle(message);
    } catch (error) {
      return logger.warn({ err: error, group }, 'an event is left to be delivered again');
    }
    const { progress } = part;
    progress.done(message.offset);
    if (part.lost) return;
    commitSoon();
    if (part.paused && progress.pending() <= MOST_HELD / 2) {
      part.paused = false;
      member?.resume(part.place);
    }
  };
  const hold = (part: Part, message: Incoming) => {
    const lane = message.key ?? placeName(part.place);
    const begin = () => lanes.add(lane, () => work(part, message));
    const waitMs = options.dueAt(message) - Date.now();
    if (waitMs <= 0) return begin();
    const timer = setTimeout(() => {
      part.waiting.delete(timer);
      begin();
    }, waitMs);
    part.waiting.add(timer);
  };
  const take = (place: Place, messages: Incoming[]) => {
    if (stopping || !mine.has(placeName(place)) || messages.length === 0) return;
    const part = partAt(place, messages[0]!.offset);
    for (const message of messages) if (part.progress.take(message.offset)) hold(part, message);
    if (part.progress.pending() < MOST_HELD) return;
    part.paused = true;
    member?.pause(place);
  };
  const assigned = (places: Place[]) => {
    mine = new Set(places.map(placeName));
    for (const [name, part] of parts) if (!mine.has(name)) forget(part);
    logger.debug({ group, partitions: [...mine] }, 'a group gathered');
  };

  const join = async () => {
    const lost = Promise.withResolvers<never>();
    lost.promise.catch(() => undefined);
    let ready = false;
    const crashed = (error: Error) => {
      lost.reject(error);
      if (ready) rejoin(error);
    };
    const joined = await client.join({ group, topics, take, assigned, crashed });
    try {
      const { begun, left } = await Promise.race([startingPoints(client, group, topics), lost.promise]);
      if (begun.length + left.length > 0) await joined.commit([...begun, ...left]);
      joined.seek(begun.filter((point) => mine.has(placeName(point))));
    } catch (error) {
      await joined.leave().catch(() => undefined);
      throw error;
    }
    member = joined;
    failure = undefined;
    ready = true;
    joined.begin();
  };
  /** Until it succeeds, `tries` are over or the group is closed. */
  const joinPatiently = async (tries: number) => {
    for (let waitMs = JOIN_AGAIN_MS.first; !stopping; waitMs = Math.min(2 * waitMs, JOIN_AGAIN_MS.most)) {
      try {
        return await join();
      } catch (error) {
        failure = error as Error;
        if (--tries === 0) throw error;
      }
      logger.warn({ err: failure, group }, 'a group cannot be joined yet');
      await sleep(waitMs, undefined, { signal: closed.signal }).catch(() => undefined);
    }
  };
  const rejoin = (error: Error) => {
    if (stopping) return;
    logger.warn({ err: error, group }, 'a group lost this reader, which joins it anew');
    failure = error;
    member = undefined;
    rejoining = joinPatiently(Infinity);
  };

  await joinPatiently(FIRST_TRIES);
  return {
    check() {
      if (failure) throw new Error(`"${group}" reads nothing: ${failure.message}`, { cause: failure });
    },
    async close() {
      stopping = true;
      closed.abort();
      const patience = sleep(options.stopWithinMs, undefined, { ref: false });
      for (const part of parts.values()) part.waiting.forEach(clearTimeout);
      await Promise.race([lanes.stop(), patience]);
      clearTimeout(committing);
      const leave = async () => {
        await rejoining;
        await commit().catch((error: unknown) =>
          logger.warn({ err: error, group }, 'what was done last is not stored'),
        );
        await member?.leave();
      };
      await Promise.race([leave(), sleep(options.stopWithinMs, undefined, { ref: false })]);
    },
  };
}
