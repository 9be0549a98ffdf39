import type { Browser, Page } from 'playwright-core';
import { brokenPictures, overflow, splitAmounts, violations } from '../harness/accessible.ts';
import type { Language } from '../harness/texts.ts';
import type { Screen } from './screen.ts';
import { heightFor, openLook, openScreen, settle } from './visit.ts';
import type { ScreenData } from './screen-data.ts';

const LANGUAGES: readonly Language[] = ['en', 'es'];
const WIDTHS = [1280, 360];
/** The narrowest telephone of WCAG 1.4.10, and a desk of 1280 px at 200 % zoom. */
const NARROW = [
  { width: 320, deviceScaleFactor: 1 },
  { width: 640, deviceScaleFactor: 2 },
];

/**
 * What is wrong with a screen in any language, width and scheme, as sentences. It is opened once: windows, schemes and
 * languages change under it, as they do for people.
 */
export async function findingsOf(browser: Browser, data: ScreenData, screen: Screen): Promise<string[]> {
  const context = await openLook(browser, { language: LANGUAGES[0]!, width: WIDTHS[0]! });
  try {
    const page = await openScreen(context, data, screen, LANGUAGES[0]!);
    const findings: string[] = [];
    for (const language of LANGUAGES) {
      if (language !== LANGUAGES[0]) await speak(page, language);
      findings.push(
        ...(await lookAt(page, language === LANGUAGES[0])).map((finding) => `${language} ${finding}`),
      );
    }
    return findings;
  } catch (error) {
    return [(error as Error).message];
  } finally {
    await context.close();
  }
}

/** @param inColour another language has the same colours */
async function lookAt(page: Page, inColour: boolean): Promise<string[]> {
  const findings: string[] = [];
  for (const width of WIDTHS) {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width, height: heightFor(width) });
    await settle(page);
    const light = await violations(page, inColour ? 'all' : 'all but colours');
    findings.push(...light.map((found) => `${width} light: ${found}`));
    findings.push(...sticksOut(`${width} light`, await overflow(page)));
    findings.push(...(await brokenPictures(page)).map((address) => `${width}: ${address} is shown broken`));
    findings.push(...(await splitAmounts(page)).map((amount) => `${width}: ${amount} takes two lines`));
    await page.emulateMedia({ colorScheme: 'dark' });
    const dark = inColour ? await violations(page, 'colours') : [];
    findings.push(...dark.map((found) => `${width} dark: ${found}`));
    findings.push(...sticksOut(`${width} dark`, await overflow(page)));
  }
  const devtools = await page.context().newCDPSession(page);
  for (const { width, deviceScaleFactor } of NARROW) {
    const metrics = { width, height: heightFor(width), deviceScaleFactor, mobile: false };
    await devtools.send('Emulation.setDeviceMetricsOverride', metrics);
    findings.push(...sticksOut(`${width} × ${deviceScaleFactor}`, await overflow(page)));
  }
  await devtools.detach();
  return findings;
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
