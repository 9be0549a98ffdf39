import { openLanes } from './lanes.ts';
import { type Commit, type Incoming, type Place, placeName } from './messages.ts';
import { openProgress, type Progress } from './progress.ts';
import type { Held } from './suspicion.ts';

/** What one replica holds of the partitions that are its own, and how far it has come in them. */
export interface Intake {
  /** Its partitions from now on. What has not begun in others is left to their new owner. */
  assign(places: readonly Place[]): void;
  owns(place: Place): boolean;
  /** Messages of one partition, in order. */
  take(place: Place, messages: readonly Incoming[]): void;
  /** Where to go on after a crash, where that is not committed yet. */
  uncommitted(): Commit[];
  committed(commits: readonly Commit[]): void;
  /** Takes no more. Resolves when what is in hand is done. */
  stop(): Promise<void>;
}

export interface IntakeOptions {
  /** Rejects when the message is given up. */
  handle(message: Incoming, held: Held): Promise<void>;
  /** What was known of a partition that begins anew or is another reader's. */
  forget(place: Place): void;
  /** Before it a message waits, in milliseconds since 1970. */
  dueAt(message: Incoming): number;
  /** How many messages are handled side by side; those of one key are not. */
  atOnce: number;
  /** How many messages of a partition are held in memory; more stay with the broker. */
  mostHeld: number;
  pause(place: Place): void;
  resume(place: Place): void;
  /** It stays uncommitted: whoever reads its partition next will have it again. */
  givenUp(message: Incoming, error: unknown): void;
  /** There is something to commit. */
  progressed(): void;
}

interface Part {
  place: Place;
  progress: Progress;
  paused: boolean;
  waiting: Set<NodeJS.Timeout>;
  lost: boolean;
}

export function openIntake(options: IntakeOptions): Intake {
  const lanes = openLanes(options.atOnce);
  const parts = new Map<string, Part>();
  let own = new Set<string>();
  let stopped = false;

  const forget = (part: Part) => {
    part.lost = true;
    options.forget(part.place);
    part.waiting.forEach(clearTimeout);
    parts.delete(placeName(part.place));
    // It may come back, and would still be paused.
    if (part.paused) options.resume(part.place);
  };
  const partAt = (place: Place, offset: number): Part => {
    const known = parts.get(placeName(place));
    if (known && !known.progress.precedes(offset)) return known;
    if (known) forget(known);
    const part: Part = {
      place,
      progress: openProgress(offset),
      paused: false,
      waiting: new Set(),
      lost: false,
    };
    parts.set(placeName(place), part);
    return part;
  };
  const work = async (part: Part, message: Incoming) => {
    if (part.lost) return;
    try {
      await options.handle(message, { reached: part.progress.reached, lost: () => part.lost });
    } catch (error) {
      return options.givenUp(message, error);
    }
    part.progress.done(message.offset);
    if (part.lost) return;
    options.progressed();
    if (!part.paused || part.progress.pending() > options.mostHeld / 2) return;
    part.paused = false;
    options.resume(part.place);
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

  return {
    assign(places) {
      own = new Set(places.map(placeName));
      for (const [name, part] of parts) if (!own.has(name)) forget(part);
    },
    owns: (place) => own.has(placeName(place)),
    take(place, messages) {
      if (stopped || messages.length === 0 || !own.has(placeName(place))) return;
      const part = partAt(place, messages[0]!.offset);
      for (const message of messages) if (part.progress.take(message.offset)) hold(part, message);
      if (part.progress.pending() < options.mostHeld) return;
      part.paused = true;
      options.pause(place);
    },
    uncommitted: () =>
      [...parts.values()].flatMap(({ place, progress }) => {
        const offset = progress.uncommitted();
        return offset === undefined ? [] : [{ ...place, offset }];
      }),
    committed(commits) {
      for (const commit of commits) parts.get(placeName(commit))?.progress.committed(commit.offset);
    },
    stop() {
      stopped = true;
      for (const { waiting } of parts.values()) waiting.forEach(clearTimeout);
      return lanes.stop();
    },
  };
}
