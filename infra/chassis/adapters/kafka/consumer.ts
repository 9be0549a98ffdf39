import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Caution } from '../../caution.ts';
import type { Logger } from '../../log.ts';
import { openLimit, openTurns } from '../../turns.ts';
import { type KafkaClient, LEFT, placeName } from './client.ts';
import { openReader } from './reader.ts';
import type { Handling } from './retries-and-dead-letters.ts';
import { isRetryTopic } from './topics.ts';

/** One replica of a consumer group. */
export interface Group {
  /** Resolves when it reads for the first time. @throws when it is closed before. */
  joined: Promise<void>;
  /** @throws when it reads nothing at the moment. */
  check(): void;
  /** Resolves when what is in hand is done and committed, or the time for that is over. */
  close(): Promise<void>;
}

export interface GroupOptions {
  client: Pick<KafkaClient, 'join' | 'spans' | 'commits'>;
  group: string;
  topics: string[];
  /** @param signal ends what cannot be stored before the time to stop is over */
  handling(signal: AbortSignal): Handling;
  caution: Caution;
  logger: Logger;
  stopWithinMs: number;
}

/** Events of a group that a replica handles at once. */
const AT_ONCE = 32;
const JOIN_AGAIN_MS = 1_000;

/** Joins a group, and joins it anew whenever its reader crashes. */
export function openGroup(options: GroupOptions): Group {
  const { client, group, topics, logger, stopWithinMs } = options;
  const closed = new AbortController();
  const closing = once(closed.signal, 'abort');
  const abandoned = new AbortController();
  const handling = options.handling(abandoned.signal);
  const hands = openHands();
  const joined = Promise.withResolvers<void>();
  let failure: Error | undefined = new Error('it has not joined yet');

  const stayJoined = async () => {
    while (!closed.signal.aborted) {
      try {
        await begin(client, group, topics);
        const reader = await openReader({ ...options, ...handling, hands });
        failure = undefined;
        joined.resolve();
        await Promise.race([reader.crashed, closing]);
        return await reader.close();
      } catch (error) {
        if (closed.signal.aborted) return;
        failure = error as Error;
      }
      logger.warn({ err: failure, group }, 'a group reads nothing and is joined anew');
      await sleep(JOIN_AGAIN_MS, undefined, { signal: closed.signal }).catch(() => undefined);
    }
  };
  const staying = stayJoined().finally(() => joined.reject(new Error(`"${group}" is closed`)));
  const inTime = (step: Promise<void>) =>
    Promise.race([step, sleep(stopWithinMs, undefined, { ref: false })]);

  return {
    joined: joined.promise,
    check() {
      if (failure) throw new Error(`"${group}" reads nothing: ${failure.message}`, { cause: failure });
    },
    async close() {
      await inTime(hands.stop());
      closed.abort();
      await inTime(staying);
      abandoned.abort();
    },
  };
}

/** What a replica of a group has in hand: side by side, but one after another within a lane. */
export function openHands() {
  const inTurn = openTurns();
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
    /** Resolves when what has begun is over. */
    async stop(): Promise<void> {
      isStopped = true;
      await Promise.allSettled(inHand);
    },
  };
}

/**
 * Writes down where a group begins in what it has not read before, and which topics it has left. A topic that is new to the
 * group begins at its end; a partition that is new to the topic, and what the group itself put aside, at the beginning.
 */
async function begin(client: GroupOptions['client'], group: string, topics: string[]): Promise<void> {
  // The ends first: what another replica reads and commits meanwhile lies behind them.
  const spans = await client.spans(topics);
  const commits = await client.commits(group);
  const places = new Set(commits.map(placeName));
  const known = new Set(commits.map(({ topic }) => topic));
  const begun = spans
    .filter((span) => !places.has(placeName(span)))
    .map(({ topic, partition, low, high }) => ({
      topic,
      partition,
      offset: known.has(topic) || isRetryTopic(group, topic) ? low : high,
    }));
  const left = commits
    .filter(({ topic }) => !topics.includes(topic) && !isRetryTopic(group, topic))
    .map((commit) => ({ ...commit, note: LEFT }));
  if (begun.length + left.length === 0) return;
  const ignore = () => undefined;
  const member = await client.join({ group, topics, take: ignore, assigned: ignore, crashed: ignore });
  await member.commit([...begun, ...left]).finally(member.leave);
}

/** How many messages lie between where a group is and the ends of what it reads. */
export async function lagOf(client: Pick<KafkaClient, 'spans' | 'commits'>, group: string): Promise<number> {
  const commits = new Map((await client.commits(group)).map((commit) => [placeName(commit), commit]));
  const spans = await client.spans([...new Set([...commits.values()].map(({ topic }) => topic))]);
  return spans.reduce((sum, span) => {
    const commit = commits.get(placeName(span));
    return commit ? sum + Math.max(0, span.high - Math.max(commit.offset, span.low)) : sum;
  }, 0);
}
