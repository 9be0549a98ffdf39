import axe from 'axe-core';
import type { Page } from 'playwright-core';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Rules that depend on the color scheme. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];
/** Rules that depend on how much room there is. */
const OF_SIZES = ['target-size', 'scrollable-region-focusable'];

/**
 * All rules, all but those of colors, only those that another color scheme or another width can break, or those of an
 * email, which has no landmarks.
 */
export type Rules = 'all' | 'all but colours' | 'colours' | 'sizes' | 'email';

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
  if (rules === 'sizes') return { runOnly: { type: 'rule', values: OF_SIZES } };
  if (rules === 'email')
    return { runOnly: { type: 'tag', values: TAGS.filter((tag) => tag !== 'best-practice') } };
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

/** Shown amounts whose code and number stand on more than one line: "USD 15.00" as "USD 15" and ".00". */
export const splitAmounts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const isInline = (element: Element) => /^(inline|contents)$/.test(getComputedStyle(element).display);
    const blockOf = (element: Element | null): Element | null => {
      let block = element;
      while (block && isInline(block)) block = block.parentElement;
      return block;
    };
    const texts = new Map<Element | null, Text[]>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const block = blockOf(node.parentElement);
      texts.set(block, [...(texts.get(block) ?? []), node as Text]);
    }
    const rangeOf = (nodes: readonly Text[], from: number, to: number): Range => {
      const range = document.createRange();
      let at = 0;
      for (const node of nodes) {
        const end = at + node.data.length;
        if (from >= at && from < end) range.setStart(node, from - at);
        if (to > at && to <= end) range.setEnd(node, to - at);
        at = end;
      }
      return range;
    };
    return [...texts.values()].flatMap((nodes) => {
      const text = nodes.map(({ data }) => data).join('');
      return [...text.matchAll(/[A-Z]{3}\u00a0[\d.,]*\d/g)].flatMap(({ 0: amount, index }) => {
        const lines = [...rangeOf(nodes, index, index + amount.length).getClientRects()].filter(
          ({ width, height }) => width > 1 && height > 1,
        );
        const [first] = lines;
        const isSplit = lines.some(({ top, bottom }) => top >= first!.bottom || bottom <= first!.top);
        return isSplit ? [amount] : [];
      });
    });
  });
