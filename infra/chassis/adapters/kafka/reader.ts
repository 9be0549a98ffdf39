import { setTimeout as sleep } from 'node:timers/promises';
import { KILLED_ITS_PROCESS, MAX_DEATHS_ALONE, SUSPECT_AFTER_DEATHS } from '../../caution.ts';
import { type Commit, type Incoming, type Place, placeName } from './client.ts';
import { within } from './connections.ts';
import type { GroupOptions, openHands } from './consumer.ts';
import { dueAt, type Handling } from './retries-and-dead-letters.ts';

/** A member of a group until it crashes or closes. Commits up to the first message that is not done. */
export interface Reader {
  /** @throws what it crashes with. */
  crashed: Promise<void>;
  /** Commits what was done last, and leaves. */
  close(): Promise<void>;
}

export interface ReaderOptions extends Omit<GroupOptions, 'handling'>, Handling {
  hands: ReturnType<typeof openHands>;
}

/** A partition of which messages were taken. */
interface Part {
  place: Place;
  /** Taken and not done, in their order. */
  undone: Set<number>;
  /** Everything before it was taken. */
  next: number;
  committed: number;
  /** While it is paused: more than enough was taken. */
  resume: (() => void) | undefined;
  /** Another reader's by now. */
  isLost: boolean;
  note: Note;
  /** Resolves when the note of readers before this one was read, and its own is written. */
  entered: Promise<void>;
  /** Messages before it are handled one by one, each alone. */
  suspectsEnd: number;
  /** Resolves when those of them that were taken are done. */
  cleared: Promise<void>;
}

/** Kept beside a place, to find the message that kills its process: Kafka knows only where a group is in a partition. */
interface Note {
  /** How many readers began here and came no further. */
  starts: number;
  /** How often the message here was begun with nothing else in hand. */
  alone: number;
}

/** Of a partition, in memory; more stay with the broker. */
const MOST_HELD = 500;
/** How much is done twice when this process dies, against how often it writes down how far it is. */
const COMMIT_AFTER_MS = 25;
const COMMIT_AGAIN_MS = 500;
/** Nothing is held up for a note that cannot be read or written: at worst one more death is needed. */
const NOTE_MS = 2_000;
/** How many messages from its place on a reader that died may have had in hand. */
const MOST_SUSPECTS = 64;

/** @throws when it cannot join. */
export async function openReader(options: ReaderOptions): Promise<Reader> {
  const { client, group, topics, handle, bury, hands, caution, logger } = options;
  const crashed = Promise.withResolvers<void>();
  crashed.promise.catch(() => undefined);
  const parts = new Map<string, Part>();
  let notes: Promise<Commit[]> = Promise.resolve([]);
  let writing = Promise.resolve();
  let committing: Promise<void> | undefined;

  const behind = () => [...parts.values()].filter((part) => reachedIn(part) > part.committed);
  /** One after another: what is written of a partition later holds. */
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
  /** With what was done elsewhere: this process may die of what comes next. */
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
      const isSuspicious = part.note.starts >= SUSPECT_AFTER_DEATHS || part.note.alone > 0;
      if (isSuspicious) part.suspectsEnd = from + MOST_SUSPECTS;
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
    // It may come back, and would still be paused.
    part.resume?.();
  };

  const done = (part: Part, { offset }: Incoming) => {
    const before = reachedIn(part);
    part.undone.delete(offset);
    if (reachedIn(part) > before) part.note = { starts: 0, alone: 0 };
    if (part.isLost) return;
    commitSoon();
    if (part.undone.size > MOST_HELD / 2) return;
    part.resume?.();
    part.resume = undefined;
  };
  const settle = (part: Part, message: Incoming, work: () => Promise<void>) =>
    hands.hold(async () => {
      if (part.isLost) return;
      await work();
      done(part, message);
    });
  const handleTogether = (part: Part, message: Incoming) =>
    caution.together(() => settle(part, message, () => handle(message)));
  const handleAlone = (part: Part, message: Incoming) =>
    caution.alone((isAlone) =>
      settle(part, message, async () => {
        if (isAlone && part.note.alone >= MAX_DEATHS_ALONE)
          return bury(message, new Error(KILLED_ITS_PROCESS));
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
    await hands.inLane(message.key ?? placeName(message), () => handleTogether(part, message));
  };

  const joining = client.join({
    group,
    topics,
    take(place, messages, pause) {
      const first = messages[0]?.offset ?? 0;
      let part = parts.get(placeName(place));
      // A topic that was made anew: its offsets mean other messages now.
      if (part && first < part.committed) forget(part);
      part = parts.get(placeName(place)) ?? begin(place, first);
      for (const message of messages) {
        // A group that gathers anew reads again what is not committed yet.
        if (message.offset < part.next) continue;
        part.next = message.offset + 1;
        part.undone.add(message.offset);
        takeOne(part, message).catch((error: unknown) =>
          logger.warn({ err: error, group, ...place }, 'an event is left to be delivered again'),
        );
      }
      if (part.undone.size >= MOST_HELD) part.resume ??= pause();
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
