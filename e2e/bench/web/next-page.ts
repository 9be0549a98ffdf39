import type { Browser, Page } from 'playwright-core';
import { openVisit } from '../../harness/browser.ts';
import { waitFor } from '../../harness/wait.ts';

/** A click from one page to another. */
export interface Click {
  name: string;
  from: string;
  to: string;
  /** Within "main", "header" or "footer". */
  place: string;
  /** The visitor has scrolled, and the app has had this long; absent for a click on what is seen first. */
  afterMs?: number;
}

export const CLICKS: readonly Click[] = [
  { name: 'landing to checkout, at once', from: '/', to: '/plant-trees', place: 'main' },
  { name: 'landing to checkout, later', from: '/', to: '/plant-trees', place: 'main', afterMs: 5_000 },
  { name: 'checkout to help', from: '/plant-trees', to: '/help', place: 'footer', afterMs: 5_000 },
  { name: 'checkout to landing', from: '/plant-trees', to: '/', place: 'header', afterMs: 5_000 },
  { name: 'help to verification', from: '/help', to: '/verify', place: 'footer', afterMs: 5_000 },
];

/** Lighthouse's slow 4G, applied: ms, and bytes a second. */
const SLOW_4G = { latency: 150, downloadThroughput: 204_800, uploadThroughput: 96_000 };
const TIMES_SLOWER = 4;
/** A quick tap. */
const FINGER_STAYS_MS = 70;

/** @returns ms from the click to the largest paint of the next page */
export async function nextPage(browser: Browser, url: string, click: Click): Promise<number> {
  const { context, page } = await openVisit(browser, { language: 'en', width: 412 });
  try {
    const devTools = await context.newCDPSession(page);
    await devTools.send('Network.emulateNetworkConditions', { offline: false, ...SLOW_4G });
    await devTools.send('Emulation.setCPUThrottlingRate', { rate: TIMES_SLOWER });
    await page.addInitScript(notePaints);
    await page.goto(url + click.from);
    // A person needs a moment to find the link.
    await page.waitForTimeout(1_000);
    if (click.afterMs) {
      await page.mouse.wheel(0, 50);
      await page.waitForTimeout(click.afterMs);
    }
    const link = page.locator(`${click.place} a[href="${click.to}"]:visible`).first();
    await link.scrollIntoViewIfNeeded();
    const { x, y, width, height } = (await link.boundingBox())!;
    const finger = [{ x: x + width / 2, y: y + height / 2 }];
    await devTools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: finger });
    await page.waitForTimeout(FINGER_STAYS_MS);
    await devTools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    return await waitFor(`${click.name} is painted`, () => paintedAfter(page));
  } finally {
    await context.close();
  }
}

interface Noted {
  /** Since the epoch, ms. */
  paintedAt?: number;
}

/** Notes clicks, and when the first heading of a page was painted that the click led to. */
function notePaints(): void {
  const noted = globalThis as Noted;
  const clickedAt = () => Number(sessionStorage.getItem('clicked-at') ?? 0);
  document.addEventListener(
    'click',
    (event) => {
      sessionStorage.setItem('clicked-at', String(performance.timeOrigin + event.timeStamp));
      const before = document.querySelector('h1');
      // Within the app: the next page's heading and text are painted in one frame.
      new MutationObserver((_changes, observer) => {
        const heading = document.querySelector('h1');
        if (!heading || heading === before) return;
        observer.disconnect();
        requestAnimationFrame(() =>
          setTimeout(() => (noted.paintedAt = performance.timeOrigin + performance.now())),
        );
      }).observe(document, { subtree: true, childList: true });
    },
    true,
  );
  // In a new document.
  if (clickedAt() > 0)
    new PerformanceObserver((seen) => {
      for (const { startTime } of seen.getEntries()) noted.paintedAt = performance.timeOrigin + startTime;
    }).observe({ type: 'largest-contentful-paint', buffered: true });
}

const SETTLED_MS = 2_000;

/** @returns undefined until nothing larger is likely to follow */
async function paintedAfter(page: Page): Promise<number | undefined> {
  const read = () =>
    page
      .evaluate(
        () => [Number(sessionStorage.getItem('clicked-at')), (globalThis as Noted).paintedAt] as const,
      )
      .catch(() => undefined);
  if (!(await read())?.[1]) return undefined;
  await page.waitForTimeout(SETTLED_MS);
  const [clickedAt, paintedAt] = (await read()) ?? [];
  return paintedAt && paintedAt > clickedAt! ? paintedAt - clickedAt! : undefined;
}
