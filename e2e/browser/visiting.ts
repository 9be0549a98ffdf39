import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openVisit, type Visitor } from '../harness/browser.ts';
import type { Scene } from './stage.ts';

/** Somebody with a browser of their own for as long as the step takes; faults of the page fail the test. */
export async function visit(
  { browser }: Pick<Scene, 'browser'>,
  step: (page: Page) => Promise<void>,
  { language = 'en', width = 1280 }: Partial<Visitor> = {},
): Promise<void> {
  const { context, page, faults } = await openVisit(browser, { language, width });
  try {
    await step(page);
    expect(faults).toEqual([]);
  } finally {
    await context.close();
  }
}
