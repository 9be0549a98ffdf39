import { openClient, type CallApi } from '@arboleda/contracts/client.ts';
import { DEMO_ADMIN } from '@arboleda/local/demo/accounts.ts';
import { fieldPhoto } from '@arboleda/local/demo/photos.ts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { makeTirelessWorker, putAccount } from '../harness/accounts.ts';
import { openVisit } from '../harness/browser.ts';
import { openBuyer } from '../harness/buyer.ts';
import { type Language, type Say, textsOf } from '../harness/texts.ts';
import { waitFor } from '../harness/wait.ts';
import { expectFinished } from './finished.ts';
import { fillCard, logIn } from './people.ts';
import { openStage, type Stage } from './stage.ts';

jest.setTimeout(120_000);

const PASSWORD = 'siembra-lluvia-2048';
const NEW_PASSWORD = 'guadua-niebla-7310';
const PLACE = { latitude: 4.637214, longitude: -75.487031 };
const LONG_NAME = 'María Fernanda Echeverri-Londoño de Peña';

let stage: Stage;
let call: CallApi;
let admin: string;
let worker: string;
beforeAll(async () => {
  stage = await openStage();
  call = openClient(stage.product.url);
  // The only one who plants here, so that orders need not be looked for.
  await makeTirelessWorker(stage.product);
  const password = stage.product.demoPassword;
  admin = (await call('POST /api/auth/admin/login', { body: { email: DEMO_ADMIN.email, password } })).token;
  worker = (await call('POST /api/auth/worker/login', { body: { email: 'rosa@bench.test', password } }))
    .token;
});
afterAll(() => stage?.close());

interface Look {
  language?: Language;
  width?: number;
}

/** Somebody with a browser of their own for as long as the step takes. */
async function visit(step: (page: Page) => Promise<void>, { language = 'en', width = 1280 }: Look = {}) {
  const { context, page, faults } = await openVisit(stage.browser, { language, width });
  try {
    await step(page);
    expect(faults).toEqual([]);
  } finally {
    await context.close();
  }
}

const makeCustomer = (email: string, language: Language = 'en') =>
  putAccount(stage.product, {
    ...{ role: 'customer', name: LONG_NAME, email, password: PASSWORD, emailVerified: true, language },
  });

/** Logged in at the portal. */
async function enter(page: Page, say: Say, email: string, password = PASSWORD): Promise<void> {
  await page.goto(`${stage.product.url}/customer-portal`);
  await logIn(page, say, 'email', email, password);
  await page.getByRole('button', { name: say('portal:logOut') }).waitFor();
}

/** An order that our worker has. @returns its ids, and how to go on with it */
async function order(email: string, trees?: number) {
  const bought = await openBuyer(stage.product).buy(email, trees);
  const params = { id: bought.orderId };
  const { workers } = await call('GET /api/admin/workers', { token: admin, query: { q: 'rosa@bench.test' } });
  return {
    ...bought,
    async assign() {
      const workerId = workers[0]!.id;
      const found = await waitFor('somebody to plant the order', async () => {
        const answer = call('GET /api/admin/orders/{id}/assignment', { token: admin, params });
        return (await answer.catch(() => undefined))?.assignment.worker;
      });
      if (found.workerId === workerId) return;
      const body = { workerId, reason: 'Lives nearby' };
      await call('PUT /api/admin/orders/{id}/assignment', { token: admin, params, body });
    },
    async plant() {
      const found = await waitFor('the assignment', async () => {
        const { assignments } = await call('GET /api/workers/assignments', { token: worker });
        return assignments.find(({ orderId }) => orderId === bought.orderId);
      });
      await call('PUT /api/workers/assignments/{id}/status', {
        ...{ token: worker, params: { id: found._id } },
        body: { status: 'planted', coordinates: PLACE },
      });
      return found._id;
    },
    async photograph(assignmentId: string, count: number) {
      const body = new FormData();
      for (let nth = 0; nth < count; nth++) {
        const taken = new Date(Date.now() - nth * 60_000);
        body.append('photos', await fieldPhoto('ph-planting.jpg', PLACE, taken), `${nth}.jpg`);
      }
      await call('POST /api/workers/assignments/{id}/photos', {
        ...{ token: worker, params: { id: assignmentId }, body: body as never },
      });
      await waitFor('the photos', async () => {
        const { photos } = await call('GET /api/track/{token}', { params: { token: bought.orderToken } });
        return photos.length === count;
      });
    },
  };
}

const linkIn = (text: string, path: string): string =>
  new RegExp(`https?://\\S+${path}#\\S+`).exec(text)![0].replace(/[).>]+$/, '');

describe.each<Language>(['en', 'es'])('in %s', (language) => {
  const say = textsOf(language);
  const width = language === 'es' ? 360 : 1280;

  test('a forgotten password is replaced by a mailed link, which serves once', async () => {
    const email = `forgot-${language}@mail.test`;
    await makeCustomer(email, language);
    await visit(
      async (page) => {
        await page.goto(`${stage.product.url}/customer-portal`);
        await page.getByLabel(say('portal:logIn.email'), { exact: true }).fill(email);
        await page.getByRole('link', { name: say('portal:logIn.forgot') }).click();
        await page.waitForURL('**/forgot-password?role=customer');
        const address = page.getByLabel(say('portal:logIn.email'), { exact: true });
        expect(await address.inputValue()).toBe(email);
        await expectFinished(page, 'forgot password');
        await page.getByRole('button', { name: say('account:forgot.submit') }).click();
        await page.getByText(say('account:forgot.sent', { email })).waitFor();

        const mail = await stage.inbox.mail(email, /reset-password#/);
        const link = linkIn(mail.text, '/reset-password');
        await page.goto(link);
        await page.getByLabel(say('account:password.new'), { exact: true }).fill(NEW_PASSWORD);
        await page.getByLabel(say('account:password.confirm'), { exact: true }).fill(NEW_PASSWORD);
        expect(new URL(page.url()).hash).toBe('');
        await expectFinished(page, 'reset password');
        await page.getByRole('button', { name: say('account:reset.submit') }).click();
        await page.getByRole('link', { name: say('account:reset.logIn') }).click();
        expect(await page.getByLabel(say('portal:logIn.email'), { exact: true }).inputValue()).toBe(email);
        await logIn(page, say, 'email', email, NEW_PASSWORD);
        await page.getByText(say('customer:orders.emptyTitle')).waitFor();
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

  test('growth updates are chosen by their dates, paid on the hosted page, and there on return', async () => {
    const email = `growth-${language}@mail.test`;
    await makeCustomer(email, language);
    const bought = await order(email);
    await bought.assign();
    await bought.plant();
    await visit(
      async (page) => {
        await enter(page, say, email);
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
  await makeCustomer(email);
  const bought = await order(email, 10_000);
  await bought.assign();
  await visit(async (page) => {
    await enter(page, say, email);
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

test('many photos: the lightbox by keyboard, a photo that fails, and a map that is blocked', async () => {
  const email = 'photos@mail.test';
  await makeCustomer(email);
  const bought = await order(email);
  await bought.assign();
  const assignmentId = await bought.plant();
  await bought.photograph(assignmentId, 10);
  await visit(
    async (page) => {
      let blocked = 0;
      await page.route(
        'https://maps.google.com/**',
        (route) => ((blocked += 1), route.abort('blockedbyclient')),
      );
      const { photos } = await call('GET /api/track/{token}', { params: { token: bought.orderToken } });
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

test('the account: language of mails, another password, data, and leaving for good', async () => {
  const email = 'leaving@mail.test';
  await makeCustomer(email);
  await order(email);
  const es = textsOf('es');
  await visit(async (page) => {
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
    await stage.inbox.mail(email, /contraseña/i);

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
  const email = 'news@mail.test';
  const bought = await order(email);
  await bought.assign();
  await bought.photograph(await bought.plant(), 1);
  const mail = await stage.inbox.mail(email, /mail-preferences#/);
  await visit(
    async (page) => {
      await page.goto(linkIn(mail.text, '/mail-preferences'));
      const choice = page.getByLabel(say('account:mail.news'));
      await choice.uncheck();
      await page.getByText(say('account:mail.off')).waitFor();
      expect(new URL(page.url()).hash).toBe('');
      await page.reload();
      await waitFor('the choice to be kept', async () => !(await choice.isChecked()));
      await expectFinished(page, 'mail preferences');
    },
    { width: 320 },
  );
});
