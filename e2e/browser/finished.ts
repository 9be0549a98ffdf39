import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { overflow, violations } from '../harness/accessible.ts';

/** Nothing sticks out of the window and nothing stands in the way of a screen reader. */
export async function expectFinished(page: Page, screen: string): Promise<void> {
  expect({ screen, overflow: await overflow(page), violations: await violations(page) }).toEqual({
    screen,
    overflow: 0,
    violations: [],
  });
}
