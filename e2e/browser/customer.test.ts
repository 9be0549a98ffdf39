import { shortId } from '@arboleda/contracts/order.ts';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { photo } from '../driver/pictures.ts';
import { type Language, type Say, textsOf } from '../harness/texts.ts';
import { soon, waitFor } from '../harness/wait.ts';
import { expectFinished } from './finished.ts';
import { choosePackage, fillCard, logIn } from './people.ts';
import {
  type FieldWorker,
  type GivenOrder,
  linkIn,
  makeCustomer,
  makeWorker,
  orderFor,
  PASSWORD,
  useSetup,
} from './setup.ts';
import { onSlow3G, visit } from './visiting.ts';

jest.setTimeout(120_000);

const NEW_PASSWORD = 'guadua-niebla-7310';

const setup = useSetup();
let worker: FieldWorker;
beforeAll(async () => {
  worker = await makeWorker(setup, 'Rosa Incansable');
});

const order = (email: string, trees?: number) =>
  orderFor(setup, worker, email, trees === undefined ? {} : { trees });
const plant = ({ assignmentId }: GivenOrder) => setup.driver.plant(worker.token, assignmentId);

/** Photos of an order, until its page shows them. */
async function photograph({ assignmentId, orderToken }: GivenOrder, count: number): Promise<void> {
  const taken = Array.from({ length: count }, (_, nth) =>
    photo('ph-planting.jpg', new Date(Date.now() - nth * 60_000), `${nth}.jpg`),
  );
  await setup.driver.photograph(worker.token, assignmentId, await Promise.all(taken));
  await waitFor('the photos', async () => (await setup.driver.track(orderToken))?.photos.length === count);
}

/** Logged in at the portal. */
async function enter(page: Page, say: Say, email: string): Promise<void> {
  await page.goto(`${setup.product.url}/customer-portal`);
  await logIn(page, say, 'email', email, PASSWORD);
  await page.getByRole('button', { name: say('portal:logOut') }).waitFor();
}

describe.each<Language>(['en', 'es'])('in %s', (language) => {
  const say = textsOf(language);
  const width = language === 'es' ? 360 : 1280;

  test('growth updates are chosen by their dates, paid on the hosted page, and there on return', async () => {
    const email = `growth-${language}@customer.test`;
    await makeCustomer(setup, email, language);
    const bought = await order(email);
    await plant(bought);
    await visit(
      setup,
      async (page) => {
        await enter(page, say, email);
        await page.goto(`${setup.product.url}/orders/${bought.orderToken}`);
        const name = say('growth:three_year.name');
        await page.getByRole('link', { name: say('growth:chooseOne', { name }) }).click();
        await page.waitForURL('**/customer-portal');
        const choose = page.getByRole('button', { name: say('growth:chooseOne', { name }) });
        await choose.waitFor();
        await page.getByText(say('growth:dollars'), { exact: true }).waitFor();
        await expectFinished(page, 'growth packages');
        await choose.click();
        await page.waitForURL('**/c/pay/**');
        // Going back buys nothing, and leads to the same payment again.
        await page.goBack();
        await page.getByRole('button', { name: say('growth:get') }).click();
        await choose.click();
        await page.waitForURL('**/c/pay/**');

        await fillCard(page, '4242 4242 4242 4242');
        await page.locator('#holder').fill('Ana Torres');
        await page.locator('form button[type=submit]').click();
        const thanks = page.getByText(say('growth:return.ready'));
        await thanks.waitFor();
        // The page scrolls smoothly.
        await waitFor('the thanks in view', async () => {
          const { y, height } = (await thanks.boundingBox())!;
          return y > 0 && y + height < page.viewportSize()!.height;
        });
        await soon(async () => expect(new URL(page.url()).search).toBe(''));
        await soon(async () =>
          expect(await thanks.evaluate((text) => document.activeElement?.contains(text))).toBe(true),
        );
        const heading = page.getByRole('article').getByRole('heading').first();
        await soon(async () =>
          expect((await thanks.boundingBox())!.y).toBeLessThan((await heading.boundingBox())!.y),
        );
        await page
          .getByRole('list', { name: say('growth:bought.label', { name }) })
          .getByText(say('growth:bought.due'))
          .waitFor();
        await expectFinished(page, 'growth updates bought');
        await page.goto(`${setup.product.url}/orders/${bought.orderToken}`);
        await page.getByText(say('growth:bought.update', { number: 7, of: 7 })).waitFor();
        await expectFinished(page, 'order page with growth updates');
      },
      { language, width },
    );
  });

  test('a forgotten password is replaced by a mailed link, which serves once', async () => {
    const email = `forgot-${language}@customer.test`;
    await makeCustomer(setup, email, language);
    await visit(
      setup,
      async (page) => {
        await page.goto(`${setup.product.url}/customer-portal`);
        await page.getByLabel(say('portal:logIn.email'), { exact: true }).fill(email);
        await page.getByRole('link', { name: say('portal:logIn.forgot') }).click();
        await page.waitForURL('**/forgot-password?role=customer');
        const address = page.getByLabel(say('portal:logIn.email'), { exact: true });
        await soon(async () => expect(await address.inputValue()).toBe(email));
        await expectFinished(page, 'forgot password');
        await page.getByRole('button', { name: say('account:forgot.submit') }).click();
        await page.getByText(say('account:forgot.sent', { email })).waitFor();

        const mail = await setup.inbox.mail(email, /reset-password#/);
        const link = linkIn(mail.text, '/reset-password');
        await page.goto(link);
        await page.getByLabel(say('account:password.new'), { exact: true }).fill(NEW_PASSWORD);
        await page.getByLabel(say('account:password.confirm'), { exact: true }).fill(NEW_PASSWORD);
        await soon(async () => expect(new URL(page.url()).hash).toBe(''));
        await expectFinished(page, 'reset password');
        await page.getByRole('button', { name: say('account:reset.submit') }).click();
        await page.getByText(say('account:reset.done')).waitFor();
        await page.getByText(say('customer:orders.emptyTitle')).waitFor();
        await soon(async () => expect(new URL(page.url()).pathname).toBe('/customer-portal'));
        await expectFinished(page, 'portal without orders');

        await page.goto('about:blank');
        await page.goto(link);
        await page.getByLabel(say('account:password.new'), { exact: true }).fill(PASSWORD);
        await page.getByLabel(say('account:password.confirm'), { exact: true }).fill(PASSWORD);
        await page.getByRole('button', { name: say('account:reset.submit') }).click();
        await page.getByText(say('account:reset.linkInvalid')).waitFor();
        await page.getByRole('link', { name: say('account:reset.askAgain') }).waitFor();
      },
      { language, width },
    );
  });
});

const say = textsOf('en');

test('a status moves along the line in the portal and on the order’s page while somebody looks', async () => {
  const email = 'live@customer.test';
  await makeCustomer(setup, email);
  const bought = await order(email, 10_000);
  await visit(setup, async (page) => {
    await enter(page, say, email);
    await page.getByText(say('status.assigned'), { exact: true }).waitFor();
    const story = await page.context().newPage();
    await story.goto(`${setup.product.url}/orders/${bought.orderToken}`);
    await story.getByText(say('status.assigned'), { exact: true }).waitFor();
    // The second page hides the first one, which then listens to nothing.
    const reloads: string[] = [];
    story.on('request', (request) => request.isNavigationRequest() && reloads.push(request.url()));
    await plant(bought);
    await story.getByText(say('status.planted'), { exact: true }).waitFor();
    expect(reloads).toEqual([]);
    await page.bringToFront();
    await page.getByText(say('status.planted'), { exact: true }).waitFor();
    await expectFinished(page, 'portal, 10,000 trees');
  });
});

test('over slow 3G the portal says that it is on its way, and orders, story and photos come', async () => {
  const email = 'slow-portal@customer.test';
  await makeCustomer(setup, email);
  const bought = await order(email);
  await plant(bought);
  await photograph(bought, 1);
  await visit(
    setup,
    async (page) => {
      await enter(page, say, email);
      await onSlow3G(page);
      await page.reload({ waitUntil: 'commit' });
      // A skeleton shows while the content loads.
      await page.locator('[aria-busy=true], [class*=skeleton]').first().waitFor();
      await page.getByText(say('status.planted'), { exact: true }).waitFor({ timeout: 60_000 });
      await page.getByRole('img', { name: /^Photo 1 of 1/ }).waitFor({ timeout: 60_000 });
      await expectFinished(page, 'portal over slow 3G');
    },
    { width: 360 },
  );
});

test('many photos: the lightbox by keyboard, a photo that fails, and a map that is blocked', async () => {
  const email = 'photos@customer.test';
  await makeCustomer(setup, email);
  const bought = await order(email);
  await plant(bought);
  await photograph(bought, 10);
  await visit(
    setup,
    async (page) => {
      let blocked = 0;
      await page.route(
        'https://maps.google.com/**',
        (route) => ((blocked += 1), route.abort('blockedbyclient')),
      );
      const { photos } = await setup.driver.call('GET /api/track/{token}', {
        params: { token: bought.orderToken },
      });
      await page.route(`**/api/photos/${photos[1]!.filename}**`, (route) => route.fulfill({ status: 500 }));
      await page.goto(`${setup.product.url}/orders/${bought.orderToken}`);
      await page.getByRole('button', { name: say('order:album.all', { count: 10 }) }).click();
      const thumbnails = page.getByRole('button', { name: /^Photo \d+ of 9/ });
      await thumbnails.last().scrollIntoViewIfNeeded();
      await waitFor('the failing photo to be left out', async () => (await thumbnails.count()) === 9);

      await thumbnails.first().focus();
      await page.keyboard.press('Enter');
      const box = page.getByRole('dialog', { name: say('photos.lightbox') });
      await box.getByText('1 of 9').waitFor();
      await page.keyboard.press('ArrowRight');
      await box.getByText('2 of 9').waitFor();
      await page.keyboard.press('End');
      await box.getByText('9 of 9').waitFor();
      await page.keyboard.press('Escape');
      await box.waitFor({ state: 'hidden' });
      await soon(async () =>
        expect(await thumbnails.first().evaluate((one) => one === document.activeElement)).toBe(true),
      );

      expect(blocked).toBe(0);
      await page.getByRole('button', { name: say('map.show') }).click();
      await page
        .getByText(say('map.shown'))
        .or(page.getByText(say('map.nothingCame')))
        .waitFor();
      expect(blocked).toBe(1);
      await page.getByRole('link', { name: say('map.open') }).waitFor();
      const away = page.getByRole('button', { name: say('map.hide') });
      if (await away.isVisible()) await away.click();
      await page.context().setOffline(true);
      await page
        .locator('button', { hasText: say('map.show') })
        .or(page.getByRole('button', { name: say('tryAgain') }))
        .first()
        .click();
      await page.getByText(say('map.offline')).waitFor();
      await page.context().setOffline(false);
      await expectFinished(page, 'order page with many photos');
    },
    { width: 320 },
  );
});

test.each([
  ['en', 1280],
  ['es', 360],
] as const)('in %s, one of many orders is found by its place or id', async (language, width) => {
  const say = textsOf(language);
  const email = `many-${language}@customer.test`;
  await makeCustomer(setup, email, language);
  const first = await order(email, 1);
  for (let more = 0; more < 5; more++) await order(email, 2);
  await visit(
    setup,
    async (page) => {
      await enter(page, say, email);
      await page.getByRole('link', { name: say('customer:orders.plantMore') }).waitFor();
      // The newest is open, the others are a line each.
      for (const [state, count] of [
        ['fold', 1],
        ['unfold', 5],
      ] as const)
        await soon(async () =>
          expect(await page.getByRole('button', { name: say(`customer:orders.${state}`) }).count()).toBe(
            count,
          ),
        );
      await page.getByRole('searchbox').fill(shortId(first.orderId).toLowerCase());
      await page.getByText(say('customer:orders.found', { count: 1 })).waitFor();
      await soon(async () => expect(await page.getByRole('article').count()).toBe(1));
      await expectFinished(page, `portal with one order found, in ${language}`);
      await page.getByRole('link', { name: say('customer:orders.plantMore') }).click();
      await page.waitForURL('**/plant-trees');
      await choosePackage(page, say, 'individual');
      const filledIn = (label: string) =>
        waitFor(label, () => page.getByLabel(say(`checkout:panel.${label}`), { exact: true }).inputValue());
      expect(await filledIn('email')).toBe(email);
      expect(await filledIn('name')).not.toBe('');
    },
    { language, width },
  );
});

test.each([
  ['en', 1280],
  ['es', 360],
] as const)('in %s, one map shows the trees of all orders and leads to each', async (language, width) => {
  const say = textsOf(language);
  const email = `map-${language}@customer.test`;
  await makeCustomer(setup, email, language);
  const [near, far] = [await order(email, 1), await order(email, 2)];
  await order(email, 3);
  await plant(near);
  await setup.driver.plant(worker.token, far.assignmentId, {
    coordinates: { latitude: 11.1, longitude: -74.05 },
    location: 'Minca, Santa Marta',
  });
  await waitFor('both places', async () => {
    const shown = await Promise.all([near, far].map(({ orderToken }) => setup.driver.track(orderToken)));
    return shown.every((one) => one?.coordinates);
  });
  await visit(
    setup,
    async (page) => {
      const elsewhere: string[] = [];
      page.on('request', (request) => {
        if (!request.url().startsWith(setup.product.url)) elsewhere.push(request.url());
      });
      await enter(page, say, email);
      const map = page.getByRole('region', { name: say('customer:map.title', { count: 3 }) });
      const pins = map.getByRole('group', { name: say('customer:map.drawing') }).getByRole('link');
      await pins.first().waitFor();
      expect(await pins.count()).toBe(2);
      for (const pin of await pins.all()) {
        const { width: wide, height } = (await pin.boundingBox())!;
        expect(Math.min(wide, height)).toBeGreaterThanOrEqual(24);
      }
      await soon(async () => expect(await map.getByRole('list').first().getByRole('link').count()).toBe(2));
      await expectFinished(page, `portal with the map of all trees, in ${language}`);
      expect(elsewhere.filter((url) => !/^(data|blob):/.test(url))).toEqual([]);
      // Orders of one second come in any order, so the pin is found by its place.
      await map
        .getByRole('group', { name: say('customer:map.drawing') })
        .getByRole('link', { name: /Minca/ })
        .click();
      await page.waitForURL(`**/orders/${far.orderToken}`);
    },
    { language, width },
  );
});

test.each([
  ['en', 1280],
  ['es', 360],
] as const)('in %s, news of photos are switched off in the account', async (language, width) => {
  const say = textsOf(language);
  const email = `account-news-${language}@customer.test`;
  await makeCustomer(setup, email, language);
  await visit(
    setup,
    async (page) => {
      await enter(page, say, email);
      await page.getByRole('link', { name: say('customer:account'), exact: true }).click();
      const emails = page.getByRole('region', { name: say('account:emails.title') });
      const choice = emails.getByLabel(say('account:mail.news'));
      await choice.uncheck();
      await emails.getByText(say('account:mail.off')).waitFor();
      await expectFinished(page, `emails in the account, in ${language}`);
      await page.reload();
      await waitFor('the choice to be kept', async () => !(await choice.isChecked()));
    },
    { language, width },
  );
});

test('the account: language of mails, another password, data, and leaving for good', async () => {
  const email = 'leaving@customer.test';
  await makeCustomer(setup, email);
  await order(email);
  const es = textsOf('es');
  await visit(setup, async (page) => {
    await enter(page, say, email);
    await page.getByRole('link', { name: say('customer:account'), exact: true }).click();
    await page.getByRole('heading', { name: say('account:mine.title') }).waitFor();
    await expectFinished(page, 'account');

    await page.getByRole('combobox', { name: say('account:details.language') }).selectOption('es');
    await page.getByRole('button', { name: say('account:details.save') }).click();
    await page.getByRole('heading', { name: es('account:mine.title') }).waitFor();
    const password = page.getByRole('region', { name: es('account:password.title') });
    await password.getByLabel(es('account:password.current')).fill(PASSWORD);
    await password.getByLabel(es('account:password.new'), { exact: true }).fill(NEW_PASSWORD);
    await password.getByLabel(es('account:password.confirm'), { exact: true }).fill(NEW_PASSWORD);
    await password.getByRole('button', { name: es('account:password.submit') }).click();
    await password.getByText(es('account:password.changed')).waitFor();
    await setup.inbox.mail(email, /contraseña/i);

    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: es('account:export.submit') }).click();
    const file = await (await saved).createReadStream();
    const data = JSON.parse(Buffer.concat(await file.toArray()).toString()) as {
      account: { account: { email: string } };
      orders: { orders: unknown[] };
    };
    expect([data.account.account.email, data.orders.orders.length]).toEqual([email, 1]);

    await page.getByRole('button', { name: es('account:delete.open') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(es('account:password.current')).fill(NEW_PASSWORD);
    await expectFinished(page, 'deleting the account');
    await dialog.getByRole('button', { name: es('account:delete.submit') }).click();
    await page.getByText(es('customer:notice.deleted')).waitFor();
    await expectFinished(page, 'after leaving');
    await logIn(page, es, 'email', email, NEW_PASSWORD);
    await page.getByRole('alert').waitFor();
  });
});

test('news of photos are stopped by the link at the end of their mail', async () => {
  const email = 'news@customer.test';
  const bought = await order(email);
  await plant(bought);
  await photograph(bought, 1);
  const mail = await setup.inbox.mail(email, /mail-preferences#/);
  await visit(
    setup,
    async (page) => {
      await page.goto(linkIn(mail.text, '/mail-preferences'));
      const choice = page.getByLabel(say('account:mail.news'));
      await choice.uncheck();
      await page.getByText(say('account:mail.off')).waitFor();
      await soon(async () => expect(new URL(page.url()).hash).toBe(''));
      await page.reload();
      await waitFor('the choice to be kept', async () => !(await choice.isChecked()));
      await expectFinished(page, 'mail preferences');
    },
    { width: 320 },
  );
});
