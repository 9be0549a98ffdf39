import type { Browser, Page } from 'playwright-core';
import { brokenPictures, overflow, type Rules, splitAmounts, violations } from '../harness/accessible.ts';
import type { Language } from '../harness/texts.ts';
import type { Screen } from './screen.ts';
import { heightFor, openLook, openScreen, type Scheme, settle, settleLayout } from './visit.ts';
import type { ScreenData } from './screen-data.ts';

const LANGUAGES: readonly Language[] = ['en', 'es'];
/** 320 px is the narrowest telephone of WCAG 1.4.10. */
const WIDTHS = [1280, 1440, 768, 360, 320];
/** Widths at which other parts of a page are shown: desktop, tablet and phone. */
const LAYOUTS = new Set([1280, 768, 360]);
/** The tablet shows what the others show, in other places: it is looked at in one language and scheme. */
const TABLET = 768;
/** Nothing is smaller than at 1280 px. */
const WIDE = 1440;
/** A window of 1280 px at 200 % zoom. */
const ZOOMED = { width: 640, deviceScaleFactor: 2 };

/**
 * Problems of a screen in every language, width and scheme, as sentences. The screen is opened once: windows, schemes
 * and languages change under it, as they do for people.
 */
export async function findingsOf(browser: Browser, data: ScreenData, screen: Screen): Promise<string[]> {
  const context = await openLook(browser, { language: LANGUAGES[0]!, width: WIDTHS[0]! });
  try {
    const page = await openScreen(context, data, screen, LANGUAGES[0]!);
    const findings: string[] = [];
    for (const language of LANGUAGES) {
      if (language !== LANGUAGES[0]) await speak(page, language);
      for (const width of WIDTHS)
        for (const finding of await lookAt(page, language, width))
          findings.push(`${language} ${width} ${finding}`);
      findings.push(...sticksOut(`${language} at 200 %`, await overflowZoomed(page)));
    }
    return findings;
  } catch (error) {
    return [(error as Error).message];
  } finally {
    await context.close();
  }
}

async function lookAt(page: Page, language: Language, width: number): Promise<string[]> {
  const findings: string[] = [];
  await page.setViewportSize({ width, height: heightFor(width) });
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    const rules = rulesFor(language, width, scheme);
    if (rules) {
      await settleLayout(page);
      const found = await violations(page, rules);
      findings.push(...found.map((sentence) => `${scheme}: ${sentence}`));
    }
    findings.push(...sticksOut(scheme, await overflow(page)));
  }
  findings.push(...(await brokenPictures(page)).map((address) => `${address} is shown broken`));
  findings.push(...(await splitAmounts(page)).map((amount) => `${amount} takes two lines`));
  return findings;
}

/**
 * The rules that can come to another result here; each look takes most of its time whatever the rules. Colours differ by scheme
 * and by what a layout shows, not by language; another width of the same layout changes sizes alone.
 */
function rulesFor(language: Language, width: number, scheme: Scheme): Rules | undefined {
  const isFirst = language === LANGUAGES[0];
  if (width === WIDE) return undefined;
  if (width === TABLET) return isFirst && scheme === 'light' ? 'all' : undefined;
  const hasOwnColours = isFirst && LAYOUTS.has(width);
  if (scheme === 'dark') return hasOwnColours ? 'colours' : undefined;
  if (!LAYOUTS.has(width)) return 'sizes';
  return hasOwnColours ? 'all' : 'all but colours';
}

async function overflowZoomed(page: Page): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  const height = heightFor(ZOOMED.width);
  await devtools.send('Emulation.setDeviceMetricsOverride', { ...ZOOMED, height, mobile: false });
  const pixels = await overflow(page);
  await devtools.detach();
  return pixels;
}

const sticksOut = (window: string, pixels: number): string[] =>
  pixels > 0 ? [`${window}: something is ${pixels} px wider than the window`] : [];

/** By the page's own switch, also where a dialog lies over it. */
async function speak(page: Page, language: Language): Promise<void> {
  // The landing page fetches its app at the first sign of a person.
  await page.mouse.move(3, 3);
  await page.locator(`button[lang=${language}]`).first().dispatchEvent('click');
  await page.locator(`html[lang=${language}]`).waitFor();
  await settle(page);
}
