import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type Language, textsOf } from '../harness/texts.ts';
import { PATIENCE_MS, waitFor } from '../harness/wait.ts';
import { PEOPLE } from './people.ts';
import type { Screen } from './screen.ts';
import type { ScreenData } from './screen-data.ts';

export type Scheme = 'light' | 'dark';

interface Look {
  language: Language;
  width: number;
}

export const heightFor = (width: number): number => (width < 600 ? 780 : 900);

/** A browser's window for screens of one language: nothing moves, no service worker stands between page and API. */
export function openLook(browser: Browser, look: Look): Promise<BrowserContext> {
  return browser.newContext({
    locale: look.language === 'es' ? 'es-CO' : 'en-US',
    timezoneId: 'America/Bogota',
    viewport: { width: look.width, height: heightFor(look.width) },
    colorScheme: 'light',
    deviceScaleFactor: 1,
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
}

/** Whether there is what a screen shows. */
export const isThere = (screen: Screen, data: ScreenData): boolean =>
  pathOf(screen, data) !== undefined && (!screen.as || data.tokens[screen.as] !== undefined);

const pathOf = ({ path }: Screen, data: ScreenData) => (typeof path === 'string' ? path : path(data));

/** A page that shows a screen, and has stopped changing. @throws naming the screen that does not come */
export async function openScreen(
  context: BrowserContext,
  data: ScreenData,
  screen: Screen,
  language: Language,
): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  try {
    await page.addInitScript(
      (kept) => {
        try {
          for (const [key, value] of Object.entries(kept)) localStorage.setItem(key, value);
        } catch {
          // A frame that may keep nothing.
        }
      },
      keptFor(screen, data, language),
    );
    await context.addCookies([{ name: 'arboleda.language', value: language, url: data.url }]);
    await screen.given?.(page);
    await page.goto(new URL(pathOf(screen, data)!, data.url).href);
    await page.locator('main').first().waitFor();
    // A public page that nobody touches keeps back what is further down.
    await page.mouse.move(1, 1);
    await screen.prepare?.(page, data, textsOf(language));
    if (!screen.isLoading) await page.locator('[class*="skeleton"]').first().waitFor({ state: 'detached' });
    await settle(page);
    return page;
  } catch (error) {
    await page.close();
    throw new Error(`the screen ${screen.name} does not come: ${(error as Error).message}`, { cause: error });
  }
}

/** Keys as in web/src/session/token-store.ts and web/src/i18n/languages.ts. */
function keptFor({ as }: Screen, { tokens }: ScreenData, language: Language): Record<string, string> {
  const kept: Record<string, string> = { 'arboleda.language': language };
  if (as) kept[`arboleda.${PEOPLE[as].role}.token`] = tokens[as]!;
  return kept;
}

/** Fonts and pictures are there, also those further down, and nothing waits that will come. */
export async function settle(page: Page): Promise<void> {
  await waitFor('the page to be still', async () => {
    const before = await shape(page);
    await page.waitForTimeout(80);
    return before === (await shape(page)) && !before.startsWith('waits');
  });
}

/** Frames without a change after which a page has come to rest in another window or other colours. */
const STILL_FRAMES = 3;

/** Like `settle`, and quicker, for a page that loads nothing but other sizes of its pictures. */
export const settleLayout = (page: Page): Promise<void> =>
  page.evaluate(
    async ({ frames, withinMs }) => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      const shapeNow = () => {
        const { scrollHeight, scrollWidth } = document.documentElement;
        const waits = [...document.images].some((image) => !image.complete);
        return waits || document.fonts.status === 'loading' ? '' : `${scrollHeight} ${scrollWidth}`;
      };
      const until = performance.now() + withinMs;
      let before = '';
      for (let still = 0; still < frames;) {
        await frame();
        const now = shapeNow();
        still = now !== '' && now === before ? still + 1 : 0;
        before = now;
        if (performance.now() > until) throw new Error('the page does not come to rest');
      }
    },
    { frames: STILL_FRAMES, withinMs: PATIENCE_MS },
  );

const shape = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const images = [...document.images];
    for (const image of images) image.loading = 'eager';
    const waits = images.some((image) => !image.complete) || document.fonts.status === 'loading';
    return `${waits ? 'waits' : 'has'} ${document.documentElement.scrollHeight} ${document.body.innerText}`;
  });
