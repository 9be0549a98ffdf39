import type { Browser, Page } from 'playwright-core';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Language } from '../harness/texts.ts';
import type { Screen } from './screen.ts';
import { heightFor, openLook, openScreen, type Scheme, settle } from './visit.ts';
import type { ScreenData } from './screen-data.ts';

export const LANGUAGES: readonly Language[] = ['en', 'es'];
export const LOOKS: readonly { width: number; scheme: Scheme }[] = [
  { width: 1280, scheme: 'light' },
  { width: 1280, scheme: 'dark' },
  { width: 768, scheme: 'light' },
  { width: 360, scheme: 'light' },
];

export const pictureName = (screen: string, language: Language, { width, scheme }: (typeof LOOKS)[number]) =>
  `${screen}.${language}.${width}${scheme === 'dark' ? '.dark' : ''}.png`;

/** A picture of the whole screen in each language, width and scheme; the page is opened once for a language. */
export async function takePictures(
  browser: Browser,
  data: ScreenData,
  screen: Screen,
  folder: string,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const language of LANGUAGES) {
    const context = await openLook(browser, { language, width: LOOKS[0]!.width });
    try {
      const page = await openScreen(context, data, screen, language);
      for (const look of LOOKS) {
        await page.emulateMedia({ colorScheme: look.scheme });
        await page.setViewportSize({ width: look.width, height: heightFor(look.width) });
        await settle(page);
        await showFrames(page);
        await decodePictures(page);
        await page.screenshot({
          path: join(folder, pictureName(screen.name, language, look)),
          // A dialog is as tall as its window.
          fullPage: (await page.locator('dialog[open]').count()) === 0,
          type: 'png',
          animations: 'disabled',
          timeout: 60_000,
        });
      }
    } finally {
      await context.close();
    }
  }
}

/** A loaded picture is drawn once it is decoded. */
const decodePictures = (page: Page): Promise<unknown> =>
  page.evaluate(() => Promise.allSettled([...document.images].map((image) => image.decode())));

/** A frame outside the window is not drawn: the window becomes as tall as a page that has one. */
async function showFrames(page: Page): Promise<void> {
  if ((await page.locator('iframe').count()) === 0) return;
  const { width } = page.viewportSize()!;
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width, height });
  await settle(page);
}
