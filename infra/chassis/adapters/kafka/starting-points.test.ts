import { expect, test } from '@jest/globals';
import type { Commit, Span } from './messages.ts';
import { lagOf, startingPoints } from './starting-points.ts';

const span = (topic: string, partition: number, low: number, high: number): Span => ({
  topic,
  partition,
  low,
  high,
});
const clientOf = (spans: Span[], commits: Commit[]) => ({
  spans: async (topics: readonly string[]) => spans.filter(({ topic }) => topics.includes(topic)),
  commits: async () => commits,
});

test('a group begins at the end of a topic that is new to it', async () => {
  const client = clientOf([span('order.created', 0, 3, 9)], []);
  expect(await startingPoints(client, 'media', ['order.created'])).toEqual({
    begun: [{ topic: 'order.created', partition: 0, offset: 9 }],
    left: [],
  });
});

test('but at the beginning of a partition that its topic was given later', async () => {
  const client = clientOf(
    [span('order.created', 0, 3, 9), span('order.created', 1, 0, 4)],
    [{ topic: 'order.created', partition: 0, offset: 5 }],
  );
  const { begun } = await startingPoints(client, 'media', ['order.created']);
  expect(begun).toEqual([{ topic: 'order.created', partition: 1, offset: 0 }]);
});

test('and at the beginning of what it put aside itself', async () => {
  const client = clientOf([span('media.retry.1s', 0, 2, 8)], []);
  const { begun } = await startingPoints(client, 'media', ['media.retry.1s']);
  expect(begun).toEqual([{ topic: 'media.retry.1s', partition: 0, offset: 2 }]);
});

test('a topic it does not ask for any more is left, and begun anew when it asks again', async () => {
  const spans = [span('order.created', 0, 0, 9), span('order.planted', 0, 0, 7)];
  const before: Commit[] = [
    { topic: 'order.created', partition: 0, offset: 5 },
    { topic: 'media.retry.1s', partition: 0, offset: 1 },
  ];
  const { left } = await startingPoints(clientOf(spans, before), 'media', ['order.planted']);
  expect(left).toEqual([{ topic: 'order.created', partition: 0, offset: 5, left: true }]);

  const again = await startingPoints(clientOf(spans, left), 'media', ['order.created']);
  expect(again).toEqual({ begun: [{ topic: 'order.created', partition: 0, offset: 9 }], left: [] });
});

test('the ends are asked for before what is committed: what comes in between must not be skipped', async () => {
  const asked: string[] = [];
  await startingPoints(
    {
      spans: async () => (asked.push('spans'), []),
      commits: async () => (asked.push('commits'), []),
    },
    'media',
    [],
  );
  expect(asked).toEqual(['spans', 'commits']);
});

test('what waits lies between where the group is and the end, without what was left or is no longer kept', async () => {
  const client = clientOf(
    [span('a', 0, 0, 10), span('a', 1, 6, 10), span('b', 0, 0, 50)],
    [
      { topic: 'a', partition: 0, offset: 7 },
      { topic: 'a', partition: 1, offset: 2 },
      { topic: 'b', partition: 0, offset: 0, left: true },
    ],
  );
  expect(await lagOf(client, 'media')).toBe(3 + 4);
});
