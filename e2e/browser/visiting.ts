import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openVisit, type Visitor } from '../harness/browser.ts';
import type { Setup } from './setup.ts';

/** Somebody with a browser of their own for as long as the step takes; faults of the page fail the test. */
export async function visit(
  { browser }: Pick<Setup, 'browser'>,
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

/** 400 kbit/s and 400 ms, as browsers' own tools call slow 3G. */
export async function onSlow3G(page: Page): Promise<void> {
  const network = await page.context().newCDPSession(page);
  const throughput = 50_000;
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  });
}
