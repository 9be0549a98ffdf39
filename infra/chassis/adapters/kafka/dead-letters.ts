import type { ArboledaEvent } from '@arboleda/contracts/events/index.ts';
import { randomUUID } from 'node:crypto';
import type { DeadLetter } from '../../ports/event-bus.ts';
import type { KafkaClient } from './client.ts';
import type { Incoming, Outgoing } from './messages.ts';
import { deadLetterTopic, groupsOf } from './topics.ts';

/** What the value of a message in a dead-letter topic says; its key is the letter's id. */
interface Grave {
  /** The message as it came. */
  key: string;
  value: string;
  error: string;
  failedAt: string;
  /** Where that was. */
  topic: string;
  partition: number;
  offset: number;
}

export interface Buried extends Grave {
  id: string;
  group: string;
}

export function toGrave(group: string, message: Incoming, error: unknown, now: Date): Outgoing {
  const { key = '', value = '', topic, partition, offset } = message;
  const failedAt = now.toISOString();
  const grave: Grave = { key, value, error: String(error), failedAt, topic, partition, offset };
  return { topic: deadLetterTopic(group), key: randomUUID(), value: JSON.stringify(grave) };
}

export const toDeadLetter = ({ id, group, value, error, failedAt, ...place }: Buried): DeadLetter => ({
  id,
  group,
  event: readable(value) as ArboledaEvent,
  error,
  failedAt,
  place: { topic: place.topic, partition: place.partition, offset: place.offset },
});

export const tombstone = ({ id, group }: Buried): Outgoing => ({
  topic: deadLetterTopic(group),
  key: id,
  value: null,
});

function readable(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** The dead letters of all groups. What was read is kept as long as nothing was added. */
export function openGraveyard(client: Pick<KafkaClient, 'topics' | 'spans' | 'read'>) {
  const known = new Map<string, { mark: string; buried: Buried[] }>();

  return {
    /** Oldest first. */
    async list(group?: string): Promise<Buried[]> {
      const groups = groupsOf(await client.topics()).filter((it) => group === undefined || it === group);
      const spans = new Map(
        (await client.spans(groups.map(deadLetterTopic))).map((span) => [span.topic, span]),
      );
      const markOf = (it: string) => {
        const span = spans.get(deadLetterTopic(it));
        return `${span?.low}-${span?.high}`;
      };
      const news = groups.filter((it) => known.get(it)?.mark !== markOf(it));
      const wanted = news.map((it) => spans.get(deadLetterTopic(it))).filter((span) => span !== undefined);
      const messages = Map.groupBy(await client.read(wanted), ({ topic }) => topic);
      for (const it of news) {
        known.set(it, { mark: markOf(it), buried: standing(it, messages.get(deadLetterTopic(it)) ?? []) });
      }
      return groups
        .flatMap((it) => known.get(it)!.buried)
        .sort((a, b) => a.failedAt.localeCompare(b.failedAt));
    },
  };
}

/** Those without a tombstone. */
function standing(group: string, messages: readonly Incoming[]): Buried[] {
  const graves = new Map<string, Buried>();
  for (const { key, value } of messages) {
    if (key === undefined) continue;
    graves.delete(key);
    if (value) graves.set(key, { id: key, group, ...(JSON.parse(value) as Grave) });
  }
  return [...graves.values()];
}
