import { EVENTS, type EventType } from '@arboleda/contracts/events/index.ts';
import { retryDelayMs, type RetryPolicy } from '../../retry.ts';
import type { TopicSpec } from './messages.ts';

const KEPT_MS = 30 * 24 * 60 * 60_000;
const DEAD_LETTERS = '.dead-letters';
const RETRY = '.retry.';
/** Retries are few; each partition of each tier is one more for the broker to look after. */
const MOST_RETRY_PARTITIONS = 3;

const kept = { 'retention.ms': String(KEPT_MS), 'cleanup.policy': 'delete' };

/** A topic for every type of event, named after it. */
export const eventTopics = (partitions: number): TopicSpec[] =>
  (Object.keys(EVENTS) as EventType[]).map((topic) => ({ topic, partitions, settings: kept }));

export const deadLetterTopic = (group: string): string => `${group}${DEAD_LETTERS}`;

/** @returns the groups whose dead letters these topics hold. */
export const groupsOf = (topics: readonly string[]): string[] =>
  topics.filter((topic) => topic.endsWith(DEAD_LETTERS)).map((topic) => topic.slice(0, -DEAD_LETTERS.length));

export const isRetryTopic = (group: string, topic: string): boolean => topic.startsWith(`${group}${RETRY}`);

/**
 * Where a group's events wait for their next try. Waits of one order of magnitude share a topic: the group goes on
 * after the oldest that still waits there, so a wait of minutes must not share one with a wait of milliseconds.
 */
export function retryTopic(group: string, delayMs: number): string {
  const seconds = 10 ** Math.max(0, Math.ceil(Math.log10(delayMs / 1000)));
  return `${group}${RETRY}${seconds}s`;
}

/** What a group needs for what it cannot handle at once. */
export function groupTopics(group: string, retries: RetryPolicy, partitions: number): TopicSpec[] {
  const delaysMs = [0];
  for (let failed = 1; ; failed++) {
    const delayMs = retryDelayMs(retries, failed);
    if (delayMs === undefined) break;
    delaysMs.push(delayMs);
  }
  const tiers = new Set(delaysMs.map((delayMs) => retryTopic(group, delayMs)));
  const most = Math.min(partitions, MOST_RETRY_PARTITIONS);
  return [
    ...[...tiers].map((topic) => ({ topic, partitions: most, settings: kept })),
    { topic: deadLetterTopic(group), partitions: 1, settings: { 'cleanup.policy': 'compact' } },
  ];
}
