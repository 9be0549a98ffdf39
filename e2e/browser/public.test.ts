import { describe, expect, jest, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openVisit, type Visitor } from '../harness/browser.ts';
import { textsOf } from '../harness/texts.ts';
import { soon, waitFor } from '../harness/wait.ts';
import { expectFinished } from './finished.ts';
import { useSetup } from './setup.ts';
import { visit as visitOf } from './visiting.ts';

jest.setTimeout(120_000);

const setup = useSetup();

const visit = (act: (page: Page) => Promise<void>, visitor?: Partial<Visitor>) =>
  visitOf(setup, act, visitor);
const open = (page: Page, path = '/') => page.goto(setup.product.url + path);
const title = (page: Page) => page.getByRole('heading', { level: 1 });
const pathOf = (page: Page) => page.url().slice(setup.product.url.length);

describe.each(['en', 'es'] as const)('the landing page in %s', (language) => {
  const say = textsOf(language);

  test.each([320, 360, 1280])('is finished at %i px: figures, clock and language', async (width) => {
    await visit(
      async (page) => {
        await open(page);
        await soon(async () => expect(await title(page).innerText()).toBe(say('landing:hero.title')));
        expect(await page.title()).toBe(say('landing:title'));
        await soon(async () => expect(await page.locator('html').getAttribute('lang')).toBe(language));
        const trees = page.locator('#home [data-live=trees]');
        await waitFor('the count', async () => /^\d+(k\+)?$/.test(await trees.innerText()));
        await soon(async () =>
          expect(await page.locator('#home [data-live=hectares]').innerText()).toMatch(/^\d+\+$/),
        );
        const seconds = page.locator('[data-live=seconds]');
        await seconds.scrollIntoViewIfNeeded();
        const first = await seconds.innerText();
        await waitFor('the next second', async () => (await seconds.innerText()) !== first);
        expect(await page.getByRole('timer').getAttribute('aria-live')).toBe('off');
        await expectFinished(page, `landing ${language} ${width}`);
      },
      { language, width },
    );
  });
});

test('the checkout is fetched ahead, for a click before the app is here', async () => {
  await visit(async (page) => {
    // A click that the app was quicker than is none of these.
    await waitFor('a click that needs no answer', async () => {
      await open(page);
      await page.locator('script[type=speculationrules]').waitFor({ state: 'attached' });
      await page.locator('main a[href="/plant-trees"]:visible').first().click();
      await page.waitForURL('**/plant-trees');
      const document = await page.evaluate(
        () =>
          performance.getEntriesByType('navigation')[0]?.toJSON() as { name: string; deliveryType: string },
      );
      return document.name.endsWith('/plant-trees') && document.deliveryType === 'navigational-prefetch';
    });
  });
});

test('while the figures are on their way there are ellipses, and without them fifty thousand trees', async () => {
  await visit(async (page) => {
    const asked = Promise.withResolvers<void>();
    await page.route('**/api/stats', async (route) => {
      await asked.promise;
      await route.abort();
    });
    await open(page);
    const trees = page.locator('#home [data-live=trees]');
    expect(await trees.innerText()).toBe('…');
    asked.resolve();
    await waitFor('the fallback', async () => (await trees.innerText()) === '50k+');
    await soon(async () => expect(await page.locator('#home [data-live=hectares]').innerText()).toBe('503+'));
  });
});

test('the checkout’s words are painted before its pictures are asked for, which move nothing', async () => {
  await visit(
    async (page) => {
      const painted = Promise.withResolvers<void>();
      const asked: string[] = [];
      page.on('request', (request) => {
        if (request.resourceType() === 'image' && request.url().includes('package'))
          asked.push(request.url());
      });
      await page.route('**/assets/first-*.js', async (route) => {
        await painted.promise;
        await route.continue();
      });
      await page.goto(`${setup.product.url}/plant-trees`, { waitUntil: 'commit' });
      const isPainted = () =>
        page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length > 0);
      await waitFor('the words', isPainted);
      const place = page.locator('#contribute picture').last();
      const before = await place.boundingBox();
      expect(asked).toEqual([]);
      painted.resolve();
      await waitFor('the pictures', async () => new Set(asked).size === 4);
      expect((await place.boundingBox())?.height).toBe(before?.height);
    },
    { width: 360 },
  );
});

test('before any script runs the page is read and its links lead on', async () => {
  const context = await setup.browser.newContext({ javaScriptEnabled: false, locale: 'es-CO' });
  const page = await context.newPage();
  const say = textsOf('es');
  await open(page);
  expect(await title(page).innerText()).toBe(say('landing:hero.title'));
  await page
    .getByRole('link', { name: say('landing:hero.plant'), exact: true })
    .first()
    .click();
  await page.waitForURL('**/plant-trees');
  expect(await title(page).innerText()).not.toBe('');
  await context.close();
});

test('the menu of a phone opens, is walked through and closed by keyboard alone', async () => {
  const say = textsOf('en');
  await visit(
    async (page) => {
      await open(page);
      const button = page.getByRole('button', { name: say('nav.openMenu') });
      await button.focus();
      await page.keyboard.press('Enter');
      const menu = page.getByRole('navigation', { name: say('nav.label') });
      await menu.getByRole('link', { name: say('nav.contribute') }).waitFor();
      await expectFinished(page, 'mobile menu');
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(say('nav.contribute'));
      await page.keyboard.press('Escape');
      await menu.getByRole('link', { name: say('nav.contribute') }).waitFor({ state: 'hidden' });
      await page.getByRole('button', { name: say('nav.openMenu') }).waitFor();
      await soon(async () =>
        expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-expanded'))).toBe(
          'false',
        ),
      );
    },
    { width: 360 },
  );
});

test('the language that was chosen is kept: at the next visit, on other pages, and against the address', async () => {
  const spanish = textsOf('es');
  await visit(async (page) => {
    await open(page);
    await page.getByRole('button', { name: /^ES/ }).click();
    await page.getByRole('heading', { name: spanish('landing:hero.title') }).waitFor();
    expect(await page.evaluate(() => localStorage.getItem('arboleda.language'))).toBe('es');
    await page.reload();
    await soon(async () => expect(await title(page).innerText()).toBe(spanish('landing:hero.title')));
    await soon(async () => expect(await page.locator('html').getAttribute('lang')).toBe('es'));
    await open(page, '/?lang=en');
    await soon(async () => expect(await title(page).innerText()).toBe(textsOf('en')('landing:hero.title')));
    await page.getByRole('button', { name: /^ES/ }).click();
    await page.getByRole('heading', { name: spanish('landing:hero.title') }).waitFor();
    await waitFor('a plain address', async () => pathOf(page) === '/');
  });
});

test.each(['home', 'about', 'contribute', 'how-it-works'])(
  'the anchor #%s leads to its section',
  async (anchor) => {
    await visit(async (page) => {
      await open(page, `/#${anchor}`);
      await waitFor('the section', () =>
        page.locator(`#${anchor}`).evaluate((section) => Math.abs(section.getBoundingClientRect().top) < 200),
      );
    });
  },
);

test.each(['en', 'es'] as const)(
  'figures say what they rest on, and lead to their sources, in %s',
  async (language) => {
    const say = textsOf(language);
    await visit(
      async (page) => {
        await open(page);
        const impact = page.locator('main');
        await impact.getByText(say('landing:impact.each.co2.text')).scrollIntoViewIfNeeded();
        await impact.getByRole('link', { name: say('landing:impact.sources') }).click();
        await page.waitForURL('**/help#claims');
        await page.locator('#claims').getByText(/22 kg/).waitFor();
        await expectFinished(page, `sources in ${language}`);
      },
      { language },
    );
  },
);

test.each(['en', 'es'] as const)(
  'help, terms and privacy are at the foot of every page, in %s',
  async (language) => {
    const say = textsOf(language);
    await visit(
      async (page) => {
        await open(page);
        for (const [name, law] of [
          ['help', /@/],
          ['terms', /1480/],
          ['privacy', /1581/],
        ] as const) {
          await page
            .getByRole('contentinfo')
            .getByRole('link', { name: say(`footer.${name}`), exact: true })
            .click();
          await page.waitForURL(`**/${name}`);
          await page.getByText(law).first().waitFor();
          await expectFinished(page, `${name} in ${language}`);
        }
      },
      { language, width: 360 },
    );
  },
);

test.each(['en', 'es'] as const)(
  'an unknown address is 404 with a page that says so, in %s',
  async (language) => {
    const say = textsOf(language);
    const { context, page } = await openVisit(setup.browser, { language, width: 360 });
    const answer = await page.goto(`${setup.product.url}/no-such-page`);
    expect(answer!.status()).toBe(404);
    await page.getByRole('heading', { level: 1, name: say('notFound.title') }).waitFor();
    await page.getByRole('heading', { level: 2, name: say('landing:hero.title') }).waitFor();
    await expectFinished(page, `unknown address in ${language}`);
    await page
      .getByRole('main')
      .getByRole('link', { name: say('footer.verify') })
      .click();
    await page.waitForURL('**/verify');
    await context.close();
  },
);

test.each(['/customer-portal', '/worker-portal', '/admin-dashboard'])(
  '%s.html is the same page',
  async (path) => {
    await visit(async (page) => {
      await open(page, path);
      await title(page).waitFor();
      const named = await title(page).innerText();
      await open(page, `${path}.html`);
      await title(page).waitFor();
      await soon(async () => expect(await title(page).innerText()).toBe(named));
    });
  },
);

test('every page knows where it stands in each language', async () => {
  const head = await (await fetch(`${setup.product.url}/plant-trees?lang=es`)).text();
  const site = /<link rel="canonical" href="([^"]+)\/plant-trees\?lang=es">/.exec(head)?.[1];
  expect(site).toMatch(/^http/);
  for (const [of, query] of [
    ['en', ''],
    ['es', '?lang=es'],
    ['x-default', ''],
  ])
    expect(head).toContain(`<link rel="alternate" hreflang="${of}" href="${site}/plant-trees${query}">`);
  expect(head).toContain(`<meta property="og:image" content="${site}/og-es.jpg">`);
  expect((await fetch(`${setup.product.url}/og-es.jpg`)).headers.get('content-type')).toBe('image/jpeg');
  const sitemap = await (await fetch(`${setup.product.url}/sitemap.xml`)).text();
  expect(sitemap).toContain(`<loc>${site}/plant-trees?lang=es</loc>`);
  expect(await (await fetch(`${setup.product.url}/robots.txt`)).text()).toContain(
    `Sitemap: ${site}/sitemap.xml`,
  );
});

test('a private link has a preview that says nothing of its order, and stays out of indexes', async () => {
  const { orderToken, orderId } = await setup.driver.buy('preview@public.test', { name: 'Sofía Rueda' });
  const head = (await (await fetch(`${setup.product.url}/orders/${orderToken}?lang=es`)).text()).split(
    '</head>',
  )[0]!;
  expect(head).toMatch(/<meta name="robots" content="noindex/);
  expect(head).toContain('property="og:title"');
  for (const secret of [orderToken, orderId, orderId.slice(-6).toUpperCase(), 'Sofía'])
    expect(head).not.toContain(secret);
});
