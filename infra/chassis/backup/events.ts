import { fromCloudEvent, toCloudEvent } from '@arboleda/contracts/events/cloud-event.ts';
import type { EventEnvelope } from '@arboleda/contracts/events/envelope.ts';
import { EVENTS, type EventType } from '@arboleda/contracts/events/index.ts';
import { TRAFFIC } from '@arboleda/contracts/events/traffic.ts';
import { type ServiceName, SERVICES } from '@arboleda/contracts/services.ts';
import type pg from 'pg';
import {
  type Commit,
  type Incoming,
  type KafkaClient,
  type Outgoing,
  placeName,
  type Span,
} from '../adapters/kafka/client.ts';
import { type DeadLetterValue, openDeadLetters } from '../adapters/kafka/retries-and-dead-letters.ts';
import { deadLetterTopic, eventTopics, groupTopics, isRetryTopic } from '../adapters/kafka/topics.ts';
import type { DeadLetterCopy } from './format.ts';
import { waitedFor } from './pause.ts';
import { eventLetters, restoreLetter } from './service.ts';

/** An event, with the groups that have not handled it. */
export interface WaitingEvent {
  event: EventEnvelope;
  groups: string[];
}

/** Waiting events, in the order of publishing, in a form that both buses understand. */
export type EventLine = WaitingEvent | { letter: DeadLetterCopy } | { end: number };

/** Groups that listen to a type. */
export const listenersOf = (type: string): ServiceName[] =>
  SERVICES.filter((service) => TRAFFIC[service].listensTo.includes(type as EventType));

/** @throws when the last line is missing or counts others */
export async function* readEventLines(
  lines: AsyncIterable<string>,
): AsyncGenerator<Exclude<EventLine, { end: number }>> {
  let came = 0;
  for await (const text of lines) {
    const line = JSON.parse(text) as EventLine;
    if (!('end' in line)) {
      came++;
      yield line;
    } else if (line.end === came) return;
    else throw new Error(`the events are not whole: ${came} of ${line.end} came`);
  }
  throw new Error('the events break off: their last line is missing');
}

/* Events in PostgreSQL */

/** @param client in the transaction of the backup */
export async function* eventsOfPostgres(client: pg.Client): AsyncGenerator<EventLine> {
  const { rows } = await client.query<WaitingEvent>(
    `select (array_agg(event order by seq))[1] as event, array_agg(group_name order by group_name) as groups
     from chassis.deliveries group by event_id order by min(seq)`,
  );
  yield* rows;
  for (const letter of await eventLetters(client)) yield { letter };
}

/** Services subscribe when they start, and what others publish before that would be lost. */
export async function restoreEventsToPostgres(
  client: pg.Client,
  lines: AsyncIterable<Exclude<EventLine, { end: number }>>,
): Promise<void> {
  for (const service of SERVICES)
    await client.query(
      `insert into chassis.subscriptions (group_name, type) select $1, unnest($2::text[]) on conflict do nothing`,
      [service, TRAFFIC[service].listensTo],
    );
  for await (const line of lines) {
    if ('letter' in line) await restoreLetter(client, line.letter);
    else
      await client.query(
        `insert into chassis.deliveries (group_name, event_id, key, event) select unnest($1::text[]), $2, $3, $4
         on conflict (group_name, event_id) do nothing`,
        [line.groups, line.event.id, line.event.key, JSON.stringify(line.event)],
      );
  }
}

/* Events in Kafka */

/** A group's offset at the start of a backup. */
export interface Mark extends Commit {
  group: ServiceName;
}

/** Taken before the databases are copied: events handled by then are in the copies, later ones must be copied too. */
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

/** The ends of all topics of ours. */
export async function ends(client: Pick<KafkaClient, 'topics' | 'spans'>): Promise<Span[]> {
  const topics = (await client.topics()).filter((topic) => kindOf(topic) !== undefined);
  return client.spans(topics.sort());
}

/**
 * Events that groups had not handled at the marks, up to the ends. A retry or a dead letter of an event that its group gets
 * anyway is left out, or the event could become two dead letters.
 */
export async function* eventsOfKafka(
  client: Pick<KafkaClient, 'topics' | 'spans' | 'read' | 'send'>,
  begun: readonly Mark[],
  spans: readonly Span[],
): AsyncGenerator<EventLine> {
  const wanted = spans.flatMap((span) => unhandled(span, begun));
  const waiting = new Map<string, WaitingEvent>();
  const messages = await waitedFor(() => client.read(wanted));
  messages.sort((a, b) => timeOf(a).localeCompare(timeOf(b)));
  for (const message of messages) {
    const event = eventIn(message);
    // A message that is no event becomes a dead letter of its group.
    if (!event) continue;
    const groups = isRetry(message.topic)
      ? [ownerOf(message.topic)]
      : begun
          .filter(
            (mark) =>
              mark.topic === message.topic &&
              mark.partition === message.partition &&
              mark.offset <= message.offset,
          )
          .map(({ group }) => group);
    const known = waiting.get(event.id);
    waiting.set(event.id, { event, groups: [...new Set([...(known?.groups ?? []), ...groups])] });
  }
  yield* waiting.values();
  const high = new Map(spans.map((span) => [placeName(span), span.high]));
  for (const letter of await waitedFor(() => openDeadLetters(client).list())) {
    const { id, group, event, error, failedAt, place } = letter;
    const isLater = place !== undefined && place.offset >= (high.get(placeName(place)) ?? 0);
    const { id: eventId, type = '', key = null } = (event ?? {}) as Partial<EventEnvelope>;
    if (isLater || waiting.get(eventId ?? '')?.groups.includes(group as ServiceName)) continue;
    yield {
      letter: { id, kind: 'event', owner: group, task: type, key, payload: event, error, failedAt },
    };
  }
}

const timeOf = ({ headers }: Incoming): string => headers.ce_time ?? '';

function eventIn({ headers, value }: Incoming): EventEnvelope | undefined {
  try {
    const event = fromCloudEvent({ headers, value: value ?? '' }) as EventEnvelope;
    return typeof event.id === 'string' && typeof event.type === 'string' ? event : undefined;
  } catch {
    return undefined;
  }
}

/** The part of a partition that some group has not handled; none when nobody listens. */
function unhandled(span: Span, begun: readonly Mark[]): Span[] {
  const its = begun.filter((mark) => placeName(mark) === placeName(span)).map(({ offset }) => offset);
  const kind = kindOf(span.topic);
  if (kind === 'dead' || (kind === 'event' && its.length === 0)) return [];
  const low = its.length === 0 ? span.low : Math.max(span.low, Math.min(...its));
  return low < span.high ? [{ ...span, low }] : [];
}

const ownerOf = (topic: string): ServiceName => topic.slice(0, topic.indexOf('.')) as ServiceName;
const isRetry = (topic: string): boolean => kindOf(topic) === 'retry';

function kindOf(topic: string): 'event' | 'retry' | 'dead' | undefined {
  if (topic in EVENTS) return 'event';
  if (SERVICES.some((group) => isRetryTopic(group, topic))) return 'retry';
  return SERVICES.some((group) => deadLetterTopic(group) === topic) ? 'dead' : undefined;
}

const AT_ONCE = 500;
const PAUSE_MS = 1_000;

/**
 * Creates the topics, commits every group at their beginning so that it misses nothing, and then publishes what waited. An
 * event goes to all groups, and those that had handled it know it.
 * @throws when topics are not empty
 */
export async function restoreEventsToKafka(
  client: Pick<KafkaClient, 'ensureTopics' | 'spans' | 'join' | 'send'>,
  partitions: number,
  lines: AsyncIterable<Exclude<EventLine, { end: number }>>,
  pauseMs = PAUSE_MS,
): Promise<void> {
  await requireEmptyTopics(client, partitions, pauseMs);
  const spans = await client.spans(eventTopics(partitions).map(({ topic }) => topic));
  for (const group of SERVICES) {
    const listensTo: readonly string[] = TRAFFIC[group].listensTo;
    if (listensTo.length === 0) continue;
    await client.ensureTopics(groupTopics(group, partitions));
    const its = spans.filter(({ topic }) => listensTo.includes(topic));
    // A broker that has just started still chooses leaders and loads its groups.
    await waitedFor(() => beginAtTheBeginning(client, group, its), { everyMs: pauseMs });
  }
  let waiting: Outgoing[] = [];
  for await (const line of lines) {
    waiting.push('letter' in line ? toDeadLetter(line.letter) : toMessage(line.event));
    if (waiting.length < AT_ONCE) continue;
    await client.send(waiting);
    waiting = [];
  }
  if (waiting.length > 0) await client.send(waiting);
}

/** @throws when a topic holds events */
export async function requireEmptyTopics(
  client: Pick<KafkaClient, 'ensureTopics' | 'spans'>,
  partitions: number,
  pauseMs = PAUSE_MS,
): Promise<void> {
  const topics = eventTopics(partitions);
  await client.ensureTopics(topics);
  const spans = await waitedFor(() => client.spans(topics.map(({ topic }) => topic)), { everyMs: pauseMs });
  const held = spans.find(({ high }) => high > 0);
  if (held) throw new Error(`Kafka is not empty: ${held.topic}`);
}

const toMessage = (event: EventEnvelope): Outgoing => {
  const { headers, value } = toCloudEvent(event);
  return { topic: event.type, key: event.key, value, headers: headers as Record<string, string> };
};

function toDeadLetter({ id, owner, key, payload, error, failedAt }: DeadLetterCopy): Outgoing {
  const isEvent = typeof (payload as { type?: unknown } | null)?.type === 'string';
  const { headers, value } = isEvent
    ? // It may have been given up because it is no whole event.
      toCloudEvent({ data: null, ...(payload as Omit<EventEnvelope, 'data'>) })
    : { headers: {}, value: typeof payload === 'string' ? payload : JSON.stringify(payload) };
  // PostgreSQL copied it as its own text.
  const at = new Date(failedAt).toISOString();
  const letter = { key: key ?? '', value, headers, error, failedAt: at } as DeadLetterValue;
  return { topic: deadLetterTopic(owner), key: id, value: JSON.stringify(letter) };
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
