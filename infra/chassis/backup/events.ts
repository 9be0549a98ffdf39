import { EVENTS } from '@arboleda/contracts/events/index.ts';
import { type ServiceName, SERVICES } from '@arboleda/contracts/services.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Commit,
  type Incoming,
  type KafkaClient,
  type Outgoing,
  placeName,
  type Span,
} from '../adapters/kafka/client.ts';
import { deadLetterTopic, eventTopics, groupTopics, isRetryTopic } from '../adapters/kafka/topics.ts';
import { checkEnding, type Counts, endingOf, toEnding } from './format.ts';

/** A group's offset at the start of a backup. */
export interface Mark extends Commit {
  group: ServiceName;
}

type Line = { group: ServiceName; topics: string[] } | { end: Counts } | Outgoing;

const AT_ONCE = 500;
const TRIES = 30;
const PAUSE_MS = 1_000;

/** Taken before the databases are copied: events handled by then are in the copies, later ones must be dumped. */
export async function marks(client: Pick<KafkaClient, 'commits'>): Promise<Mark[]> {
  const ofGroup = async (group: ServiceName) =>
    (await client.commits(group)).map(({ topic, partition, offset }) => ({
      group,
      topic,
      partition,
      offset,
    }));
  return (await Promise.all(SERVICES.map(ofGroup))).flat();
}

/**
 * Dumps after the databases were copied: subscriptions, and all messages that were unhandled at the marks, including
 * retries and dead letters. Some may be in the copies too; consumers ignore those.
 */
export async function* dumpEvents(
  client: Pick<KafkaClient, 'topics' | 'spans' | 'read'>,
  begun: readonly Mark[],
): AsyncGenerator<string> {
  for (const [group, its] of [...Map.groupBy(begun, ({ group: name }) => name)].sort()) {
    const topics = [...new Set(its.map(({ topic }) => topic))].filter((topic) => topic in EVENTS);
    yield JSON.stringify({ group, topics: topics.sort() } satisfies Line);
  }
  const topics = (await client.topics()).filter((topic) => kindOf(topic) !== undefined);
  const wanted = (await client.spans(topics.sort())).flatMap((span) => undone(span, begun));
  const found = withoutSecondTries(await client.read(wanted), begun);
  for (const { topic, key = '', value = null, headers } of found)
    yield JSON.stringify({ topic, key, value, headers: { ...headers } } satisfies Line);
  yield toEnding({ messages: found.length });
}

function undone(span: Span, begun: readonly Mark[]): Span[] {
  const its = begun.filter((mark) => placeName(mark) === placeName(span)).map(({ offset }) => offset);
  // Events without a subscriber are dropped; dead letters are always kept.
  if (kindOf(span.topic) === 'event' && its.length === 0) return [];
  const isWhole = kindOf(span.topic) === 'dead' || its.length === 0;
  const low = isWhole ? span.low : Math.max(span.low, Math.min(...its));
  return low < span.high ? [{ ...span, low }] : [];
}

/**
 * Drops retries and dead letters of events that their group gets again anyway; otherwise an event could become two
 * dead letters.
 */
function withoutSecondTries(messages: readonly Incoming[], begun: readonly Mark[]): Incoming[] {
  const listens = new Set(begun.map(({ group, topic }) => `${group} ${topic}`));
  const again = new Map<string, string>();
  for (const { topic, value } of messages) if (kindOf(topic) === 'event') again.set(idOf(value) ?? '', topic);
  return messages.filter(({ topic, value }) => {
    const kind = kindOf(topic);
    if (kind === 'event') return true;
    const id = idOf(kind === 'dead' ? originalIn(value) : value);
    const comesAs = id && again.get(id);
    return !comesAs || !listens.has(`${ownerOf(topic)} ${comesAs}`);
  });
}

const ownerOf = (topic: string): string => topic.slice(0, topic.indexOf('.'));
const idOf = (value: string | undefined): string | undefined => field(value, 'id');
/** The original event in a dead letter. */
const originalIn = (value: string | undefined): string | undefined => field(value, 'value');

/** Dead letters may hold invalid JSON. */
function field(value: string | undefined, name: string): string | undefined {
  try {
    const found = (JSON.parse(value ?? '') as Record<string, unknown> | null)?.[name];
    return typeof found === 'string' ? found : undefined;
  } catch {
    return undefined;
  }
}

function kindOf(topic: string): 'event' | 'retry' | 'dead' | undefined {
  if (topic in EVENTS) return 'event';
  if (SERVICES.some((group) => isRetryTopic(group, topic))) return 'retry';
  return SERVICES.some((group) => deadLetterTopic(group) === topic) ? 'dead' : undefined;
}

/**
 * Creates the topics, commits every group at their beginning so that it misses nothing, and then sends the dumped
 * messages. @throws when topics are not empty, or when the dump is incomplete
 */
export async function restoreEvents(
  client: Pick<KafkaClient, 'ensureTopics' | 'spans' | 'join' | 'send'>,
  partitions: number,
  lines: AsyncIterable<string>,
  pauseMs = PAUSE_MS,
): Promise<void> {
  await client.ensureTopics(eventTopics(partitions));
  const spans = await client.spans(eventTopics(partitions).map(({ topic }) => topic));
  const held = spans.find(({ high }) => high > 0);
  if (held) throw new Error(`Kafka is not empty: ${held.topic}`);
  let waiting: Outgoing[] = [];
  let messages = 0;
  let ending: Counts | undefined;
  for await (const text of lines) {
    const line = JSON.parse(text) as Line;
    if ('group' in line) {
      await client.ensureTopics(groupTopics(line.group, partitions));
      const its = spans.filter(({ topic }) => line.topics.includes(topic));
      await retrying(() => beginAtTheBeginning(client, line.group, its), pauseMs);
    } else if ('topic' in line) {
      messages++;
      if (waiting.push(line) < AT_ONCE) continue;
      await client.send(waiting);
      waiting = [];
    } else {
      ending = endingOf(line);
    }
  }
  if (waiting.length > 0) await client.send(waiting);
  checkEnding('the events', ending, { messages });
}

/** Retries, because a broker that has just started still loads its groups. */
async function retrying(step: () => Promise<void>, pauseMs: number): Promise<void> {
  for (let left = TRIES; ; left--) {
    try {
      return await step();
    } catch (error) {
      if (left <= 1) throw error;
      await sleep(pauseMs);
    }
  }
}

async function beginAtTheBeginning(
  client: Pick<KafkaClient, 'join'>,
  group: ServiceName,
  spans: readonly Span[],
): Promise<void> {
  const topics = [...new Set(spans.map(({ topic }) => topic))];
  if (topics.length === 0) return;
  const ignore = () => undefined;
  const member = await client.join({ group, topics, take: ignore, assigned: ignore, crashed: ignore });
  try {
    await member.commit(spans.map(({ topic, partition }) => ({ topic, partition, offset: 0 })));
  } finally {
    await member.leave();
  }
}
