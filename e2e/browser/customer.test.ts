import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type Language, textsOf } from '../harness/texts.ts';
import { waitFor } from '../harness/wait.ts';
import { type Donors, openDonors } from './donors.ts';
import { expectFinished } from './finished.ts';
import { fillCard } from './people.ts';
import { openStage, type Stage } from './stage.ts';
import { onSlow3G, visit } from './visiting.ts';

jest.setTimeout(120_000);

let stage: Stage;
let donors: Donors;
beforeAll(async () => {
  stage = await openStage();
  donors = await openDonors(stage);
});
afterAll(() => stage?.close());

describe.each<Language>(['en', 'es'])('in %s', (language) => {
  const say = textsOf(language);
  const width = language === 'es' ? 360 : 1280;

  test('growth updates are chosen by their dates, paid on the hosted page, and there on return', async () => {
    const email = `growth-${language}@mail.test`;
    await donors.makeCustomer(email, language);
    const bought = await donors.order(email);
    await bought.assign();
    await bought.plant();
    await visit(
      stage,
      async (page) => {
        await donors.enter(page, say, email);
        await page.goto(`${stage.product.url}/orders/${bought.orderToken}`);
        const name = say('growth:three_year.name');
        await page.getByRole('link', { name: say('growth:chooseOne', { name }) }).click();
        await page.waitForURL('**/customer-portal');
        const choose = page.getByRole('button', { name: say('growth:chooseOne', { name }) });
        await choose.waitFor();
        await expectFinished(page, 'growth packages');
        await choose.click();
        await page.waitForURL('**/c/pay/**');
        // Whoever turns back has bought nothing, and gets to the same payment again.
        await page.goBack();
        await page.getByRole('button', { name: say('growth:get') }).click();
        await choose.click();
        await page.waitForURL('**/c/pay/**');

        await fillCard(page, '4242 4242 4242 4242');
        await page.locator('#holder').fill('Ana Torres');
        await page.locator('form button[type=submit]').click();
        await page.getByText(say('growth:return.ready')).waitFor();
        expect(new URL(page.url()).search).toBe('');
        await page
          .getByRole('list', { name: say('growth:bought.label', { name }) })
          .getByText(say('growth:bought.due'))
          .waitFor();
        await expectFinished(page, 'growth updates bought');
        await page.goto(`${stage.product.url}/orders/${bought.orderToken}`);
        await page.getByText(say('growth:bought.update', { number: 7, of: 7 })).waitFor();
        await expectFinished(page, 'order page with growth updates');
      },
      { language, width },
    );
  });
});

const say = textsOf('en');

test('a status moves along the line in the portal and on the order’s page while somebody looks', async () => {
  const email = 'live@mail.test';
  await donors.makeCustomer(email);
  const bought = await donors.order(email, 10_000);
  await bought.assign();
  await visit(stage, async (page) => {
    await donors.enter(page, say, email);
    await page.getByText(say('status.assigned'), { exact: true }).waitFor();
    const story = await page.context().newPage();
    await story.goto(`${stage.product.url}/orders/${bought.orderToken}`);
    await story.getByText(say('status.assigned'), { exact: true }).waitFor();
    // The second page hides the first one, which then listens to nothing.
    const reloads: string[] = [];
    story.on('request', (request) => request.isNavigationRequest() && reloads.push(request.url()));
    await bought.plant();
    await story.getByText(say('status.planted'), { exact: true }).waitFor();
    expect(reloads).toEqual([]);
    await page.bringToFront();
    await page.getByText(say('status.planted'), { exact: true }).waitFor();
    await expectFinished(page, 'portal, 10,000 trees');
  });
});

test('over slow 3G the portal says that it is on its way, and orders, story and photos come', async () => {
  const email = 'slow-portal@mail.test';
  await donors.makeCustomer(email);
  const bought = await donors.order(email);
  await bought.assign();
  await bought.photograph(await bought.plant(), 1);
  await visit(
    stage,
    async (page) => {
      await donors.enter(page, say, email);
      await onSlow3G(page);
      await page.reload({ waitUntil: 'commit' });
      // What will come is told before it is there.
      await page.locator('[aria-busy=true], [class*=skeleton]').first().waitFor();
      await page.getByText(say('status.planted'), { exact: true }).waitFor({ timeout: 60_000 });
      await page.getByRole('img', { name: /^Photo 1 of 1/ }).waitFor({ timeout: 60_000 });
      await expectFinished(page, 'portal over slow 3G');
    },
    { width: 360 },
  );
});

test('many photos: the lightbox by keyboard, a photo that fails, and a map that is blocked', async () => {
  const email = 'photos@mail.test';
  await donors.makeCustomer(email);
  const bought = await donors.order(email);
  await bought.assign();
  const assignmentId = await bought.plant();
  await bought.photograph(assignmentId, 10);
  await visit(
    stage,
    async (page) => {
      let blocked = 0;
      await page.route(
        'https://maps.google.com/**',
        (route) => ((blocked += 1), route.abort('blockedbyclient')),
      );
      const { photos } = await donors.call('GET /api/track/{token}', {
        params: { token: bought.orderToken },
      });
      await page.route(`**/api/photos/${photos[1]!.filename}**`, (route) => route.fulfill({ status: 500 }));
      await page.goto(`${stage.product.url}/orders/${bought.orderToken}`);
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
      expect(await thumbnails.first().evaluate((one) => one === document.activeElement)).toBe(true);

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
