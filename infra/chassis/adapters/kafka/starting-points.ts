import type { KafkaClient } from './client.ts';
import { type Commit, placeName } from './messages.ts';
import { isRetryTopic } from './topics.ts';

/**
 * What a group has to commit before it reads: where it begins in what it has not read before, and which topics it has
 * left. A topic that is new to the group begins at its end; a partition that is new to the topic, and what the group
 * itself put aside, at the beginning.
 */
export async function startingPoints(
  client: Pick<KafkaClient, 'spans' | 'commits'>,
  group: string,
  topics: readonly string[],
): Promise<{ begun: Commit[]; left: Commit[] }> {
  // The ends first: what another replica reads and commits meanwhile lies behind them.
  const spans = await client.spans(topics);
  const commits = await client.commits(group);
  const current = new Set(commits.filter(({ left }) => !left).map(placeName));
  const known = new Set(commits.filter(({ left }) => !left).map(({ topic }) => topic));
  return {
    begun: spans
      .filter((span) => !current.has(placeName(span)))
      .map(({ topic, partition, low, high }) => ({
        topic,
        partition,
        offset: known.has(topic) || isRetryTopic(group, topic) ? low : high,
      })),
    left: commits
      .filter(({ topic, left }) => !left && !topics.includes(topic) && !isRetryTopic(group, topic))
      .map((commit) => ({ ...commit, left: true })),
  };
}

/** How many messages lie between where a group is and the ends of what it reads. */
export async function lagOf(client: Pick<KafkaClient, 'spans' | 'commits'>, group: string): Promise<number> {
  const commits = (await client.commits(group)).filter(({ left }) => !left);
  const spans = await client.spans([...new Set(commits.map(({ topic }) => topic))]);
  const ends = new Map(spans.map((span) => [placeName(span), span]));
  return commits.reduce((sum, commit) => {
    const span = ends.get(placeName(commit));
    return span ? sum + Math.max(0, span.high - Math.max(commit.offset, span.low)) : sum;
  }, 0);
}
