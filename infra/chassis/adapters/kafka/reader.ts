import { setTimeout as sleep } from 'node:timers/promises';
import { openKeyedMutex, openLimit } from '../../concurrency.ts';
import type { Logger } from '../../log.ts';
import {
  KILLED_ITS_PROCESS,
  MAX_CRASHES_ALONE,
  type PoisonMessageGuard,
  SUSPECT_AFTER_CRASHES,
} from '../../poison-message-guard.ts';
import { type Commit, type Incoming, type KafkaClient, type Place, placeName } from './client.ts';
import { within } from './connections.ts';
import { dueAt, type Handling } from './retries-and-dead-letters.ts';

/** Events of a group handled concurrently in this process. */
const AT_ONCE = 32;

export interface GroupOptions {
  client: Pick<KafkaClient, 'join' | 'spans' | 'commits'>;
  group: string;
  topics: string[];
  /** @param signal aborts storing when the time to stop has passed */
  handling(signal: AbortSignal): Handling;
  guard: PoisonMessageGuard;
  logger: Logger;
  stopWithinMs: number;
}

/** Runs events of a group concurrently, but those of one lane one after another. */
export function openWorkSlots() {
  const inTurn = openKeyedMutex();
  const limit = openLimit(AT_ONCE);
  const inHand = new Set<Promise<void>>();
  let isStopped = false;
  return {
    inLane: (lane: string, run: () => Promise<void>) => inTurn(lane, () => limit(run)),
    /** Runs it unless stopped. */
    async hold(run: () => Promise<void>): Promise<void> {
      if (isStopped) return;
      const doing = run();
      inHand.add(doing);
      await doing.finally(() => inHand.delete(doing));
    },
    /** Resolves when everything in progress has ended. */
    async stop(): Promise<void> {
      isStopped = true;
      await Promise.allSettled(inHand);
    },
  };
}

/** A group member until it crashes or closes. Commits up to the first message that is not done. */
export interface Reader {
  /** @throws the error of the crash */
  crashed: Promise<void>;
  /** Commits the last offsets, and leaves. */
  close(): Promise<void>;
}

export interface ReaderOptions extends Omit<GroupOptions, 'handling'>, Handling {
  slots: ReturnType<typeof openWorkSlots>;
}

/** An assigned partition. */
interface Part {
  place: Place;
  /** Offsets of messages in progress, in order. */
  undone: Set<number>;
  /** The next offset to take. */
  next: number;
  committed: number;
  /** Set while the partition is paused because enough messages are in memory. */
  resume: (() => void) | undefined;
  /** Assigned to another member by now. */
  isLost: boolean;
  note: Note;
  /** Resolves when the note of earlier readers was read and this reader's is written. */
  entered: Promise<void>;
  /** Messages below this offset are handled one by one, each alone. */
  suspectsEnd: number;
  /** Resolves when all suspects taken so far are done. */
  cleared: Promise<void>;
}

/** Commit metadata that helps to find a poison message: Kafka itself only stores offsets. */
interface Note {
  /** How many readers started at this offset and got no further. */
  starts: number;
  /** How often the message at this offset was started with nothing else in progress. */
  alone: number;
}

/** Per partition, in memory; the rest stays on the broker. */
const MAX_IN_MEMORY = 500;
/** Trades duplicates after a crash against the number of commits. */
const COMMIT_AFTER_MS = 25;
const COMMIT_AGAIN_MS = 500;
/** A note that cannot be read or written in time is skipped: at worst, finding the message takes one more crash. */
const NOTE_MS = 2_000;
/** How many messages a crashed reader may have had in progress. */
const MAX_SUSPECTS = 64;

/** @throws when it cannot join */
export async function openReader(options: ReaderOptions): Promise<Reader> {
  const { client, group, topics, handle, storeDeadLetter, slots, guard, logger } = options;
  const crashed = Promise.withResolvers<void>();
  crashed.promise.catch(() => undefined);
  const parts = new Map<string, Part>();
  let notes: Promise<Commit[]> = Promise.resolve([]);
  let writing = Promise.resolve();
  let committing: Promise<void> | undefined;

  const behind = () => [...parts.values()].filter((part) => reachedIn(part) > part.committed);
  /** Serialised, so that the latest commit of a partition wins. */
  const write = (which: () => Part[]): Promise<void> => {
    const step = writing.then(async () => {
      const its = which().filter(({ isLost }) => !isLost);
      const commits = its.map((part) => ({
        ...part.place,
        offset: reachedIn(part),
        note: JSON.stringify(part.note),
      }));
      if (commits.length > 0) await (await joining).commit(commits);
      its.forEach((part, n) => (part.committed = commits[n]!.offset));
    });
    writing = step.catch(() => undefined);
    return step;
  };
  const commitSoon = () => {
    committing ??= sleep(COMMIT_AFTER_MS)
      .then(() => write(behind))
      .catch(() => sleep(COMMIT_AGAIN_MS))
      .finally(() => {
        committing = undefined;
        if (behind().length > 0) commitSoon();
      });
  };
  /** Commits before a message that may kill this process. */
  const noteDown = (part: Part): Promise<void> => {
    const written = write(() => [part, ...behind().filter((one) => one !== part)]);
    return within(NOTE_MS, written).catch((error: unknown) =>
      logger.debug({ err: error, group, ...part.place }, 'a note is not written'),
    );
  };

  const begin = (place: Place, from: number): Part => {
    const part: Part = {
      place,
      undone: new Set(),
      next: from,
      committed: from,
      resume: undefined,
      isLost: false,
      note: { starts: 0, alone: 0 },
      entered: Promise.resolve(),
      suspectsEnd: from,
      cleared: Promise.resolve(),
    };
    const enter = async () => {
      const commit = (await notes).find((one) => placeName(one) === placeName(place));
      if (commit?.note?.startsWith('{')) part.note = JSON.parse(commit.note) as Note;
      const isSuspicious = part.note.starts >= SUSPECT_AFTER_CRASHES || part.note.alone > 0;
      if (isSuspicious) part.suspectsEnd = from + MAX_SUSPECTS;
      part.note.starts++;
      await noteDown(part);
    };
    part.entered = enter();
    parts.set(placeName(place), part);
    return part;
  };
  const forget = (part: Part) => {
    part.isLost = true;
    parts.delete(placeName(part.place));
    // kafkajs keeps a partition paused after it is reassigned.
    part.resume?.();
  };

  const done = (part: Part, { offset }: Incoming) => {
    const before = reachedIn(part);
    part.undone.delete(offset);
    if (reachedIn(part) > before) part.note = { starts: 0, alone: 0 };
    if (part.isLost) return;
    commitSoon();
    if (part.undone.size > MAX_IN_MEMORY / 2) return;
    part.resume?.();
    part.resume = undefined;
  };
  const settle = (part: Part, message: Incoming, work: () => Promise<void>) =>
    slots.hold(async () => {
      if (part.isLost) return;
      await work();
      done(part, message);
    });
  const handleTogether = (part: Part, message: Incoming) =>
    guard.concurrently(() => settle(part, message, () => handle(message)));
  const handleAlone = (part: Part, message: Incoming) =>
    guard.exclusively((isAlone) =>
      settle(part, message, async () => {
        if (isAlone && part.note.alone >= MAX_CRASHES_ALONE)
          return storeDeadLetter(message, new Error(KILLED_ITS_PROCESS));
        if (isAlone) {
          part.note.alone++;
          await noteDown(part);
        }
        await handle(message);
      }),
    );
  const untilDue = async (message: Incoming) => {
    const waitMs = dueAt(message) - Date.now();
    if (waitMs > 0) await sleep(waitMs, undefined, { ref: false });
  };
  const takeOne = async (part: Part, message: Incoming) => {
    await part.entered;
    if (message.offset < part.suspectsEnd) {
      const turn = part.cleared.then(() => untilDue(message)).then(() => handleAlone(part, message));
      return (part.cleared = turn);
    }
    await part.cleared;
    await untilDue(message);
    await slots.inLane(message.key ?? placeName(message), () => handleTogether(part, message));
  };

  const joining = client.join({
    group,
    topics,
    take(place, messages, pause) {
      const first = messages[0]?.offset ?? 0;
      let part = parts.get(placeName(place));
      // The topic was deleted and created again: offsets start over.
      if (part && first < part.committed) forget(part);
      part = parts.get(placeName(place)) ?? begin(place, first);
      for (const message of messages) {
        // After a rebalance, uncommitted messages arrive again.
        if (message.offset < part.next) continue;
        part.next = message.offset + 1;
        part.undone.add(message.offset);
        takeOne(part, message).catch((error: unknown) =>
          logger.warn({ err: error, group, ...place }, 'an event is left to be delivered again'),
        );
      }
      if (part.undone.size >= MAX_IN_MEMORY) part.resume ??= pause();
    },
    assigned(places) {
      const own = new Set(places.map(placeName));
      for (const [name, part] of parts) if (!own.has(name)) forget(part);
      notes = within(NOTE_MS, client.commits(group)).catch(() => []);
      logger.debug({ group, places }, 'a group gathered');
    },
    crashed(error) {
      parts.forEach(forget);
      crashed.reject(error);
    },
  });
  const member = await joining;
  return {
    crashed: crashed.promise,
    async close() {
      await write(behind).catch((error: unknown) =>
        logger.warn({ err: error, group }, 'what was done last may be done again'),
      );
      parts.forEach(forget);
      await member.leave();
    },
  };
}

const reachedIn = ({ undone, next }: Part): number => undone.values().next().value ?? next;
