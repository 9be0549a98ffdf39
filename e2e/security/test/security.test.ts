import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTarget, type Target } from '../frame/target.ts';
import { runTopic } from '../frame/topic.ts';
import { TOPICS } from '../topics.ts';

/** The short form of `npm run security`: every topic on one copy of the product. */
let target: Target;
beforeAll(async () => {
  target = await openTarget({ short: true });
}, 120_000);
afterAll(() => target?.close());

describe('an attacker gets nowhere', () => {
  test.each(TOPICS.map((topic) => [topic.name, topic] as const))(
    'by %s',
    async (_name, topic) => {
      const { violations, checks } = await runTopic(topic, target);
      expect(violations).toEqual([]);
      expect(checks).toBeGreaterThan(0);
    },
    120_000,
  );
});
