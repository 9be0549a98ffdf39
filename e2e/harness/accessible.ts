import axe from 'axe-core';
import type { Page } from 'playwright-core';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Rules that depend on the color scheme. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** Which rules a page is held to: all, or only those that another colour scheme can break, or only the others. */
export type Rules = 'all' | 'colours' | 'all but colours';

/**
 * Violations of WCAG 2.2 AA and of what is good practice on what the page shows now, as sentences. Frames of others
 * are theirs.
 */
export async function violations(page: Page, rules: Rules = 'all'): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
  return page.evaluate(async (options) => {
    const { axe: runner } = window as unknown as { axe: typeof axe };
    const { violations: found } = await runner.run(document, {
      ...options,
      resultTypes: ['violations'],
      iframes: false,
    });
    return found.flatMap((rule) =>
      rule.nodes.map((node) => `${rule.id}: ${node.target.join(' ')} — ${rule.help}`),
    );
  }, optionsOf(rules));
}

function optionsOf(rules: Rules): axe.RunOptions {
  if (rules === 'colours') return { runOnly: { type: 'rule', values: OF_COLOURS } };
  const without = rules === 'all' ? [] : OF_COLOURS;
  return {
    runOnly: { type: 'tag', values: TAGS },
    rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
  };
}

/** How far the page is wider than its window, CSS px; 0 when nothing sticks out. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() =>
    Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth),
  );

/** Addresses of pictures that are shown and could not be loaded. */
export const brokenPictures = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.images]
      .filter((picture) => picture.complete && picture.naturalWidth === 0 && picture.checkVisibility())
      .map((picture) => picture.src),
  );
