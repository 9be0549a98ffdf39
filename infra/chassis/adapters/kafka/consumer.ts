import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type KafkaClient, UNSUBSCRIBED, placeName } from './client.ts';
import { type GroupOptions, openReader, openWorkSlots } from './reader.ts';
import { isRetryTopic } from './topics.ts';

/** This process's member of a consumer group. */
export interface Group {
  /** Resolves when it reads for the first time. @throws when it is closed before */
  joined: Promise<void>;
  /** @throws while it reads nothing */
  check(): void;
  /** Resolves when work in progress is done and committed, or the time limit has passed. */
  close(): Promise<void>;
}

const JOIN_AGAIN_MS = 1_000;

/** Joins a group, and joins again after each crash. */
export function openGroup(options: GroupOptions): Group {
  const { client, group, topics, logger, stopWithinMs } = options;
  const closed = new AbortController();
  const closing = once(closed.signal, 'abort');
  const abandoned = new AbortController();
  const handling = options.handling(abandoned.signal);
  const slots = openWorkSlots();
  const joined = Promise.withResolvers<void>();
  let failure: Error | undefined = new Error('it has not joined yet');

  const stayJoined = async () => {
    while (!closed.signal.aborted) {
      try {
        await commitStartOffsets(client, group, topics);
        const reader = await openReader({ ...options, ...handling, slots });
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
      await inTime(slots.stop());
      closed.abort();
      await inTime(staying);
      abandoned.abort();
    },
  };
}

/**
 * Commits start offsets for what the group has not read before, and marks topics that it has left. New topics start
 * at their end; new partitions and the group's retry topics start at their beginning.
 */
async function commitStartOffsets(
  client: GroupOptions['client'],
  group: string,
  topics: string[],
): Promise<void> {
  // Fetched before the commits: what another replica reads meanwhile lies behind them.
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
    .map((commit) => ({ ...commit, note: UNSUBSCRIBED }));
  if (begun.length + left.length === 0) return;
  const ignore = () => undefined;
  const member = await client.join({ group, topics, take: ignore, assigned: ignore, crashed: ignore });
  await member.commit([...begun, ...left]).finally(member.leave);
}

/** Number of messages between the group's offsets and the ends of its partitions. */
export async function lagOf(client: Pick<KafkaClient, 'spans' | 'commits'>, group: string): Promise<number> {
  const commits = new Map((await client.commits(group)).map((commit) => [placeName(commit), commit]));
  const spans = await client.spans([...new Set([...commits.values()].map(({ topic }) => topic))]);
  return spans.reduce((sum, span) => {
    const commit = commits.get(placeName(span));
    return commit ? sum + Math.max(0, span.high - Math.max(commit.offset, span.low)) : sum;
  }, 0);
}
