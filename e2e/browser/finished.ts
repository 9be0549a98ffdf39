import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { overflow, violations } from '../harness/accessible.ts';

/** Nothing sticks out of the window and nothing stands in the way of a screen reader. */
export async function expectFinished(page: Page, screen: string): Promise<void> {
  await stillness(page);
  expect({ screen, overflow: await overflow(page), violations: await violations(page) }).toEqual({
    screen,
    overflow: 0,
    violations: [],
  });
}

/** A dialog that is still fading in has not its own colours yet. What moves for ever is not waited for. */
const stillness = (page: Page): Promise<unknown> =>
  page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter((animation) => Number.isFinite(animation.effect?.getComputedTiming().endTime))
        .map((animation) => animation.finished),
    ),
  );
