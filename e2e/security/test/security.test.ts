import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openStage, type Stage } from '../frame/stage.ts';
import { runTopic } from '../frame/topic.ts';
import { TOPICS } from '../topics.ts';

/** The short form of `npm run security`: every topic on one copy of the product. */
let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ short: true });
}, 120_000);
afterAll(() => stage?.close());

describe('an attacker gets nowhere', () => {
  test.each(TOPICS.map((topic) => [topic.name, topic] as const))(
    'by %s',
    async (_name, topic) => {
      const { violations, checks } = await runTopic(topic, stage);
      expect(violations).toEqual([]);
      expect(checks).toBeGreaterThan(0);
    },
    120_000,
  );
});
