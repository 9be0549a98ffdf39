import { EVENTS, type EventType } from '@arboleda/contracts/events/index.ts';

export interface TopicSpec {
  topic: string;
  partitions: number;
  settings: Record<string, string>;
}

const KEPT_MS = 30 * 24 * 60 * 60_000;
const DEAD_LETTERS = '.dead-letters';
const RETRY = '.retry.';
const SOON_MS = 10_000;
/** Retries are rare, and each partition costs the broker work. */
const MAX_RETRY_PARTITIONS = 3;

const kept = { 'retention.ms': String(KEPT_MS), 'cleanup.policy': 'delete' };

/** One topic per event type, with the type's name. */
export const eventTopics = (partitions: number): TopicSpec[] =>
  (Object.keys(EVENTS) as EventType[]).map((topic) => ({ topic, partitions, settings: kept }));

export const deadLetterTopic = (group: string): string => `${group}${DEAD_LETTERS}`;

export const isDeadLetterTopic = (topic: string): boolean => topic.endsWith(DEAD_LETTERS);

/** The group whose dead letters a topic holds. */
export const groupOf = (topic: string): string => topic.slice(0, -DEAD_LETTERS.length);

export const isRetryTopic = (group: string, topic: string): boolean => topic.startsWith(`${group}${RETRY}`);

/**
 * The retry topic for a delay. A group reads each topic in order, so a delay of minutes must not block one of
 * milliseconds.
 */
export const retryTopic = (group: string, delayMs: number): string =>
  `${group}${RETRY}${delayMs <= SOON_MS ? 'soon' : 'later'}`;

/** A group's own topics, for retries and dead letters. */
export const groupTopics = (group: string, partitions: number): TopicSpec[] => [
  ...[0, Infinity].map((delayMs) => ({
    topic: retryTopic(group, delayMs),
    partitions: Math.min(partitions, MAX_RETRY_PARTITIONS),
    settings: kept,
  })),
  { topic: deadLetterTopic(group), partitions: 1, settings: { 'cleanup.policy': 'compact' } },
];
