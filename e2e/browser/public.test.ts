import { describe, expect, jest, test } from '@jest/globals';
import type { CDPSession, Page } from 'playwright-core';
import type { Visitor } from '../harness/browser.ts';
import { textsOf } from '../harness/texts.ts';
import { soon, waitFor } from '../harness/wait.ts';
import { expectFinished } from './finished.ts';
import { logIn } from './people.ts';
import { makeAdmin, makeCustomer, useSetup } from './setup.ts';
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

test('an unknown address is the landing page with a quiet notice', async () => {
  const say = textsOf('en');
  await visit(async (page) => {
    await open(page, '/no-such-page');
    await page.getByText(say('notFound')).waitFor();
    expect(await title(page).innerText()).toBe(say('landing:hero.title'));
    await expectFinished(page, 'unknown address');
  });
});

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

test('two roles in one browser do not disturb each other, and an end is explained and survived', async () => {
  const say = textsOf('en');
  const customer = await makeCustomer(setup, 'two-roles@public.test');
  const admin = await makeAdmin(setup, 'two-roles@public.test');
  await visit(async (page) => {
    await open(page, '/customer-portal');
    await logIn(page, say, 'email', customer.email, customer.password);
    await page.getByRole('button', { name: say('portal:logOut') }).waitFor();
    await open(page, '/admin-dashboard?view=payments');
    await logIn(page, say, 'email', admin.email, admin.password);
    await page.getByRole('button', { name: say('portal:logOut') }).waitFor();
    expect(
      await page.evaluate(() =>
        Object.keys(localStorage)
          .filter((key) => key.endsWith('.token'))
          .sort(),
      ),
    ).toEqual(['arboleda.admin.token', 'arboleda.customer.token']);

    // The server ends the admin's session: a token that it does not know any more.
    await page.evaluate(() => localStorage.setItem('arboleda.admin.token', 'no.longer.good'));
    await page.reload();
    await page.getByText(say('portal:ended.ended')).waitFor();
    await expectFinished(page, 'login after an end');
    expect(await page.evaluate(() => localStorage.getItem('arboleda.admin.token'))).toBeNull();
    await soon(async () => expect(pathOf(page)).toBe('/admin-dashboard?view=payments'));
    await logIn(page, say, 'email', admin.email, admin.password);
    await page.getByRole('button', { name: say('portal:logOut') }).waitFor();
    await soon(async () => expect(pathOf(page)).toBe('/admin-dashboard?view=payments'));

    await page.getByRole('button', { name: say('portal:logOut') }).click();
    await page.getByLabel(say('portal:logIn.email')).waitFor();
    expect(await page.getByText(say('portal:ended.ended')).count()).toBe(0);
    await open(page, '/customer-portal');
    await page.getByRole('button', { name: say('portal:logOut') }).waitFor();
  });
});

test('a wrong password is told in the form, and a lost connection in the words of its own', async () => {
  const say = textsOf('en');
  const { email } = await makeCustomer(setup, 'wrong-password@public.test');
  await visit(async (page) => {
    await open(page, '/customer-portal');
    await logIn(page, say, 'email', email, 'not the password');
    await page.getByRole('alert').filter({ hasText: 'This email and password do not match.' }).waitFor();
    await page.route('**/api/auth/customer/login', (route) => route.abort());
    await page.getByRole('button', { name: say('portal:logIn.submit'), exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'Login failed. Please try again.' }).waitFor();
    expect(await page.getByLabel(say('portal:logIn.email')).inputValue()).toBe(email);
  });
});

test('a part that is gone is asked for again once by loading the page, and then told in words', async () => {
  const say = textsOf('en');
  await visit(async (page) => {
    let loads = 0;
    page.on('request', (request) => request.isNavigationRequest() && loads++);
    await page.route('**/assets/CustomerPortal-*.js', (route) => route.fulfill({ status: 404 }));
    await open(page, '/customer-portal');
    await page.getByRole('heading', { name: say('missing.title') }).waitFor();
    expect(loads).toBe(2);
    await expectFinished(page, 'a missing part');
    await page.unroute('**/assets/CustomerPortal-*.js');
    await page.getByRole('button', { name: say('crash.reload') }).click();
    await page.getByLabel(say('portal:logIn.email')).waitFor();
  });
});

test('without a network the page says so, and stops when it is back', async () => {
  const say = textsOf('en');
  await visit(
    async (page) => {
      await open(page, '/customer-portal');
      await title(page).waitFor();
      await page.context().setOffline(true);
      await page.getByText(say('offline')).waitFor();
      await expectFinished(page, 'offline');
      await page.context().setOffline(false);
      await page.getByText(say('offline')).waitFor({ state: 'hidden' });
    },
    { width: 320 },
  );
});

const en = textsOf('en');
const COUNT = 30;

/** An order with thirty photos, the first of them open. */
async function openFirst(page: Page) {
  const photos = Array.from({ length: COUNT }, (_, at) => ({
    filename: `${String(at).padStart(22, 'a')}.jpg`,
    width: 1600,
    height: 1200,
    takenAt: '2026-12-12T14:41:00Z',
    uploadedAt: '2026-12-12T14:45:00Z',
  }));
  await page.route('**/api/photos/**', (route) => route.fulfill({ path: ICON, contentType: 'image/png' }));
  await page.route('**/api/track/*', (route) => route.fulfill({ json: { ...ORDER, photos } }));
  await page.goto(`${setup.product.url}/orders/tokentokentokentokento`);
  await page.getByRole('button', { name: en('order:album.all', { count: COUNT }) }).click();
  const first = page.getByRole('button', { name: /^Photo 1 of 30/ });
  await first.click();
  const box = page.locator('dialog[open]');
  const place = (number: number) =>
    box.getByText(en('photos.place', { number, count: COUNT }), { exact: true }).waitFor();
  return { first, box, place };
}

test('thirty photos open in the lightbox and are moved through by key and by button, and the focus comes back', async () => {
  await visit(async (page) => {
    const { first, box, place } = await openFirst(page);
    await place(1);
    await expectFinished(page, 'lightbox');
    await page.keyboard.press('ArrowRight');
    await place(2);
    await page.keyboard.press('End');
    await place(30);
    await box.getByRole('button', { name: en('photos.next') }).click();
    await place(1);
    await page.keyboard.press('Escape');
    await box.waitFor({ state: 'detached' });
    await waitFor('the focus', () => first.evaluate((button) => button === document.activeElement));
  });
});

type Point = readonly [x: number, y: number];

/** Fingers that go down at the first places, through all others, and up. */
async function touch(devtools: CDPSession, places: readonly (readonly Point[])[]): Promise<void> {
  for (const [step, points] of places.entries())
    await devtools.send('Input.dispatchTouchEvent', {
      type: step === 0 ? 'touchStart' : 'touchMove',
      touchPoints: points.map(([x, y], id) => ({ x, y, id })),
    });
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}
const between = (from: number, to: number, steps = 8): number[] =>
  Array.from({ length: steps + 1 }, (_, at) => from + ((to - from) * at) / steps);

test('a finger swipes from photo to photo, and two make one larger without moving on or zooming the page', async () => {
  await visit(
    async (page) => {
      const { box, place } = await openFirst(page);
      await place(1);
      const devtools = await page.context().newCDPSession(page);
      await touch(
        devtools,
        between(300, 60).map((x) => [[x, 380]]),
      );
      await place(2);
      await touch(
        devtools,
        between(60, 300).map((x) => [[x, 380]]),
      );
      await place(1);

      const picture = box.getByRole('img', { name: /^Photo 1 of 30/ }).first();
      const width = () => picture.evaluate((image) => image.getBoundingClientRect().width);
      // While it still moves from the swipe, fingers move it on.
      const before = await waitFor('the picture to stand still', () =>
        picture.evaluate((image) => {
          const { left, width } = image.getBoundingClientRect();
          return Math.abs(left) < 1 && width;
        }),
      );
      await touch(
        devtools,
        between(20, 120).map((apart) => [
          [180 - apart, 380],
          [180 + apart, 380],
        ]),
      );
      await waitFor('a larger picture', async () => (await width()) > before * 1.3);
      await place(1);
      expect(await page.evaluate(() => window.visualViewport!.scale)).toBe(1);
    },
    { width: 360 },
  );
});

const ICON = new URL('../../web/public/icon-512.png', import.meta.url).pathname;
const ORDER = {
  _id: '65f0c0ffee0000000006bbe0',
  shortId: '06BBE0',
  token: 'tokentokentokentokento',
  status: 'completed',
  trees: 5,
  packageType: 'grove',
  amount: 2000,
  currency: 'USD',
  customerName: 'Emma Clarke',
  customerEmail: 'emma@mail.test',
  language: 'en',
  createdAt: '2026-11-20T15:00:00Z',
  method: { kind: 'card' },
  paymentMethod: 'stripe',
  transactionId: 'pi_1',
  assignedDate: '2026-11-21T15:00:00Z',
  plantingDate: '2026-12-12T14:40:00Z',
  completionDate: '2026-12-12T16:00:00Z',
  assignedWorker: { name: 'Marleny Ospina', region: 'Quindío' },
  location: 'La Carbonera, Salento, Quindío',
  coordinates: { latitude: 4.637214, longitude: -75.487031 },
  timeline: [],
};
