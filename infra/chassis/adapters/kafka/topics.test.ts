import { EVENTS } from '@arboleda/contracts/events/index.ts';
import { describe, expect, test } from '@jest/globals';
import { EVENT_RETRIES } from '../../retry.ts';
import { deadLetterTopic, eventTopics, groupsOf, groupTopics, isRetryTopic, retryTopic } from './topics.ts';

test('every type of event has a topic of its name that keeps it for a month', () => {
  const topics = eventTopics(6);
  expect(topics.map(({ topic }) => topic).sort()).toEqual(Object.keys(EVENTS).sort());
  expect(topics[0]).toMatchObject({ partitions: 6, settings: { 'retention.ms': '2592000000' } });
});

describe('the topics in which a group waits', () => {
  test.each([
    [0, '1s'],
    [50, '1s'],
    [1_000, '1s'],
    [1_001, '10s'],
    [8_000, '10s'],
    [64_000, '100s'],
    [300_000, '1000s'],
  ])('%i ms are spent in the one of %s', (delayMs, tier) => {
    expect(retryTopic('orders', delayMs)).toBe(`orders.retry.${tier}`);
  });

  test('are few, and there is one for every delay', () => {
    const topics = groupTopics('orders', EVENT_RETRIES, 12).map(({ topic }) => topic);
    expect(topics).toEqual([
      'orders.retry.1s',
      'orders.retry.10s',
      'orders.retry.100s',
      'orders.retry.1000s',
      'orders.dead-letters',
    ]);
  });

  test('exist even when nothing is tried twice: a dead letter that is replayed needs one', () => {
    const topics = groupTopics('orders', { maxAttempts: 1, delaysMs: [], maxDelayMs: 0 }, 2);
    expect(topics.map(({ topic }) => topic)).toEqual(['orders.retry.1s', 'orders.dead-letters']);
  });

  test('are not those of a group with a longer name', () => {
    expect(isRetryTopic('orders', 'orders.retry.1s')).toBe(true);
    expect(isRetryTopic('orders', 'orders-archive.retry.1s')).toBe(false);
    expect(isRetryTopic('orders', 'order.created')).toBe(false);
  });
});

test('dead letters stay until they are erased, in one partition, which keeps their order', () => {
  const graves = groupTopics('orders', EVENT_RETRIES, 12).find(
    ({ topic }) => topic === deadLetterTopic('orders'),
  );
  expect(graves).toMatchObject({ partitions: 1, settings: { 'cleanup.policy': 'compact' } });
});

test('the groups are known by their dead letters', () => {
  expect(groupsOf(['order.created', 'orders.dead-letters', 'media.retry.1s', 'media.dead-letters'])).toEqual([
    'orders',
    'media',
  ]);
});
