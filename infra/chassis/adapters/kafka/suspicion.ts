import { type Caution, KILLED_ITS_PROCESS, MAX_DEATHS_ALONE, SUSPECT_AFTER_DEATHS } from '../../caution.ts';
import type { Logger } from '../../log.ts';
import { type Commit, type Incoming, type Place, placeName } from './messages.ts';
import { within } from './renewable.ts';

/** What a group writes down beside its place in a partition. */
interface Note {
  /** How many readers began at this place and came no further. */
  starts: number;
  /** How often a message was begun alone and not done, by offset. */
  begun: Map<number, number>;
}

interface Standing extends Note {
  /** Where this reader began. */
  from: number;
}

export interface Held {
  /** Everything before it in the partition is done. */
  reached(): number;
  /** The partition is another reader's by now. */
  lost(): boolean;
}

/**
 * Finds the message that kills its process. Kafka knows only where a group is in a partition, so that is where it is
 * written down: a reader that comes no further than those that died there handles what follows alone, one at a time.
 */
export interface Suspicion {
  handle(message: Incoming, held: Held): Promise<void>;
  forget(place: Place): void;
  /** To be written with the next commit of this place. */
  noteOf(place: Place): Pick<Commit, 'note'>;
}

/** How many messages from its place on a reader that died may have had in hand, of those that it had begun. */
const MOST_SUSPECTS = 64;
/** Nothing is held up for a suspicion that cannot be read or written down: at worst one more death is needed. */
const NOTE_MS = 2_000;

export function openSuspicion(parts: {
  caution: Caution;
  logger: Logger;
  /** All that the group has written down. */
  read(): Promise<Commit[]>;
  write(commit: Commit): Promise<void>;
  handle(message: Incoming): Promise<void>;
  bury(message: Incoming, error: Error): Promise<void>;
}): Suspicion {
  const { caution, logger, handle, bury } = parts;
  const known = new Map<string, { standing: Standing; entered: Promise<void> }>();
  let reading: Promise<Commit[]> | undefined;

  /** Partitions are begun together: one question for all. */
  const readOnce = () => (reading ??= within(NOTE_MS, parts.read()).finally(() => (reading = undefined)));
  const write = (place: Place, offset: number, { starts, begun }: Note) =>
    within(
      NOTE_MS,
      parts.write({ topic: place.topic, partition: place.partition, offset, ...noted({ starts, begun }) }),
    ).catch((error: unknown) => logger.debug({ err: error, place }, 'a suspicion is not written down'));

  const enter = (message: Incoming, held: Held) => {
    const name = placeName(message);
    const former = known.get(name);
    if (former) return former;
    const standing: Standing = { starts: 0, begun: new Map(), from: message.offset };
    const entered = (async () => {
      const commits = await readOnce().catch(() => []);
      const { starts, begun } = readNote(commits.find((commit) => placeName(commit) === name)?.note);
      Object.assign(standing, { starts, begun });
      await write(message, held.reached(), { starts: starts + 1, begun });
    })();
    const entry = { standing, entered };
    known.set(name, entry);
    return entry;
  };

  return {
    async handle(message, held) {
      const { standing, entered } = enter(message, held);
      await entered;
      const { offset } = message;
      const { starts, begun, from } = standing;
      const isSuspect =
        begun.has(offset) || (starts >= SUSPECT_AFTER_DEATHS && offset < from + MOST_SUSPECTS);
      if (!isSuspect) return caution.together(() => handle(message));
      return caution.alone(async (isAlone) => {
        if (held.lost()) return;
        const deaths = begun.get(offset) ?? 0;
        if (isAlone && deaths >= MAX_DEATHS_ALONE) {
          await bury(message, new Error(KILLED_ITS_PROCESS));
        } else {
          if (isAlone) {
            begun.set(offset, deaths + 1);
            await write(message, held.reached(), standing);
          }
          await handle(message);
        }
        begun.delete(offset);
      });
    },
    forget: (place) => void known.delete(placeName(place)),
    noteOf(place) {
      const begun = known.get(placeName(place))?.standing.begun ?? new Map<number, number>();
      return noted({ starts: 0, begun });
    },
  };
}

const noted = ({ starts, begun }: Note): Pick<Commit, 'note'> =>
  starts === 0 && begun.size === 0 ? {} : { note: JSON.stringify({ starts, begun: [...begun] }) };

function readNote(note = ''): Note {
  if (!note.startsWith('{')) return { starts: 0, begun: new Map() };
  const { starts, begun } = JSON.parse(note) as { starts: number; begun: [number, number][] };
  return { starts, begun: new Map(begun) };
}
