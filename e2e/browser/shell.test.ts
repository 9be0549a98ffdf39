import type { Role } from '@arboleda/contracts/roles.ts';
import { describe, expect, jest, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { splitAmounts } from '../harness/accessible.ts';
import type { Visitor } from '../harness/browser.ts';
import { textsOf } from '../harness/texts.ts';
import { soon, waitFor } from '../harness/wait.ts';
import { expectFinished } from './finished.ts';
import { logIn } from './people.ts';
import { makeCustomer, makeWorker, orderFor, useSetup } from './setup.ts';
import { visit as visitOf } from './visiting.ts';

jest.setTimeout(120_000);

const setup = useSetup();
const visit = (act: (page: Page) => Promise<void>, visitor?: Partial<Visitor>) =>
  visitOf(setup, act, visitor);
const open = (page: Page, path = '/') => page.goto(setup.product.url + path);
const en = textsOf('en');

async function expectOneRow(page: Page): Promise<void> {
  const rows = await page.getByRole('banner').evaluate((header) => {
    const parts = [...header.querySelectorAll('a, button')].filter((part) => part.checkVisibility());
    const boxes = parts.map((part) => part.getBoundingClientRect());
    const middles = boxes.map(({ top, bottom }) => (top + bottom) / 2);
    return {
      apart: Math.max(...middles) - Math.min(...middles),
      tallest: Math.max(...boxes.map(({ height }) => height)),
      right: Math.max(...boxes.map(({ right }) => right)) - window.innerWidth,
    };
  });
  expect(rows.apart).toBeLessThan(8);
  expect(rows.tallest).toBeLessThan(60);
  expect(rows.right).toBeLessThanOrEqual(0);
}

describe.each(['en', 'es'] as const)('in %s', (language) => {
  const say = textsOf(language);

  test.each([320, 360, 768, 1280])('the header is one row at %i px', async (width) => {
    await visit(
      async (page) => {
        for (const path of ['/', '/plant-trees', '/help']) {
          await open(page, path);
          await expectOneRow(page);
        }
      },
      { language, width },
    );
  });

  test.each([768, 900, 1280])('the header of a customer is one row at %i px', async (width) => {
    const { email, password } = await makeCustomer(setup, `header-${language}-${width}@shell.test`);
    await visit(
      async (page) => {
        await open(page, '/customer-portal');
        await logIn(page, say, 'email', email, password);
        await page.getByRole('button', { name: say('portal:logOut'), exact: true }).waitFor();
        await expectOneRow(page);
      },
      { language, width },
    );
  });

  test.each([
    [360, 740],
    [1280, 720],
    [1440, 900],
  ])('the first window of %i × %i px shows the plant button and both counters', async (width, height) => {
    await visit(
      async (page) => {
        await page.setViewportSize({ width, height });
        await open(page);
        for (const part of [
          page.getByRole('link', { name: say('landing:hero.plant'), exact: true }).first(),
          page.locator('#home [data-live=trees]'),
          page.locator('#home [data-live=hectares]'),
          page.getByText(say('landing:hero.trees'), { exact: true }).first(),
          page.getByText(say('landing:hero.hectares'), { exact: true }).first(),
        ]) {
          const box = (await part.boundingBox())!;
          expect(box.y).toBeGreaterThanOrEqual(0);
          expect(box.y + box.height).toBeLessThanOrEqual(height);
        }
        expect(await overlaps(page)).toEqual([]);
      },
      { language, width },
    );
  });
});

/** Parts of the hero that cover one another. */
const overlaps = (page: Page): Promise<string[]> =>
  page.locator('#home').evaluate((hero) => {
    const parts = [...hero.querySelectorAll('h1, p, dl, a')].filter((part) => part.textContent);
    return parts.flatMap((one, at) =>
      parts.slice(at + 1).flatMap((other) => {
        const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
        const isOver =
          a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
        return isOver ? [`${one.textContent} / ${other.textContent}`] : [];
      }),
    );
  });

describe('the menu of a phone closes', () => {
  const withMenu = (act: (page: Page, link: ReturnType<Page['getByRole']>) => Promise<void>) =>
    visit(
      async (page) => {
        await open(page);
        await page.getByRole('button', { name: en('nav.openMenu') }).click();
        const menu = page.getByRole('navigation', { name: en('nav.label') });
        const link = menu.getByRole('link', { name: en('nav.contribute') });
        await link.waitFor();
        await act(page, link);
        await link.waitFor({ state: 'hidden' });
        await page.getByRole('button', { name: en('nav.openMenu') }).waitFor();
      },
      { width: 360 },
    );

  test('by a tap outside', () => withMenu((page) => page.touchscreen.tap(180, 700)));

  test('when the focus leaves it', () =>
    withMenu(async (page, link) => {
      await link.focus();
      const isInside = () =>
        page.evaluate(() => document.querySelector('header')!.contains(document.activeElement));
      while (await isInside()) await page.keyboard.press('Tab');
    }));
});

test('the plant button stays in reach on a phone, and steps aside for the page’s own and the footer', async () => {
  await visit(
    async (page) => {
      await open(page);
      const bar = page.locator('main > div[aria-hidden=true] a[href="/plant-trees"]');
      const isShown = () =>
        bar
          .evaluate((link) => {
            const { top } = link.getBoundingClientRect();
            return link.checkVisibility({ visibilityProperty: true }) && top < window.innerHeight;
          })
          .catch(() => false);
      const becomes = (shown: boolean, where: string) =>
        waitFor(where, async () => (await isShown()) === shown);
      expect(await isShown()).toBe(false);
      await page.locator('#about').scrollIntoViewIfNeeded();
      await page.mouse.wheel(0, 400);
      await becomes(true, 'the bar past the hero');
      await expectFinished(page, 'landing with the plant bar');
      const ofMain = page.locator('main').getByRole('link', { name: en('landing:hero.plant'), exact: true });
      await soon(async () => expect(await ofMain.count()).toBe(1));
      await page.locator('#contribute').getByRole('link', { name: 'Plant now' }).scrollIntoViewIfNeeded();
      await becomes(false, 'the offer’s button alone');
      await page.locator('#how-it-works').scrollIntoViewIfNeeded();
      await becomes(true, 'the bar past the offer');
      await page.locator('footer').scrollIntoViewIfNeeded();
      await becomes(false, 'the footer uncovered');
      await page.locator('#about').scrollIntoViewIfNeeded();
      await becomes(true, 'the bar again');
      await bar.click();
      await page.waitForURL('**/plant-trees');
    },
    { width: 360 },
  );
});

const MOST_SHIFT = 0.05;

/** Sum of all layout shifts so far, but for those that follow a press. */
async function measureShift(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const seen = window as typeof window & { shift?: number };
    seen.shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
      })[])
        if (!entry.hadRecentInput) seen.shift! += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate(() => (window as typeof window & { shift?: number }).shift!);
}

interface Place {
  name: string;
  path: string;
  /** Calls that come late. */
  api: string;
  /** Has a figure when they are here. */
  until: string;
  /** Whose token the browser keeps. */
  as?: { role: Role; token: string };
}

const WITH_SKELETON = ['order', 'portal', 'worker', 'admin'];

/** The page of a place, whose data come when they are let in. */
async function openLate(page: Page, { path, api, as }: Place): Promise<{ letIn: () => void }> {
  const late = Promise.withResolvers<void>();
  if (as)
    await page.addInitScript(({ role, token }) => localStorage.setItem(`arboleda.${role}.token`, token), as);
  await page.route(api, async (route) => {
    await late.promise;
    await route.continue();
  });
  await open(page, path);
  await page.locator('main').first().waitFor();
  return { letIn: late.resolve };
}

describe.each([360, 1280])('nothing jumps when late data arrive at %i px', (width) => {
  const places: Record<string, () => Promise<Omit<Place, 'name'>>> = {
    landing: async () => ({
      path: '/',
      api: '**/api/{stats,pricing/*}',
      until: '#home [data-live=hectares]',
    }),
    checkout: async () => ({
      path: '/plant-trees',
      api: '**/api/pricing/*',
      until: '[data-live=grove-figure]',
    }),
    order: async () => {
      const { orderToken } = await setup.driver.buy(`shift-order-${width}@shell.test`);
      return { path: `/orders/${orderToken}`, api: '**/api/track/*', until: 'main dl dd' };
    },
    portal: async () => {
      const { email, password } = await makeCustomer(setup, `shift-portal-${width}@shell.test`);
      await setup.driver.buy(email);
      const token = await setup.driver.logIn('customer', email, password);
      return {
        path: '/customer-portal',
        api: '**/api/customers/orders*',
        until: 'main dl dd',
        as: { role: 'customer', token },
      };
    },
    worker: async () => {
      const worker = await makeWorker(setup);
      await orderFor(setup, worker, `shift-worker-${width}@shell.test`);
      return {
        path: '/worker-portal',
        api: '**/api/workers/*',
        until: 'main dl dd',
        as: { role: 'worker', token: worker.token },
      };
    },
    admin: async () => ({
      path: '/admin-dashboard',
      api: '**/api/admin/orders/manage*',
      until: 'main tbody tr',
      as: { role: 'admin', token: await setup.admin() },
    }),
  };

  test.each(Object.keys(places))('%s', async (name) => {
    const place = { name, ...(await places[name]!()) };
    await visit(
      async (page) => {
        const shift = await measureShift(page);
        const { letIn } = await openLate(page, place);
        if (WITH_SKELETON.includes(name))
          await page.locator('[aria-busy=true] [class*="block"]').first().waitFor();
        letIn();
        await page.locator(place.until).filter({ hasText: /\d/ }).first().waitFor({ state: 'attached' });
        await page
          .locator('main[aria-busy=true], main [aria-busy=true]')
          .first()
          .waitFor({ state: 'detached' });
        await page.evaluate(() => document.fonts.ready.then(() => undefined));
        await page.evaluate(
          () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
        );
        expect(await shift()).toBeLessThanOrEqual(MOST_SHIFT);
      },
      { width },
    );
  });
});

test('what is loading is named for screen readers, and stands still for people who want no motion', async () => {
  await visit(async (page) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await openLate(page, {
      name: 'order',
      path: `/orders/${'t'.repeat(22)}`,
      api: '**/api/track/*',
      until: '',
    });
    await page.locator('[aria-busy=true] [class*="block"]').first().waitFor();
    await page
      .getByRole('status')
      .filter({ hasText: en('loading') })
      .first()
      .waitFor();
    await waitFor('the page to stand still', () =>
      page.evaluate(() => document.getAnimations().every(({ playState }) => playState !== 'running')),
    );
    await expectFinished(page, 'an order on its way');
  });
});

test.each(['order', 'help', 'terms', 'privacy'])(
  'the %s page prints its content alone, dark on white',
  async (name) => {
    const { orderToken } = await setup.driver.buy(`print-${name}@shell.test`);
    await visit(async (page) => {
      await page.emulateMedia({ colorScheme: 'dark' });
      await open(page, name === 'order' ? `/orders/${orderToken}` : `/${name}`);
      await page.locator('main h1:not(.visually-hidden)').waitFor();
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      const printed = await page.evaluate(() => ({
        controls: [...document.querySelectorAll('button:not(:has(img)), footer, header nav, select, iframe')]
          .filter((control) => control.checkVisibility())
          .map((control) => control.outerHTML),
        paper: getComputedStyle(document.body).backgroundColor,
        ink: getComputedStyle(document.querySelector('main h1:not(.visually-hidden)')!).color,
      }));
      expect(printed).toEqual({ controls: [], paper: 'rgb(255, 255, 255)', ink: 'rgb(0, 0, 0)' });
    });
  },
);

test('a page that crashes says so and leads home', async () => {
  await visit(async (page) => {
    await page.route('**/api/track/*', (route) => route.fulfill({ json: { shortId: 'A1B2C3' } }));
    await open(page, '/orders/tokentokentokentokento');
    await page.getByRole('heading', { name: en('crash.title') }).waitFor();
    await page.getByRole('button', { name: en('crash.reload') }).waitFor();
    await expectFinished(page, 'crash');
    await page.getByRole('link', { name: en('nav.home') }).click();
    await page.getByRole('heading', { level: 1, name: en('landing:hero.title') }).waitFor();
  });
});

test('an amount on two lines is found', async () => {
  await visit(async (page) => {
    const amount = '<b>USD</b>\u00a015.00';
    await page.setContent(`<p style="width: 4ch; overflow-wrap: anywhere">${amount}</p><p>${amount}</p>`);
    expect(await splitAmounts(page)).toEqual(['USD\u00a015.00']);
  });
});
