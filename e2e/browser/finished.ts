import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { overflow, violations } from '../harness/accessible.ts';

/** Nothing sticks out of the window and nothing stands in the way of a screen reader. */
export async function expectFinished(page: Page, screen: string): Promise<void> {
  // A page's code loads after its address is reached.
  await page.locator('main h1').first().waitFor({ state: 'attached' });
  await stillness(page);
  expect({ screen, overflow: await overflow(page), violations: await violations(page) }).toEqual({
    screen,
    overflow: 0,
    violations: [],
  });
}

/** A dialog that fades in and a table that waits for its rows are pale. What moves for ever is not waited for. */
async function stillness(page: Page): Promise<void> {
  await page.waitForFunction(() => !document.querySelector('table[aria-busy="true"]'));
  // News of an order may have it ask for its rows again while the colours are judged.
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('table[aria-busy] { opacity: 1 !important; transition: none !important; }');
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  });
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter((animation) => Number.isFinite(animation.effect?.getComputedTiming().endTime))
        .map((animation) => animation.finished),
    ),
  );
}
