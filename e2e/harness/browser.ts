import sparticuz from '@sparticuz/chromium';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { PATIENCE_MS } from './wait.ts';

/**
 * Arguments that suit cloud functions only: one process for all, a GPU made of software (a third of the time that tests
 * take), and pages that are protected less.
 */
const NOT_FOR_TESTS =
  /^--(single-process|headless|no-zygote|disable-web-security|in-process-gpu|ignore-gpu-blocklist|use-gl|use-angle|enable-unsafe-swiftshader)/;

/** Chromium from npm, so that a machine with Node alone can run these tests. */
const settings = async (args: readonly string[] = []) => ({
  executablePath: process.env.CHROMIUM_PATH ?? (await sparticuz.executablePath()),
  args: [
    ...sparticuz.args.filter((arg) => !NOT_FOR_TESTS.test(arg)),
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
    ...args,
  ],
  headless: true,
});

export const launchBrowser = async (args?: readonly string[]): Promise<Browser> =>
  chromium.launch(await settings(args));

/** A browser that several processes use by `connectBrowser`. */
export async function startBrowserServer(): Promise<{ wsEndpoint: string; close(): Promise<void> }> {
  const server = await chromium.launchServer(await settings());
  return { wsEndpoint: server.wsEndpoint(), close: () => server.close() };
}

export const connectBrowser = (wsEndpoint: string): Promise<Browser> => chromium.connect(wsEndpoint);

export interface Visitor {
  language: 'en' | 'es';
  /** Width of the window, CSS px. */
  width: number;
}

/** Somebody with a browser of their own: language, country and window. Faults of the page fail the test that asks. */
export async function openVisit(
  browser: Browser,
  visitor: Visitor,
): Promise<{ context: BrowserContext; page: Page; faults: string[] }> {
  const context = await browser.newContext({
    locale: visitor.language === 'es' ? 'es-CO' : 'en-US',
    viewport: { width: visitor.width, height: visitor.width < 600 ? 780 : 900 },
    hasTouch: visitor.width < 600,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`page: ${error.message}`));
  page.on('console', (message) => {
    if (
      message.type() === 'error' &&
      /Content Security Policy|Hydration|Minified React/.test(message.text())
    ) {
      faults.push(`console: ${message.text()}`);
    }
  });
  return { context, page, faults };
}
