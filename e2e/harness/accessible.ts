import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** Violations of WCAG 2.2 AA on what the page shows now, as sentences. */
export async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  return found.flatMap((rule) =>
    rule.nodes.map((node) => `${rule.id}: ${node.target.join(' ')} — ${rule.help}`),
  );
}

/** How far the page is wider than its window, CSS px; 0 when nothing sticks out. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() =>
    Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth),
  );
