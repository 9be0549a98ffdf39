import { setTimeout as sleep } from 'node:timers/promises';
import type { Caution } from '../../caution.ts';
import type { Logger } from '../../log.ts';
import type { KafkaClient, Member } from './client.ts';
import type { Handling } from './handling.ts';
import { type IntakeOptions, openIntake } from './intake.ts';
import type { Commit } from './messages.ts';
import { startingPoints } from './starting-points.ts';
import { openSuspicion } from './suspicion.ts';

/** One replica of a consumer group. */
export interface Group {
  /** @throws when it reads nothing at the moment. */
  check(): void;
  /** Resolves when what is in hand is done and committed, or the time for that is over. */
  close(): Promise<void>;
}

export interface GroupOptions extends Handling, Pick<IntakeOptions, 'dueAt' | 'atOnce'> {
  client: Pick<KafkaClient, 'join' | 'spans' | 'commits'>;
  group: string;
  topics: string[];
  caution: Caution;
  logger: Logger;
  stopWithinMs: number;
}

const MOST_HELD = 500;
/** How much is done twice when this process dies, against how often it writes down how far it is. */
const COMMIT_AFTER_MS = 25;
const COMMIT_AGAIN_MS = 500;
/** A broker that has just started may still be reading what it knows of groups. */
const FIRST_TRIES = 6;
const JOIN_AGAIN_MS = { first: 250, most: 5_000 };

/**
 * Joins a group and goes on joining it whenever its reader crashes.
 * @throws when it cannot be joined the first time, after some seconds.
 */
export async function openGroup(options: GroupOptions): Promise<Group> {
  const { client, group, topics, logger } = options;
  const closed = new AbortController();
  let member: Member | undefined;
  let failure: Error | undefined;
  let rejoining: Promise<void> | undefined;
  let commitTimer: NodeJS.Timeout | undefined;

  let lastWrite: Promise<unknown> = Promise.resolve();
  /** One after another: what is written of a place later holds. */
  const write = (commits: readonly Commit[]): Promise<void> => {
    const writing = lastWrite.then(() => {
      if (!member) throw new Error('there is no reader');
      return member.commit(commits);
    });
    lastWrite = writing.catch(() => undefined);
    return writing;
  };
  const suspicion = openSuspicion({
    ...options,
    read: () => client.commits(group),
    write: (commit) => write([commit]),
  });
  const intake = openIntake({
    ...options,
    handle: suspicion.handle,
    forget: suspicion.forget,
    mostHeld: MOST_HELD,
    pause: (place) => member?.pause(place),
    resume: (place) => member?.resume(place),
    givenUp: ({ topic, partition, offset }, error) =>
      logger.warn({ err: error, group, topic, partition, offset }, 'an event is left to be delivered again'),
    progressed: () => commitSoon(COMMIT_AFTER_MS),
  });

  const commit = async () => {
    const commits = intake.uncommitted().map((commit) => ({ ...commit, ...suspicion.noteOf(commit) }));
    if (commits.length === 0 || !member) return;
    await write(commits);
    intake.committed(commits);
  };
  const commitSoon = (afterMs: number) => {
    if (closed.signal.aborted) return;
    commitTimer ??= setTimeout(async () => {
      let againMs = COMMIT_AFTER_MS;
      await commit().catch((error: unknown) => {
        logger.debug({ err: error, group }, 'how far a group has come is not stored yet');
        againMs = COMMIT_AGAIN_MS;
      });
      commitTimer = undefined;
      if (member && intake.uncommitted().length > 0) commitSoon(againMs);
    }, afterMs);
  };

  const join = async () => {
    let gone: Error | undefined;
    let reading = false;
    const joined = await client.join({
      group,
      topics,
      take: intake.take,
      assigned(places) {
        intake.assign(places);
        logger.debug({ group, places }, 'a group gathered');
      },
      crashed(error) {
        gone = error;
        if (reading) rejoin(error);
      },
    });
    try {
      const { begun, left } = await startingPoints(client, group, topics);
      if (begun.length + left.length > 0) await joined.commit([...begun, ...left]);
      joined.seek(begun.filter(intake.owns));
      if (gone) throw gone;
    } catch (error) {
      await joined.leave().catch(() => undefined);
      throw error;
    }
    member = joined;
    failure = undefined;
    reading = true;
    joined.begin();
  };
  /** Until it succeeds, `tries` are over or the group is closed. */
  const joinPatiently = async (tries: number) => {
    let waitMs = JOIN_AGAIN_MS.first;
    while (!closed.signal.aborted) {
      try {
        return await join();
      } catch (error) {
        failure = error as Error;
        if (--tries === 0) throw error;
      }
      logger.warn({ err: failure, group }, 'a group cannot be joined yet');
      await sleep(waitMs, undefined, { signal: closed.signal }).catch(() => undefined);
      waitMs = Math.min(2 * waitMs, JOIN_AGAIN_MS.most);
    }
  };
  const rejoin = (error: Error) => {
    if (closed.signal.aborted) return;
    logger.warn({ err: error, group }, 'a group lost this reader, which joins it anew');
    failure = error;
    member = undefined;
    rejoining = joinPatiently(Infinity);
  };
  const leave = async () => {
    await rejoining;
    await commit().catch((error: unknown) =>
      logger.warn({ err: error, group }, 'what was done last may be done again'),
    );
    await member?.leave();
  };
  const patience = () => sleep(options.stopWithinMs, undefined, { ref: false });

  await joinPatiently(FIRST_TRIES);
  return {
    check() {
      if (failure) throw new Error(`"${group}" reads nothing: ${failure.message}`, { cause: failure });
    },
    async close() {
      closed.abort();
      clearTimeout(commitTimer);
      await Promise.race([intake.stop(), patience()]);
      await Promise.race([leave(), patience()]);
    },
  };
}
